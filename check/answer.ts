import { type Answer, answerFaults, parseJson, requestFaults } from '../contract/faults.ts'
import type { Operation } from '../contract/operations.ts'
import { type CheckFault, type Code, DEPENDENT } from './advice.ts'
import { type Call, KEY, send } from './call.ts'
import { endTest, isNew } from './report.ts'
import { RUN_ID } from './settings.ts'

export const NEW = 'email_exists false'
export const KNOWN = 'email_exists true'
/** A status; for a 200 of `subscribe` also what it tells about the address. With 200 `success` has to be true. */
export type Outcome = number | typeof NEW | typeof KNOWN

/**
 * Sends a call and compares its answer with the contract: every answer of the check passes here. Ends the test unless
 * the answer is expected and breaks no other rule. `code` stands for the rule that is checked.
 */
export async function expectAnswer(operation: Operation, code: Code, expected: readonly Outcome[], call: Call) {
  const answer = await send(call).catch(({ message }: Error) =>
    endTest({ code: code in DEPENDENT ? code : 'no-answer', text: 'no answer', value: message }, call, null),
  )
  const { status, body } = answer
  const { success, email_exists }: { success?: unknown; email_exists?: unknown } = Object(parseJson(body))
  const exists = email_exists === true ? KNOWN : NEW
  const accepted = success === false ? 'success false' : typeof expected[0] === 'string' ? exists : status
  const outcome = status === 200 ? accepted : status
  const text = `expected ${expected.join(' or ')}, got ${outcome}`
  // What has to be answered with 400 may get a 422 from a parser that accepts too much.
  const isOtherRefusal = !(code in DEPENDENT) && Number(expected[0]) > 400 && status >= 400 && status < 500
  const unexpected: CheckFault = { code: status === 429 ? 'rate-limits' : isOtherRefusal ? 'statuses' : code, text }
  const isExpected = expected.some((each) => each === outcome)
  const fault = isExpected ? otherFaults(operation, call, answer).find(isNew) : unexpected
  if (fault) endTest(fault, call, answer)
  return { ...answer, outcome }
}

/** How an answer breaks the rules that hold for every answer with its status. */
function otherFaults(operation: Operation, call: Call, answer: Answer): CheckFault[] {
  const { status, body } = answer
  const response = operation.responses.get(status)
  const faults = response ? answerFaults(response, answer, call.method) : []
  const cookies = cookieFaults(answer)
  if (status < 400 || faults.length > 0) return [...faults, ...cookies]
  const naming = status === 422 ? namingFaults(operation, call, body) : []
  return [...cookies, ...naming, ...leaks(call, body)]
}

/** How the `errors` of a 422 differ from the faults of the call. If the call has none, its key is in use. */
function namingFaults(operation: Operation, call: Call, body: string): CheckFault[] {
  const faults = requestFaults(operation, call.headers, parseJson(`${call.body}`))
  const expected = faults.length > 0 ? faults : [`header ${KEY}`]
  const { errors }: { errors: { pointer?: string; header?: string }[] } = Object(parseJson(body))
  const named = errors.map(({ pointer, header }) => pointer ?? `header ${header?.toLowerCase()}`)
  const isRight = expected.length === named.length && expected.every((place) => named.includes(place))
  const value = `${named.join(', ')} instead of ${expected.join(', ')}`
  return isRight ? [] : [{ code: 'fields-at-fault', text: 'the errors name other places', value }]
}

/** What only the log of a backend should contain. */
const INTERNALS =
  /Traceback|Exception|(Type|Value)Error|node_modules|SQLSTATE|INSERT INTO|UNIQUE|\/(home|usr|srv|var)\/|\.(js|ts|java|go):|\.(py|php)/

/** The sent values and the internals that an error shows. Its `type` and `instance` may be any paths. */
function leaks({ headers, body }: Call, answer: string): CheckFault[] {
  const { type: _type, instance: _instance, ...members } = Object(parseJson(answer))
  const text = JSON.stringify(members)
  // Shorter texts may be in it by chance.
  const sent = [...`${body}`.matchAll(/: *"([^"]{8,})"/g)].map(([, value]) => value)
  const isRepeated = [RUN_ID, headers[KEY], ...sent].some((part) => part && text.includes(part))
  const [internal] = INTERNALS.exec(text) ?? []
  return [
    ...(isRepeated ? [{ code: 'sent-values', text: 'an error repeats a value that was sent' } as const] : []),
    ...(internal ? [{ code: 'internals', text: 'an error shows internals', value: internal } as const] : []),
  ]
}

/** The line of an answer that sets the cookie XSRF-TOKEN, or ''. */
const cookieIn = ({ headers }: Answer): string =>
  [headers['set-cookie'] ?? []].flat().find((line) => line.startsWith('XSRF-TOKEN=')) ?? ''
/** The value that an answer gives to the cookie XSRF-TOKEN, or ''. */
export const tokenIn = (answer: Answer): string => /=([^;]*)/.exec(cookieIn(answer))?.[1] ?? ''

/** How the cookie breaks the contract: the page can't read it, another site gets it, or it can be guessed. */
function cookieFaults(answer: Answer): CheckFault[] {
  const line = cookieIn(answer)
  const isRight =
    /; *path=\/ *(;|$)/i.test(line) &&
    !/; *(httponly|domain=|samesite=none)/i.test(line) &&
    tokenIn(answer).length >= 16
  return line === '' || isRight ? [] : [{ code: 'the-cookie', text: 'a wrong cookie', value: line }]
}
