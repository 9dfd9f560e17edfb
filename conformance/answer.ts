import { inspect } from 'node:util'
import { type Answer, answerFaults, parseJson, requestFaults } from '../contract/faults.ts'
import type { Operation } from '../contract/operations.ts'
import { type Call, type CallOptions, callOf, KEY, send } from './call.ts'
import { host, RUN_ID, stop } from './settings.ts'

export const NEW = '200 with email_exists false'
export const KNOWN = '200 with email_exists true'
/** What an answer says. With 200 `success` has to be true. */
export type Outcome = number | typeof NEW | typeof KNOWN

/** Sends a call, as expectAnswer does for an operation. Without outcomes the schemas decide: 200 or 422. */
export type Expect = (options: CallOptions, ...outcomes: Outcome[]) => Promise<Answer>
/** Sends the calls that show a rule. Skips it, with a reason, if they can't show it. */
type Run = (expect: Expect, skip: (reason: string) => void) => Promise<void>
/** All later rules presume a basis: where it fails, the check ends. */
type Name = { readonly id: string; readonly says: string; readonly isBasis?: boolean }
export type Rule = Name & { readonly run: Run }
export const rule = (name: Name, run: Run): Rule => ({ ...name, run })

/** Sends a call, and throws unless the answer has one of these outcomes and keeps the rules for all answers. */
export async function expectAnswer(operation: Operation, options: CallOptions, outcomes: readonly Outcome[]) {
  const call = callOf(operation, options)
  const wrongPlaces = requestFaults(operation, call.headers, parseJson(`${call.body}`))
  const expected = outcomes.length > 0 ? outcomes : [wrongPlaces.length > 0 ? 422 : 200]
  const text = `Expected ${expected.join(' or ')}, got`
  const answer = await send(call).catch((error) => fail(`${text} no whole answer: ${error.code ?? error}.`, call))
  if (answer.status === 429) stop(`${call.path} answered 429: switch rate limits off while the check runs.`)
  const got = answer.status === 200 ? `200 with ${answer.body.slice(0, 100)}` : answer.status
  if (!expected.some((outcome) => says(answer, outcome))) fail(`${text} ${got}.`, call, answer)
  for (const fault of faultsOf(operation, call, answer, wrongPlaces)) fail(fault, call, answer)
  return answer
}

export function says({ status, body }: Answer, outcome: Outcome): boolean {
  const { success, email_exists }: { success?: unknown; email_exists?: unknown } = Object(parseJson(body))
  if (status !== 200) return status === outcome
  return success !== false && (outcome === 200 || outcome === (email_exists === true ? KNOWN : NEW))
}

/** Fails with the call, as a command that repeats it, and the answer. Long texts are cut. */
function fail(fault: string, { method, path, headers, body }: Call, answer?: Answer): never {
  const quoted = (text: string) => `'${text.slice(0, 300).replaceAll("'", "'\\''")}'`
  const lines = Object.entries(headers).map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`)
  const data = body.length > 0 ? ` --data-raw ${quoted(`${body}`)}` : ''
  const call = `curl -i -X ${method} ${quoted(host.href.replace(/\/$/, '') + path)}${lines.join('')}${data}`
  const message = `${fault}\n${call}${answer ? `\n${inspect(answer, { maxStringLength: 300 })}` : ''}`
  // A stack of this check would say nothing about the backend.
  throw Object.assign(new Error(message), { stack: message })
}

/** What only the log of a backend should contain. */
const INTERNALS =
  /Traceback|Exception|(Type|Value)Error|node_modules|SQLSTATE|INSERT INTO|UNIQUE|\/(home|usr|srv|var)\/|\.(js|ts|java|go):|\.(py|php)/

/** How an answer breaks the rules that hold for every answer with its status, and how to mend it. */
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
    const otherPlaces = headers[KEY] ? [`header ${KEY}`] : named
    const places = wrongPlaces.length > 0 ? wrongPlaces : otherPlaces
    if (places.length !== named.length || !places.every((place) => named.includes(place)))
      yield `The errors have to name '${places.join("', '")}', each once; and of a missing object the object alone.`
  }
  const shown = JSON.stringify(problem)
  // Shorter texts may be in it by chance.
  if ([RUN_ID, headers[KEY] ?? '', ...texts].some((text) => text.length >= 8 && shown.includes(text)))
    yield 'The error repeats a value that was sent. Say in `detail` what a field has to be, not which value it had.'
  if (INTERNALS.test(shown)) yield 'The error shows internals. Write them into your log, and answer a fixed text.'
}

/** The line of an answer that sets the cookie XSRF-TOKEN, or ''. */
const cookieIn = ({ headers }: Answer) => headers['set-cookie']?.find((line) => line.startsWith('XSRF-TOKEN=')) ?? ''
/** The value that an answer gives to the cookie XSRF-TOKEN, or ''. */
export const tokenIn = (answer: Answer): string => /=([^;]*)/.exec(cookieIn(answer))?.[1] ?? ''
