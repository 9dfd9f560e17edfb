import type { Call } from './calls.ts'
import type { Operation } from './operations.ts'
import { type Difference, parseJson, toJson } from './schemas.ts'

const NAMING =
  'Each field at fault, once; if there are more than 20, any 20 of them. A missing field is named as if it were there; of a missing object only the object is named. No field without a fault is named.'

/** How the `errors` of a 422 differ from the faults of the call. If the call has none, its key is in use. */
export function namingDifferences(operation: Operation, call: Call, answer: string): Difference[] {
  const value = parseJson(`${call.body}`)
  if (value === undefined) return []
  const faults = faultsOf(operation, call.headers, value)
  const knownPointers = new Set([...operation.fields.map(({ pointer }) => pointer), ...operation.objects])
  /** Whether a name stands for a fault. The name of an unknown field may be cut, but must remain a JSON Pointer. */
  const isNamed = (fault: string, name: string) => {
    const uncut = name.replace(/(\.{3}|…)$/, '')
    const isCut = !/~(?![01])/.test(uncut) && fault.startsWith(uncut) && uncut.length > fault.lastIndexOf('/') + 1
    return name === fault || (isCut && fault.startsWith('/') && !knownPointers.has(fault))
  }
  const namesInAnswer = [Object(parseJson(answer)).errors ?? []].flat().map(nameOf)
  const missing =
    faults.length > 20 ? [] : faults.filter((fault) => !namesInAnswer.some((name) => isNamed(fault, name)))
  // Names of unknown fields may be alike once they are cut.
  const isTwice = (name: string, place: number) => faults.includes(name) && namesInAnswer.indexOf(name) < place
  const isWrong = (name: string, place: number) => isTwice(name, place) || !faults.some((fault) => isNamed(fault, name))
  const wrong = namesInAnswer.filter(isWrong)
  if (missing.length + wrong.length === 0 && (faults.length <= 20 || namesInAnswer.length === 20)) return []
  const list = (names: readonly string[]) => names.map((name) => name || "'' (the body)").join(', ') || 'none'
  const actual = `${list(namesInAnswer)}; missing: ${list(missing)}; not at fault, or twice: ${list(wrong)}`
  return [{ expected: `/errors to name ${faults.length > 20 ? '20 of ' : ''}${list(faults)}`, actual, rule: NAMING }]
}

/** The names that `errors` has to contain: a field as a JSON Pointer, a header as `header name`. */
function faultsOf({ isRequest, areHeaders }: Operation, headers: Call['headers'], value: unknown): string[] {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== null))
  const ofBody = isRequest(value) ? [] : (isRequest.errors ?? [])
  const ofHeaders = areHeaders(sent) ? [] : (areHeaders.errors ?? [])
  const faults = ofBody.map(({ instancePath, params }) => {
    const name = params.missingProperty ?? params.additionalProperty
    return instancePath + (name === undefined ? '' : `/${escaped(`${name}`)}`)
  })
  faults.push(...ofHeaders.map(({ instancePath }) => `header ${instancePath.slice(1)}`))
  return faults.length > 0 ? [...new Set(faults)] : ['header idempotency-key']
}

function nameOf(error: unknown): string {
  const { pointer, header } = Object(error)
  if (typeof pointer === 'string') return pointer
  return typeof header === 'string' ? `header ${header.toLowerCase()}` : toJson(error)
}

/** A name as part of a JSON Pointer (RFC 6901). */
export const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
