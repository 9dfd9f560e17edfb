import { randomBytes } from 'node:crypto'
import type { Call } from './client.ts'
import type { Operation } from './contract.ts'

export type Requests = ReturnType<typeof createRequests>

const JSON_TYPE = { 'content-type': 'application/json' }

/** What is sent carries a mark of this run, by which its operator finds it among real leads. */
export function createRequests(mark: string = randomBytes(4).toString('hex')) {
  let count = 0
  const local = () => `contract+${mark}.${++count}`
  const address = () => `${local()}@example.com`

  return {
    mark,
    local,
    address,
    /** An address of this many characters, of which so many stand before the @. */
    addressOf(length: number, before: number): string {
      const domain = [63, 63, 63].map((label) => 'd'.repeat(label)).join('.')
      return `${local().padEnd(before, 'a')}@${domain.slice(domain.length - length + before + 13)}.example.com`
    },
    /** The contract's example, by an address that was never sent. */
    body: ({ example }: Operation): object => ({ ...example, email: address() }),
    key: () => crypto.randomUUID(),
  }
}

/** A copy in which the field has this value; with undefined, it is not there. */
export function put(body: object, pointer: string, value: unknown): object {
  const [name = '', ...rest] = pointer.slice(1).split('/')
  const copy: Record<string, unknown> = { ...body }
  const inner = copy[name]
  copy[name] = rest.length > 0 && typeof inner === 'object' && inner ? put(inner, `/${rest.join('/')}`, value) : value
  return copy
}

/** A text or bytes are sent as they are, all else as JSON. */
export function post({ path }: Operation, body: unknown, headers: Record<string, string> = {}): Call {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body))
  return { method: 'POST', path, headers: { ...JSON_TYPE, ...headers }, body: bytes }
}

/** Every text in a request that an answer must not repeat. */
export function textsIn({ body, headers }: Call): string[] {
  const texts = headers['idempotency-key'] ? [headers['idempotency-key']] : []
  const left: unknown[] = []
  try {
    left.push(JSON.parse(body.toString()))
  } catch {
    // The mark alone tells.
  }
  for (const value of left) {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value) left.push(...Object.values(value))
  }
  return texts.filter((text) => text.length >= 8)
}
