// Checks whether a running backend keeps openapi.yaml: npm run contract -- URL
import type { Answer } from '../contract/faults.ts'
import { operations } from '../contract/operations.ts'
import { CODES } from './advice.ts'
import { KNOWN, tokenIn } from './answer.ts'
import { type Change, callOf, newAddress, send, WRONG_TOKEN } from './call.ts'
import { check } from './report.ts'
import { sequencesOf } from './sequences.ts'
import { HOST, RESTART, stop } from './settings.ts'
import { run, type Table } from './steps.ts'
import { callsOf } from './table.ts'

/** Without an answer the status is 0, and the body says why. */
const noAnswer = ({ message }: Error): Answer => ({ status: 0, headers: {}, body: message })
const ask = (change: Change) =>
  Promise.all(operations.map((operation) => send(callOf(operation, change)).catch(noAnswer)))
const answers = await ask({})
const isUnknown = ({ status, headers }: Answer) =>
  status === 0 || status === 404 || /html/.test(`${headers['content-type']}`)
const found = answers.map(({ status, body }) => status || body).join(', ')
if (answers.every(isUnknown))
  stop(`${HOST.href} is no backend of this contract (${found}). Give the URL that has /api below it.`)

const refused = await ask(WRONG_TOKEN)
const same = { fields: { '/email': newAddress() } }
const repeated = [await ask(same), await ask(same), await ask(same), await ask(same)].flat()
/** Why something can't be checked, by the last outcome that a step allows. */
const unchecked = new Map<unknown, string>()
if (RESTART === '') unchecked.set('restart', 'that data outlives a crash: see --restart')
if (![...answers, ...refused].some((answer) => answer.status === 403 || tokenIn(answer) !== ''))
  unchecked.set(403, 'the cookie XSRF-TOKEN, which this backend does not use')
if (!repeated.some(({ body }) => /"email_exists"\s*:\s*true/.test(body)))
  unchecked.set(KNOWN, 'which addresses are stored, since email_exists is always false')

const tokens = refused.map(tokenIn)
for (const [place, operation] of operations.entries()) {
  const sequences = sequencesOf(operation, tokens.at(place), tokens.at(place - 1))
  const table: Table = { ...callsOf(operation), ...sequences }
  for (const code of CODES)
    for (const [title, ...steps] of table[code] ?? []) {
      const [reason] = steps.flatMap(([expected]) => unchecked.get([expected].flat().at(-1)) ?? [])
      check(`${operation.name} > ${code}${title && ` | ${title}`}`, reason, () => run(operation, code, steps))
    }
}
