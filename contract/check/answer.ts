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
import { CAUSE_REPORTED, Fault, note, Unchecked } from './fault.ts'

export const operations = readContract()

/** The statuses that the contract allows. With 200 `success` has to be true. */
export type Expected = number | readonly number[]

const PROBLEM =
  '**Every error is a problem document** (RFC 9457, `application/problem+json`) whose `status` equals the status of the answer.'
const REDIRECT = 'It follows no redirect: a redirect counts as a failed call.'
const ONCE = 'Other answers may have the same fault: it is reported once.'
const SEE_LOG = 'The log of the backend may say why.'
/** Advice for differences whose sentence does not say what to do. */
const ADVICE: readonly (readonly [difference: RegExp, advice: string])[] = [
  [/^\/errors to name/, 'Collect all faults before you answer, and name each by its place.'],
  [/^the header Cache-Control/i, `Set it where all answers pass, the framework's own 404 and 405 too. ${ONCE}`],
  [/^application\/problem\+json/, `Make the framework's own errors problem documents too. ${ONCE}`],
  [/no value that was sent/, `Say in \`detail\` what a field has to be, not which value it had. ${ONCE}`],
]

/** Faults that many answers may share, so that each is reported once. */
const reported = new Set<string>()
/** How many calls got no answer in time: after three of them the other calls would last too long. */
let slowCalls = 0
function giveUpIfSlow(): void {
  if (slowCalls >= 3) throw new Unchecked('the tests after three calls without an answer in time')
}

/**
 * Sends a call and compares its answer with the contract: every answer of the check passes here. After a 429 it waits
 * as long as Retry-After says. Throws a `Fault`, or `Unchecked` if the call fails for a cause that was reported.
 */
export async function expectAnswer(operation: Operation, expected: Expected, call: Call, agent?: Agent) {
  giveUpIfSlow()
  for (let waits = 0; ; waits++) {
    const answer = await send(call, agent).catch((error) => failWithoutAnswer(call, error))
    note(call, answer)
    const isLimited = answer.status === 429 && waits < 5
    const differences = differencesOf(operation, isLimited ? [429] : [expected].flat(), call, answer)
    const texts = differences.map(({ expected, actual }) => `${expected} ${actual}`)
    const advice = ADVICE.find(([difference]) => texts.some((text) => difference.test(text)))?.[1]
    if (differences.length > 0) throw new Fault(call, answer, differences, advice)
    if (!isLimited) return { ...answer, value: Object(parseJson(answer.body)) }
    const seconds = Math.min(Number(answer.headers['retry-after']) || 1, 3600)
    process.stderr.write(`${call.path} is limited for ${seconds} s. Switch limits off while the check runs.\n`)
    await sleep(1000 * seconds)
  }
}

function failWithoutAnswer(call: Call, error: unknown): never {
  if (!(error instanceof NoAnswer)) throw error
  if (reported.has(error.message)) throw new Unchecked(CAUSE_REPORTED)
  // If even the example gets no whole answer, or no server listens any more, other calls fail for the same cause.
  if (call.isExample || error.message === 'ECONNREFUSED') reported.add(error.message)
  if (error.message.startsWith(SLOW)) slowCalls++
  throw new Fault(call, null, [{ expected: 'an answer', actual: `no answer: ${error.message}` }], SEE_LOG)
}

/** How an answer differs from the contract's rules for every answer, and from its rules for this call. */
function differencesOf(operation: Operation, expected: readonly number[], call: Call, answer: Answer): Difference[] {
  const { status, headers, body } = answer
  const response = operation.responses.get(status)
  const isDeclined = status === 200 && Object(parseJson(body)).success === false
  const isExpected = expected.includes(status) && !isDeclined
  const rule = status < 400 ? `${response?.description}` : PROBLEM
  const documented = isExpected ? (response?.differences(answer, call.method) ?? []) : []
  const silence = status >= 400 ? silenceDifferences(call, body, SETTINGS.runId) : []
  const shared = [...documented.map((found) => ({ rule, ...found })), ...silence, ...cookieDifferences(call, answer)]
  const unreported = shared.filter(({ rule, expected }) => !reported.has(`${rule} ${expected}`))
  for (const { rule, expected } of unreported) reported.add(`${rule} ${expected}`)
  const isProblem = status === 422 && documented.length === 0
  if (isExpected) return [...unreported, ...(isProblem ? namingDifferences(operation, call, body) : [])]
  // If even the example fails, or the status is never right, other calls fail for the same cause.
  const cause = `${response ? operation.name : ''} ${status}`
  if (reported.has(cause) && unreported.length === 0) throw new Unchecked(CAUSE_REPORTED)
  if (!response || call.isExample) reported.add(cause)
  const type = isDeclined ? 'with success false' : (headers['content-type'] ?? '')
  const actual = `${status} ${type}${response ? '' : ', which the contract does not know here'}`
  const isRedirect = status >= 300 && status < 400
  return [{ expected: expected.join(' or '), actual, ...(isRedirect && { rule: REDIRECT }) }, ...unreported]
}

export const WRONG_TOKEN = { cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two' }

/** Throws `Unchecked` unless the backend uses the cookie XSRF-TOKEN: the backend sets it, or refuses a wrong token. */
export async function needTokens(operation: Operation): Promise<void> {
  giveUpIfSlow()
  const calls = [callOf(operation), callOf(operation, { headers: WRONG_TOKEN })]
  const [withoutToken, withWrongToken] = await Promise.all(calls.map((call) => send(call).catch(() => null)))
  if (withoutToken && tokensIn(withoutToken).length === 0 && withWrongToken?.status !== 403)
    throw new Unchecked('the cookie XSRF-TOKEN, which this backend does not use')
}
