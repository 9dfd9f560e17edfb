// Checks whether a running backend keeps openapi.yaml: npm run contract -- URL
import { expectAnswer, needTokens, operations } from './answer.ts'
import { callOf, send } from './call.ts'
import { promise } from './promise.ts'
import { HOST, stop } from './settings.ts'
import { tableOf } from './table.ts'

const answers = await Promise.all(
  operations.map((operation) => send(callOf(operation)).catch(({ message }: Error) => message)),
)
const [first] = answers
// An error code of Node is in capitals. With any other error at least a part of an answer has come.
if (typeof first === 'string' && /^[A-Z\d_]+$/.test(first)) stop(`${HOST.href} can't be asked: ${first}.`)
const isForeign = answers.every(
  (answer) =>
    typeof answer !== 'string' && (answer.status === 404 || `${answer.headers['content-type']}`.includes('html')),
)
if (isForeign) stop(`${HOST.href} is no backend of this contract. Give the URL that has /api below it.`)

for (const operation of operations) {
  const EXAMPLE = 'A request with neither header does not come from a browser, and is accepted.'
  const HINT = 'If the backend knows itself or the page by another name, add --origin https://their.site. #subscribed'
  promise(operation, EXAMPLE, HINT, () => expectAnswer(operation, 200, callOf(operation)))
  for (const [sentence, [advice, ...rows]] of Object.entries(tableOf(operation)))
    for (const [title, expected, change] of rows) {
      const run = async () => {
        if (expected === 403) await needTokens(operation)
        await expectAnswer(operation, expected, callOf(operation, change))
      }
      promise(operation, sentence, advice, run, title)
    }
}
await import('./sequences.ts')
