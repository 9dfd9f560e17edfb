import type { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../calls.ts'
import { cookieDifferences, tokensIn } from '../cookies.ts'
import { namingDifferences } from '../naming.ts'
import { type Operation, readContract } from '../operations.ts'
import type { Answer } from '../response.ts'
import { type Difference, parseJson } from '../schemas.ts'
import { silenceDifferences } from '../silence.ts'
import { callOf, NoAnswer, SETTINGS, SLOW, send } from './call.ts'
import { Fault, note, TOLD, Unchecked } from './fault.ts'

export const operations = readContract()

/** The statuses that the contract allows. With 200 `success` has to be true. */
export type Expected = number | readonly number[]

const PROBLEM =
  '**Every error is a problem document** (RFC 9457, `application/problem+json`) whose `status` equals the status of the answer.'
const REDIRECT = 'It follows no redirect: a redirect counts as a failed call.'
const EVERY = 'Other answers may have the same fault: it is told once.'
const SEE_LOG = 'The log of the backend may say why.'
/** What helps against a difference, where that is not plain. */
const ADVICE: readonly (readonly [difference: RegExp, advice: string])[] = [
  [/^\/errors to name/, 'Collect all faults before you answer, and name each by its place.'],
  [/^the header Cache-Control/i, `Set it where all answers pass, the framework's own 404 and 405 too. ${EVERY}`],
  [/^application\/problem\+json/, `Make the framework's own errors problem documents too. ${EVERY}`],
  [/no value that was sent/, `Say in \`detail\` what a field has to be, not what was in it. ${EVERY}`],
]

/** What was told of an answer that others share, so that it is told once. */
const told = new Set<string>()
/** Calls that got no answer in time: after three of them the rest would last too long. */
let slow = 0
function giveUpIfSlow(): void {
  if (slow >= 3) throw new Unchecked('what is left after three calls without an answer in time')
}

/**
 * Sends a call and holds its answer to the contract: all answers of the check pass here. After a 429 it waits as long
 * as Retry-After says. Throws a `Fault`, or `Unchecked` if the call fails for a cause that was told.
 */
export async function expectAnswer(operation: Operation, expected: Expected, call: Call, agent?: Agent) {
  giveUpIfSlow()
  for (let waits = 0; ; waits++) {
    const answer = await send(call, agent).catch((error) => failWithout(call, error))
    note(call, answer)
    const isLimited = answer.status === 429 && waits < 5
    const differences = differencesOf(operation, isLimited ? [429] : [expected].flat(), call, answer)
    const texts = differences.map((one) => `${one.expected} ${one.actual}`)
    const advice = ADVICE.find(([difference]) => texts.some((text) => difference.test(text)))?.[1]
    if (differences.length > 0) throw new Fault(call, answer, differences, advice)
    if (!isLimited) return { ...answer, value: Object(parseJson(answer.body)) }
    const seconds = Math.min(Number(answer.headers['retry-after']) || 1, 3600)
    process.stderr.write(`${call.path} is limited for ${seconds} s. Switch limits off while the check runs.\n`)
    await sleep(1000 * seconds)
  }
}

function failWithout(call: Call, error: unknown): never {
  if (!(error instanceof NoAnswer)) throw error
  if (told.has(error.message)) throw new Unchecked(TOLD)
  // Where even the example has no whole answer, or nobody listens any more, other calls fail for the same cause.
  if (call.isExample || error.message === 'ECONNREFUSED') told.add(error.message)
  if (error.message.startsWith(SLOW)) slow++
  throw new Fault(call, null, [{ expected: 'an answer', actual: `no answer: ${error.message}` }], SEE_LOG)
}

/** How an answer differs from what the contract says of every answer, and of the answer to this call. */
function differencesOf(operation: Operation, expected: readonly number[], call: Call, answer: Answer): Difference[] {
  const { status, headers, body } = answer
  const response = operation.responses.get(status)
  const isDeclined = status === 200 && Object(parseJson(body)).success === false
  const isRight = expected.includes(status) && !isDeclined
  const rule = status < 400 ? `${response?.description}` : PROBLEM
  const documented = isRight ? (response?.differences(answer, call.method) ?? []) : []
  const silence = status >= 400 ? silenceDifferences(call, body, SETTINGS.runId) : []
  const ofAll = [...documented.map((one) => ({ rule, ...one })), ...silence, ...cookieDifferences(call, answer)]
  const news = ofAll.filter((one) => !told.has(`${one.rule} ${one.expected}`))
  for (const one of news) told.add(`${one.rule} ${one.expected}`)
  const isProblem = status === 422 && documented.length === 0
  if (isRight) return [...news, ...(isProblem ? namingDifferences(operation, call, body) : [])]
  // Where even the example fails, or by a status that is never right, other calls fail for the same cause.
  const key = `${response ? operation.name : ''} ${status}`
  if (told.has(key) && news.length === 0) throw new Unchecked(TOLD)
  if (!response || call.isExample) told.add(key)
  const type = isDeclined ? 'with success false' : (headers['content-type'] ?? '')
  const actual = `${status} ${type}${response ? '' : ', which the contract does not know here'}`
  const isRedirect = status >= 300 && status < 400
  return [{ expected: expected.join(' or '), actual, ...(isRedirect && { rule: REDIRECT }) }, ...news]
}

export const WRONG_TOKEN = { cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two' }

/** Throws `Unchecked` unless the backend uses the cookie XSRF-TOKEN: it sets it, or refuses a wrong one. */
export async function needTokens(operation: Operation): Promise<void> {
  giveUpIfSlow()
  const calls = [callOf(operation), callOf(operation, { headers: WRONG_TOKEN })]
  const [first, wrong] = await Promise.all(calls.map((call) => send(call).catch(() => null)))
  if (first && tokensIn(first).length === 0 && wrong?.status !== 403)
    throw new Unchecked('the cookie XSRF-TOKEN, which this backend does not use')
}
