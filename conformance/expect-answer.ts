import { type Answer, answerFaults, faultyPlaces, parseJson } from '../contract/faults.ts'
import type { Operation } from '../contract/operations.ts'
import { adviceFor } from './advice.ts'
import { buildCall, type Call, callBefore, KEY_HEADER, RUN_ID, send } from './call.ts'
import { createFault } from './fault.ts'
import { ANSWERED_KNOWN, ANSWERED_NEW, type Expect, type Expected } from './rule.ts'
import { endWithoutResult, type Target } from './target.ts'

/** Errors and answers that the call before on the connection may cause. A parser that meets its rest sends no problem. */
const MAY_COME_FROM_CALL_BEFORE = /^(ECONNRESET|EPIPE|HPE|(4\d\d|501) (?!application\/problem))/

const CALL_BEFORE_IS_AT_FAULT =
  'On a new connection the answer to this call is right. So the answer to the call before, on the same connection, is at fault: read each body to its end, send no body to HEAD, and close a connection only with `Connection: close`.'

/** Creates for each operation the function with which a rule sends a call and judges the answer. */
export function createExpect(target: Target): (operation: Operation) => Expect {
  /** Is ' first' until a call of any operation has got the right answer. */
  let first = ' first'

  return (operation) =>
    async (options, ...expected) => {
      const call = buildCall(target, operation, options)
      const places = faultyPlaces(operation, call.headers, parseJson(`${call.body}`))
      const allowed = expected.length > 0 ? expected : [places.length > 0 ? 422 : 200]
      const text = `Expected ${allowed.join(' or ')}, got`
      let got = ''
      /** Sends the call, throws the first fault, and sets `got` to the code of an error or to 'STATUS TYPE BODY'. */
      async function attempt(agent?: false): Promise<Answer> {
        const answer = await send(call, agent).catch((error) => {
          got = typeof error.code === 'string' ? error.code : error.name
          throw createFault(`${text} no complete answer: ${got}. ${adviceFor(got + first)}`, [call])
        })
        if (answer.status === 429)
          endWithoutResult(`${call.url} answered 429: switch rate limits off in the backend, and run the check again.`)
        got = `${answer.status} ${answer.headers['content-type']} ${answer.body}`
        const shown = answer.status === 200 ? `200 with ${answer.body.slice(0, 100)}` : answer.status
        if (!allowed.some((each) => isExpected(answer, each)))
          throw createFault(`${text} ${shown}. ${adviceFor(got + first)}`, [call], answer, options.after)
        for (const fault of faultsOf(operation, call, answer, places)) throw createFault(fault, [call], answer)
        first = ''
        return answer
      }
      try {
        return { ...(await attempt()), call }
      } catch (fault) {
        const before = callBefore.get(call)
        if (!before || !MAY_COME_FROM_CALL_BEFORE.test(got)) throw fault
        const description = `${text} ${got.replace(/[^!-~]+/g, ' ').slice(0, 300)}.\n${CALL_BEFORE_IS_AT_FAULT}`
        await attempt(false)
        throw createFault(description, [call], undefined, before)
      }
    }
}

export function isExpected({ status, body }: Answer, expected: Expected): boolean {
  const { success, email_exists }: { success?: unknown; email_exists?: unknown } = Object(parseJson(body))
  if (status !== 200) return status === expected
  return success !== false && (expected === 200 || expected === (email_exists === true ? ANSWERED_KNOWN : ANSWERED_NEW))
}

/** Signs of the internals of a backend. They belong in its log, and not in its answers. */
const INTERNALS =
  /Traceback|Exception|(Type|Value)Error|node_modules|SQLSTATE|INSERT INTO|UNIQUE|\/(home|usr|srv|var)\/|\.(js|ts|java|go):|\.(py|php)/

/** A 422 answer names at most this many places. A place is a wrong field or a wrong header. */
const MAX_ERRORS = 20

/**
 * Whether `text` is the name of a place. A backend may cut the name of an unknown field, which is the last part. This check
 * accepts that only if the whole name has more than 300 characters.
 */
const isNameOf = (text: string, place: string) =>
  text === place || (place.length > 300 && place.startsWith(text) && text.length > place.lastIndexOf('/') + 1)

/** Finds how an answer breaks the rules for all answers. Each fault is a sentence that says what to do. */
function* faultsOf(operation: Operation, { method, headers, texts }: Call, answer: Answer, faulty: string[]) {
  const response = operation.responses[answer.status]
  if (response) yield* answerFaults(response, answer, method)
  const cookie = cookieIn(answer)
  const isReadable = /; *path=\/ *(;|$)/i.test(cookie) && !/; *(httponly|domain=|samesite=none)/i.test(cookie)
  if (cookie && (!isReadable || tokenIn(answer).length < 16))
    yield 'The cookie XSRF-TOKEN needs Path=/, 16 random characters or more, and no HttpOnly, Domain or SameSite=None.'
  if (answer.status < 400) return

  const { type: _type, instance: _instance, ...problem } = Object(parseJson(answer.body))
  if (answer.status === 422) {
    const errors: { pointer?: string; header?: string }[] = problem.errors
    const named = errors.map(({ pointer, header }) => pointer ?? `header ${header?.toLowerCase()}`)
    // The call fits the schemas, but the backend refused it. If the call has a key, `errors` must name the key, which was
    // used before. Without a key, the backend has a rule of its own, and `errors` may name any place.
    const otherPlaces = headers[KEY_HEADER] ? [`header ${KEY_HEADER}`] : named
    const places = faulty.length > 0 ? faulty : otherPlaces
    const count = Math.min(places.length, MAX_ERRORS)
    const areRight = named.every((text) => places.some((place) => isNameOf(text, place)))
    const list = `${count < places.length ? `${count} of ` : ''}'${places.join("', '").slice(0, 300)}'`
    if (named.length !== count || new Set(named).size !== count || !areRight)
      yield `\`errors\` must name exactly ${list}, each once, but names '${named.join("', '").slice(0, 300)}'. If an object is missing, name the object and not its fields.`
  }
  const shown = JSON.stringify(problem)
  // A text of less than 8 characters may be in the answer by chance.
  if ([RUN_ID, headers[KEY_HEADER] ?? '', ...texts].flat().some((text) => text.length >= 8 && shown.includes(text)))
    yield 'The error repeats a value that was sent. Say in `detail` what a field has to be, not which value it had.'
  if (INTERNALS.test(shown))
    yield 'The error shows internals of the backend. Write them only into the log, and answer with a fixed text.'
}

/** The header line that sets the cookie XSRF-TOKEN, or ''. */
const cookieIn = ({ headers }: Answer) => headers['set-cookie']?.find((line) => line.startsWith('XSRF-TOKEN=')) ?? ''

/** The value that an answer gives to the cookie XSRF-TOKEN, or ''. */
export const tokenIn = (answer: Answer): string => /=([^;]*)/.exec(cookieIn(answer))?.[1] ?? ''
