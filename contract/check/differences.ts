import { type Answer, type Difference, type Operation, parseJson, toJson } from '../operations.ts'
import type { Call, Exchange } from './client.ts'
import { escaped, RUN_ID } from './requests.ts'

const NAMING = 'Each field at fault, once; if there are more than 20, any 20 of them.'
const ANSWER =
  '**Every error is a problem document** (RFC 9457, `application/problem+json`) whose `status` equals the status of the answer.'
const SILENCE =
  "It never repeats a value that the visitor sent, and never reveals the server's internals; the name of an unknown field may be repeated, cut to a bounded length."

/** How an answer differs from what the contract says of this call. */
export function differencesIn(exchange: Exchange, expected: readonly number[], operation: Operation): Difference[] {
  const { sent, answer } = exchange
  const { status, headers, body } = answer
  if (status === 0)
    return [{ expected: 'an answer; the log of the backend may say why there is none', actual: body, rule: ANSWER }]
  const documented = operation.responses.get(status)?.differences(answer, sent.method) ?? []
  const silence = status >= 400 ? silenceDifferences(exchange) : []
  if (!expected.includes(status)) {
    const undocumented = operation.responses.has(status) ? '' : ', which is not documented'
    const actual = `${status} ${headers['content-type'] ?? ''}${undocumented}`
    return [{ expected: expected.join(' or '), actual }, ...(status === 503 ? documented : []), ...silence]
  }
  const differences = [...documented, ...namingDifferences(exchange, operation), ...silence]
  const isAccepted = status !== 200 || differences.length > 0 || Object(parseJson(body)).success === true
  return isAccepted ? differences : [{ expected: '/success true', actual: '/success false' }]
}

/** The shortest text that an error must not repeat; shorter ones may be in it by chance. */
const MIN_TEXT = 8
/** The name of an unknown field may be repeated, but not whole if it is longer than this. */
const MAX_NAME = 10_000

/** Patterns of what languages and databases reveal of a server's internals. */
const INTERNALS: Readonly<Record<string, RegExp>> = {
  'a stack trace': /\bat [\w$.<>]+ ?\([^)]*:\d+|Traceback \(most|"(?:stack|stack_?trace|trace)":/,
  'an exception': /\b[\w.]*[a-z](?:Exception|Error)\b[:(]|"exception":/,
  'a file with its line':
    /File \\?"[^"]+", line \d|\bin \S+ on line \d|[\w-]\.(?:php|py|rb|[cm]?[jt]s|java|kt|go|cs|rs|ex):\d+/,
  'a path of the machine':
    /(?:^|[\s"'(:])\/(?:app|etc|home|opt|root|srv|tmp|usr|var|www)\/\w|[A-Z]:\\\\\w|file:\/\/|"file":/,
  'a statement of SQL': /SQLSTATE|\b(?:SELECT .+ FROM|INSERT INTO|UPDATE \w+ SET) /,
}

/** What the body of an error shows, though it must not. */
function silenceDifferences({ sent, answer: { body } }: Exchange): Difference[] {
  // `instance` is left out, because it may be the path of the call.
  const shown = body.replace(/"instance"\s*:\s*"[^"]*"/, '')
  const internals = Object.entries(INTERNALS).flatMap(([what, pattern]) => {
    const found = pattern.exec(shown)?.[0]
    return found ? [{ expected: "nothing of the server's internals", actual: `${what}: ${found}`, rule: SILENCE }] : []
  })
  const repeated = textsOf(sent).find((text) => text.length >= MIN_TEXT && shown.includes(text))
  if (repeated === undefined) return internals
  return [{ expected: 'no value that was sent', actual: `it repeats '${repeated}'`, rule: SILENCE }, ...internals]
}

/** The texts of a call that an error must not repeat. It may have a domain like that of a sent address. */
function textsOf({ headers, body }: Call): string[] {
  const { 'idempotency-key': key, 'x-xsrf-token': token } = headers
  const texts = [key ?? [], token ?? []].flat()
  parseJson(body.toString(), (name, value) => {
    if (typeof value === 'string') texts.push(value, value.replace(/@.*/s, ''))
    if (name.length > MAX_NAME) texts.push(name, escaped(name))
    return value
  })
  return [...texts, RUN_ID]
}

const KEY = 'header idempotency-key'
/** Of more faults than this, naming so many is enough. */
const ENOUGH = 20

/** How a 422 fails to name each fault of the call, and nothing else. If the call has none, its key is in use. */
function namingDifferences({ sent, answer }: Exchange, operation: Operation): Difference[] {
  const value = parseJson(sent.body.toString())
  if (answer.status !== 422 || value === undefined) return []
  const faults = faultsOf(sent, value, operation)
  const expected = faults.length > 0 ? faults : [{ name: KEY, isUnknown: false }]
  const named = namedErrors(answer)
  const isNamed = ({ name, isUnknown }: Fault, by: string) => by === name || (isUnknown && isCut(by, name))
  const missing = expected.filter((fault) => !named.some((name) => isNamed(fault, name))).map(({ name }) => name)
  // Names of unknown fields may be alike once they are cut.
  const isTwice = (name: string, i: number) => named.indexOf(name) < i && expected.some((fault) => fault.name === name)
  const extra = named.filter((name, i) => isTwice(name, i) || !expected.some((fault) => isNamed(fault, name)))
  const isLong = expected.length > ENOUGH
  const isEnough = isLong ? named.length === ENOUGH : missing.length === 0
  if (isEnough && extra.length === 0) return []
  const list = (names: readonly string[]) => names.map((name) => name || "'' (the body)").join(', ')
  const wrong = [
    list(named) || `none: ${toJson(Object(parseJson(answer.body)).errors)}`,
    ...(missing.length > 0 && named.length > 0 && !isLong ? [`missing: ${list(missing)}`] : []),
    ...(extra.length > 0 ? [`not at fault, or twice: ${list(extra)}`] : []),
  ]
  const names = list(expected.map(({ name }) => name))
  const wanted = isLong ? `${ENOUGH} of ${names}` : names
  return [{ expected: `/errors names ${wanted}`, actual: wrong.join('; '), rule: NAMING }]
}

/** Whether a name is the start of an unknown field's pointer, with some of the field's name. */
function isCut(name: string, pointer: string): boolean {
  const start = name.replace(/(\.{3}|…)$/, '')
  return !/~(?![01])/.test(start) && pointer.startsWith(start) && start.length > pointer.lastIndexOf('/') + 1
}

/**
 * What `errors` has to name: a field as a JSON Pointer, a header as `header name`. An unknown field's name may be cut.
 */
type Fault = { readonly name: string; readonly isUnknown: boolean }

function faultsOf({ headers }: Call, value: unknown, { isRequest, areHeaders }: Operation): Fault[] {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== null))
  const ofBody = isRequest(value) ? [] : (isRequest.errors ?? [])
  const ofHeaders = areHeaders(sent) ? [] : (areHeaders.errors ?? [])
  const faults = ofBody.map(({ instancePath, keyword, params }) => {
    const name = params.missingProperty ?? params.additionalProperty
    const last = name === undefined ? '' : `/${escaped(String(name))}`
    return { name: instancePath + last, isUnknown: keyword === 'additionalProperties' }
  })
  faults.push(...ofHeaders.map(({ instancePath }) => ({ name: `header ${instancePath.slice(1)}`, isUnknown: false })))
  // A field may break several rules.
  return [...new Map(faults.map((fault) => [fault.name, fault])).values()]
}

function namedErrors({ body }: Answer): string[] {
  const { errors } = Object(parseJson(body))
  return [errors ?? []].flat().flatMap((error) => {
    const { pointer, header } = Object(error)
    if (typeof pointer === 'string') return [pointer]
    return typeof header === 'string' ? [`header ${header.toLowerCase()}`] : []
  })
}
