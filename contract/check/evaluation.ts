import { type Difference, type Operation, parseJson, toJson } from '../operations.ts'
import type { Call, Exchange } from './client.ts'
import { escaped, RUN_ID } from './requests.ts'

/** How an answer differs from what the contract says of this call. */
export function differencesIn(exchange: Exchange, expected: readonly number[], operation: Operation): Difference[] {
  const { sent, answer } = exchange
  const { status, headers, body } = answer
  // It may be the path of the call.
  const shown = body.replace(/"instance"\s*:\s*"[^"]*"/, '')
  if (status === 0) return [{ expected: 'an answer', actual: body }]
  const undocumented = operation.responses.has(status) ? '' : ', which is not documented'
  const documented = operation.responses.get(status)?.differences(answer, sent.method) ?? []
  const wrong = { expected: expected.join(' or '), actual: `${status} ${headers['content-type'] ?? ''}${undocumented}` }
  const differences = expected.includes(status)
    ? [...documented, ...namingDifferences(exchange, operation)]
    : [wrong, ...(status === 503 ? documented : [])]
  const isAccepted = status !== 200 || differences.length > 0 || Object(parseJson(body)).success === true
  if (!isAccepted) differences.push({ expected: '/success true', actual: '/success false' })
  if (status >= 400 && isRepeated(sent, shown))
    differences.push({ expected: 'an error repeats no value that was sent', actual: body })
  const internals = status >= 400 && INTERNALS.exec(shown)?.[0]
  if (internals) differences.push({ expected: "an error reveals nothing of the server's internals", actual: internals })
  return differences
}

/** Stack traces, files with lines, paths of a machine, names of exceptions, and SQL, as languages write them. */
const INTERNALS =
  /\bat [\w$.<>]+ ?\([^)]*:\d+|Traceback \(most|\b[\w.]*[a-z](?:Exception|Error)\b[:(]|"(?:stack|stack_?trace|trace|exception|file)":|File \\?"[^"]+", line \d|\bin \S+ on line \d|[\w-]\.(?:php|py|rb|[cm]?[jt]s|java|kt|go|cs|rs|ex):\d+|(?:^|[\s"'(:])\/(?:app|etc|home|opt|root|srv|tmp|usr|var|www)\/\w|[A-Z]:\\\\\w|SQLSTATE|file:\/\/|\b(?:SELECT .+ FROM|INSERT INTO|UPDATE \w+ SET) /

/** Shorter texts may be in an answer by chance. */
const MIN_TEXT = 8
/** The name of an unknown field may be repeated, but not one as long as this. */
const MAX_NAME = 10_000

/** Whether a text contains something that was sent. */
function isRepeated(sent: Call, shown: string): boolean {
  const { 'idempotency-key': key, 'x-xsrf-token': token } = sent.headers
  const texts = [RUN_ID, ...[key ?? [], token ?? []].flat()]
  parseJson(sent.body.toString(), (name, value) => {
    if (typeof value === 'string') texts.push(value, ...value.split('@'))
    if (name.length > MAX_NAME) texts.push(name, escaped(name))
    return value
  })
  return texts.some((text) => text.length >= MIN_TEXT && text !== 'example.com' && shown.includes(text))
}

const KEY = 'header idempotency-key'
/** So many faults may be named without the others. */
const ENOUGH = 20

/** Whether a 422 names what is at fault in the call, and that alone. Where it is nothing, its key is in use. */
function namingDifferences({ sent, answer: { status, body } }: Exchange, operation: Operation): Difference[] {
  const value = parseJson(sent.body.toString())
  if (status !== 422 || value === undefined) return []
  const faults = faultsOf(sent, value, operation)
  const wanted = faults.size > 0 ? faults : new Map([[KEY, false]])
  const named = namedErrors(Object(parseJson(body)))
  const matches = (name: string, [fault, isUnknown]: [string, boolean]) =>
    name === fault || (isUnknown && isCut(name, fault))
  const missing = [...wanted].filter((fault) => !named.some((name) => matches(name, fault)))
  const isTwice = (name: string, i: number) => wanted.has(name) && named.indexOf(name) !== i
  const odd = named.filter((name, i) => isTwice(name, i) || ![...wanted].some((fault) => matches(name, fault)))
  const isEnough = missing.length === 0 || (wanted.size > ENOUGH && named.length >= ENOUGH)
  if (named.length > ENOUGH && wanted.size > ENOUGH)
    return [{ expected: `/errors name at most ${ENOUGH}`, actual: `${named.length}` }]
  if (isEnough && odd.length === 0) return []
  const list = (names: Iterable<string>) => [...names].map((name) => name || "'' (the body)").join(', ')
  const actual = list(named) || `none: ${toJson(Object(parseJson(body)).errors)}`
  return [{ expected: `/errors name ${list(wanted.keys())}, once each, and nothing else`, actual }]
}

/** Whether this is the start of an unknown field's pointer, with some of its name. */
function isCut(name: string, pointer: string): boolean {
  const start = name.replace(/(\.{3}|…)$/, '')
  return !/~(?![01])/.test(start) && pointer.startsWith(start) && start.length > pointer.lastIndexOf('/') + 1
}

/** By their names in `errors`; whether each is an unknown field, whose name may be cut. */
function faultsOf({ headers }: Call, value: unknown, { isRequest, areHeaders }: Operation): Map<string, boolean> {
  const faults = new Map<string, boolean>()
  if (!isRequest(value)) {
    for (const { instancePath, keyword, params } of isRequest.errors ?? []) {
      const name = params.missingProperty ?? params.additionalProperty
      const last = name === undefined ? '' : `/${escaped(String(name))}`
      faults.set(instancePath + last, keyword === 'additionalProperties')
    }
  }
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== null))
  if (!areHeaders(sent))
    for (const { instancePath } of areHeaders.errors ?? []) faults.set(`header ${instancePath.slice(1)}`, false)
  return faults
}

/** What a problem names in `errors`: fields as JSON Pointers, headers as `header name`. */
function namedErrors({ errors }: Readonly<Record<string, unknown>>): string[] {
  return [errors ?? []].flat().flatMap((error) => {
    const { pointer, header } = Object(error)
    if (typeof pointer === 'string') return [pointer]
    return typeof header === 'string' ? [`header ${header.toLowerCase()}`] : []
  })
}
