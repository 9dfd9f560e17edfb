import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import type { Answer } from '../contract/faults.ts'
import type { Operation } from '../contract/operations.ts'
import type { Settings } from './settings.ts'

/** What a call has of its own. Without options it is a POST of the contract's example with a new address. */
export type CallOptions = {
  /** Values by the JSON Pointers of their fields; undefined removes the field. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Makes the sent body of the fields; JSON.stringify unless it is given. */
  readonly write?: (fields: object) => string | Buffer
  /** A header that is null is not sent. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Only POST, PUT and PATCH have a body. */
  readonly method?: string
  readonly path?: string
}
export type Call = ReturnType<typeof callOf>

/** Part of every address that is sent, so that the operator can distinguish these addresses from real leads. */
export const RUN_ID = randomBytes(4).toString('hex')
let count = 0
export const newAddress = (end = '@example.com') => `contract+${RUN_ID}.${++count}${end}`
/** The header that makes an enquiry stored once, however often it is sent. */
export const KEY_HEADER = 'idempotency-key'
/** With letters, so that it differs from the same key in capitals. */
export const newKey = () => `abcdef${randomUUID().slice(6)}`

export function callOf(settings: Settings, { example, path: ownPath }: Operation, options: CallOptions) {
  const { fields, write = JSON.stringify, headers, method = 'POST', path = ownPath } = options
  const hasBody = method.startsWith('P')
  const type = hasBody && { 'content-type': 'application/json' }
  const sent = Object.entries<string | null>({ ...type, ...settings.headers, ...headers })
  const values = Object.entries({ '/email': newAddress(), ...fields })
  const body = values.reduce((body, [pointer, value]) => withField(body, pointer.slice(1).split('/'), value), example)
  return {
    method,
    url: settings.url + path,
    headers: Object.fromEntries(sent.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    body: Buffer.from(hasBody ? write(body) : ''),
    /** The texts in the fields. */
    texts: textsIn(body),
  }
}

const withField = (body: object, [name = '', ...rest]: readonly string[], value: unknown): object => ({
  ...body,
  [name]: rest.length > 0 ? withField(Object(body)[name], rest, value) : value,
})

/** Writes a body of so many bytes, if the fields have ASCII alone. */
export const padded = (size: number) => (fields: object) => JSON.stringify(fields).padEnd(size)
/** Writes escapes for all but ASCII, and for slashes. */
export const inAscii = (fields: object): string =>
  JSON.stringify(fields)
    .split('')
    .map((unit) => (unit > '~' || unit === '/' ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : unit))
    .join('')

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn)

/** Sends a call. Rejects if no whole answer comes in the time for which the page waits. */
export async function send({ method, url, headers, body }: Call): Promise<Answer> {
  const signal = AbortSignal.timeout(10_000)
  const { request } = url.startsWith('https:') ? https : http
  const outgoing = request(url, { method, headers, signal })
  outgoing.on('error', () => {}) // A backend may answer and close before the whole body has arrived.
  // A chunk may end within a character.
  const size = 'transfer-encoding' in headers ? Math.ceil(body.length / 100) : body.length
  let start = 0
  for (; start + size < body.length; start += size) outgoing.write(body.subarray(start, start + size))
  outgoing.end(body.subarray(start))
  try {
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage] // Node's only argument of this event.
    return { status: Number(incoming.statusCode), headers: incoming.headers, body: await text(incoming) }
  } finally {
    // An answer that the signal has cut off looks complete, or like a broken connection.
    signal.throwIfAborted()
  }
}
