import { randomBytes } from 'node:crypto'
import type { Call } from './client.ts'
import type { Operation } from './contract.ts'

/** In every address that is sent, so that its operator finds them among real leads. */
export const MARK = randomBytes(4).toString('hex')

let count = 0
export const local = () => `contract+${MARK}.${++count}`
export const address = () => `${local()}@example.com`

/** An address of this many characters, of which so many stand before the @. */
export function addressOf(length: number, before: number): string {
  const domain = [63, 63, 63].map((label) => 'd'.repeat(label)).join('.')
  return `${local().padEnd(before, 'a')}@${domain.slice(domain.length - length + before + 13)}.example.com`
}

/** The contract's example, by an address that was never sent. */
export const bodyOf = ({ example }: Operation): object => ({ ...example, email: address() })

/** A copy in which the field has this value; with undefined, it is not there. */
export function put(body: object, pointer: string, value: unknown): object {
  const [name = '', ...rest] = pointer.slice(1).split('/')
  return { ...body, [name]: rest.length > 0 ? put(Object(body)[name], `/${rest.join('/')}`, value) : value }
}

/** A text or bytes are sent as they are, all else as JSON. */
export function request(method: string, path: string, body: unknown, headers: Call['headers'] = {}): Call {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body))
  return { method, path, headers: { 'content-type': 'application/json', ...headers }, body: bytes }
}
