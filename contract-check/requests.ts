import { randomBytes } from 'node:crypto'
import type { Operation } from '../contract/operations.ts'
import type { Call } from './client.ts'

/** Part of every address that is sent, so that the operator can tell them from real leads. */
export const RUN_ID = randomBytes(4).toString('hex')

let count = 0
export const newLocalPart = () => `contract+${RUN_ID}.${++count}`
export const newAddress = () => `${newLocalPart()}@example.com`

/** An address of `length` characters, of which `before` stand before the @. */
export function addressOf(length: number, before: number): string {
  const domain = [63, 63, 63].map((label) => 'd'.repeat(label)).join('.')
  return `${newLocalPart().padEnd(before, 'a')}@${domain.slice(domain.length - length + before + 13)}.example.com`
}

/** The contract's example, with a new address. */
export const bodyOf = ({ requestExamples }: Operation): object => ({
  ...Object(requestExamples[0]?.value),
  email: newAddress(),
})

/** A name as part of a JSON Pointer (RFC 6901). */
export const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** A copy in which the field has this value; undefined removes it. */
export function setAt(body: object, pointer: string, value: unknown): object {
  const [part = '', ...rest] = pointer.slice(1).split('/')
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return { ...body, [name]: rest.length > 0 ? setAt(Object(body)[name], `/${rest.join('/')}`, value) : value }
}

/** The text of the field. */
export const getAt = (body: object, pointer: string): string =>
  String(
    pointer
      .slice(1)
      .split('/')
      .reduce<unknown>((value, name) => Object(value)[name], body),
  )

/** Text and bytes are sent as they are, anything else as JSON. */
export function request(method: string, path: string, body: unknown, headers: Call['headers'] = {}): Call {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body))
  return { method, path, headers: { 'content-type': 'application/json', ...headers }, body: bytes }
}

const withHeaders =
  (headers: Call['headers']) =>
  (call: Call): Call => ({ ...call, headers: { ...call.headers, ...headers } })
const withBody =
  (spoil: (json: string) => string) =>
  (call: Call): Call => ({ ...call, body: Buffer.from(spoil(call.body.toString())) })

export const REFUSED = [400, 403, 413, 415, 422]

/** Each makes a call one that is refused, for a reason of its own; 403 is up to the backend. */
export const SPOILERS = [
  withHeaders({ 'content-type': 'text/plain' }),
  withHeaders({ 'content-encoding': 'gzip' }),
  withHeaders({ cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two' }),
  withHeaders({ 'sec-fetch-site': 'cross-site' }),
  withBody((json) => `${json}x`),
  withBody((json) => json.padEnd(65_537)),
  withBody((json) => json.replace(/}$/, ',"more":1}')),
  withBody((json) => json.replace('@', ' at ')),
]
