import { inspect } from 'node:util'
import { type Answer, answerFaults, parseJson, requestFaults } from '../contract/faults.ts'
import type { Operation } from '../contract/operations.ts'
import { adviceOn } from './advice.ts'
import { type Call, type CallOptions, callOf, KEY_HEADER, RUN_ID, send } from './call.ts'
import { curlOf } from './curl.ts'
import { type Settings, stop } from './settings.ts'

export const NEW = '200 with email_exists false'
export const KNOWN = '200 with email_exists true'
/** What an answer says. With 200 `success` has to be true. */
export type Outcome = number | typeof NEW | typeof KNOWN

/** Sends a call of an operation and judges the answer. Without outcomes the schemas decide: 200 or 422. */
export type Expect = (options: CallOptions, ...outcomes: Outcome[]) => Promise<Answer & { readonly call: Call }>
/** Sends the calls that show a rule. Skips it, with a reason, if they can't show it. */
type Run = (expect: Expect, skip: (reason: string) => void) => Promise<void>
/** All other rules need a basis: if the basis fails, the check ends. */
type Name = { readonly id: string; readonly title: string; readonly isBasis?: boolean }
export type Rule = Name & { readonly run: Run }
export const rule = (name: Name, run: Run): Rule => ({ ...name, run })

/** A fault of the backend. Node shows only its message: a stack would lead into this check. */
export class Fault extends Error {
  [inspect.custom]() {
    return this.message
  }
}

/** A fault with its calls, as commands that repeat them, with a body that is in a file, and with the answer. */
export function faultOf(fault: string, calls: readonly Call[], answer?: Answer): Fault {
  const commands = calls.map(curlOf).join(' &\n') + (calls.length > 1 ? ' & wait' : '')
  const bodies = commands.includes('--data-binary') ? calls.map(({ body }) => `Body: ${shorten(`${body}`)}`) : []
  return new Fault([fault.trim(), commands, ...bodies, ...(answer ? [shorten(answer)] : [])].join('\n'))
}
const shorten = (value: unknown) => inspect(value, { maxStringLength: 300 })

/** Sends calls of an operation. Throws unless an answer has one of the outcomes and keeps the rules for all answers. */
export const expectOf =
  (settings: Settings, operation: Operation): Expect =>
  async (options, ...outcomes) => {
    const call = callOf(settings, operation, options)
    const wrongPlaces = requestFaults(operation, call.headers, parseJson(`${call.body}`))
    const expected = outcomes.length > 0 ? outcomes : [wrongPlaces.length > 0 ? 422 : 200]
    const text = `Expected ${expected.join(' or ')}, got`
    const answer = await send(call).catch((error) => {
      const code = typeof error.code === 'string' ? error.code : error.name
      throw faultOf(`${text} no whole answer: ${code}. ${adviceOn(code)}`, [call])
    })
    if (answer.status === 429) stop(`${call.url} answered 429: switch rate limits off while the check runs.`)
    const got = answer.status === 200 ? `200 with ${answer.body.slice(0, 100)}` : answer.status
    const advice = adviceOn(`${answer.status} ${answer.headers['content-type']} ${answer.body}`)
    if (!expected.some((outcome) => hasOutcome(answer, outcome)))
      throw faultOf(`${text} ${got}. ${advice}`, [call], answer)
    for (const fault of faultsOf(operation, call, answer, wrongPlaces)) throw faultOf(fault, [call], answer)
    return { ...answer, call }
  }

export function hasOutcome({ status, body }: Answer, outcome: Outcome): boolean {
  const { success, email_exists }: { success?: unknown; email_exists?: unknown } = Object(parseJson(body))
  if (status !== 200) return status === outcome
  return success !== false && (outcome === 200 || outcome === (email_exists === true ? KNOWN : NEW))
}

/** What only the log of a backend should contain. */
const INTERNALS =
  /Traceback|Exception|(Type|Value)Error|node_modules|SQLSTATE|INSERT INTO|UNIQUE|\/(home|usr|srv|var)\/|\.(js|ts|java|go):|\.(py|php)/

/** The most places that an answer names. */
const MAX_ERRORS = 20
/** Whether an answer names a place. A place with a name that is too long for an answer may be cut. */
const names = (text: string, place: string) =>
  text === place || (place.length > 300 && place.startsWith(text) && text.length > place.lastIndexOf('/') + 1)

/** How an answer breaks the rules that hold for every answer with its status, and how to fix it. */
function* faultsOf(operation: Operation, { method, headers, texts }: Call, answer: Answer, wrongPlaces: string[]) {
  const response = operation.responses[answer.status]
  if (response) yield* answerFaults(response, answer, method)
  const cookie = cookieIn(answer)
  const isReadable = /; *path=\/ *(;|$)/i.test(cookie) && !/; *(httponly|domain=|samesite=none)/i.test(cookie)
  if (cookie && (!isReadable || tokenIn(answer).length < 16))
    yield 'The cookie needs Path=/ and 16 random characters or more, and no HttpOnly, Domain or SameSite=None.'
  if (answer.status < 400) return

  const { type: _type, instance: _instance, ...problem } = Object(parseJson(answer.body))
  if (answer.status === 422) {
    const errors: { pointer?: string; header?: string }[] = problem.errors
    const named = errors.map(({ pointer, header }) => pointer ?? `header ${header?.toLowerCase()}`)
    // A call without a fault for the schemas is refused because its key is in use, or for a rule that is no schema.
    const otherPlaces = headers[KEY_HEADER] ? [`header ${KEY_HEADER}`] : named
    const places = wrongPlaces.length > 0 ? wrongPlaces : otherPlaces
    const count = Math.min(places.length, MAX_ERRORS)
    const areRight = named.every((text) => places.some((place) => names(text, place)))
    const list = `${count < places.length ? `${count} of ` : ''}'${places.join("', '").slice(0, 300)}'`
    if (named.length !== count || new Set(named).size !== count || !areRight)
      yield `The errors have to name ${list}, each once; and of a missing object the object alone.`
  }
  const shown = JSON.stringify(problem)
  // Shorter texts may be in it by chance.
  if ([RUN_ID, headers[KEY_HEADER] ?? '', ...texts].some((text) => text.length >= 8 && shown.includes(text)))
    yield 'The error repeats a value that was sent. Say in `detail` what a field has to be, not which value it had.'
  if (INTERNALS.test(shown)) yield 'The error shows internals. Write them into your log, and answer a fixed text.'
}

/** The line of an answer that sets the cookie XSRF-TOKEN, or ''. */
const cookieIn = ({ headers }: Answer) => headers['set-cookie']?.find((line) => line.startsWith('XSRF-TOKEN=')) ?? ''
/** The value that an answer gives to the cookie XSRF-TOKEN, or ''. */
export const tokenIn = (answer: Answer): string => /=([^;]*)/.exec(cookieIn(answer))?.[1] ?? ''
