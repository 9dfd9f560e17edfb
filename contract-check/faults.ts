import { type Answer, type Difference, type Operation, parseJson, toJson } from '../contract/operations.ts'
import type { Call } from './client.ts'
import { escaped } from './requests.ts'

const KEY = 'header idempotency-key'
/** So many faults may be named without the others. */
const ENOUGH = 20

/** Whether the 422 of a call names what is at fault there, and that alone. Where it is nothing, its key is in use. */
export function namingDifferences(sent: Call, { status, body }: Answer, operation: Operation): Difference[] {
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
export function namedErrors({ errors }: Readonly<Record<string, unknown>>): string[] {
  return [errors ?? []].flat().flatMap((error) => {
    const { pointer, header } = Object(error)
    if (typeof pointer === 'string') return [pointer]
    return typeof header === 'string' ? [`header ${header.toLowerCase()}`] : []
  })
}
