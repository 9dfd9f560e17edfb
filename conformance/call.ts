import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Answer } from '../contract/faults.ts'
import type { Operation } from '../contract/operations.ts'
import type { Target } from './target.ts'

/** How a call differs from the usual one, which is a POST of the contract's example with a new address. */
export type CallOptions = {
  /** New values of fields, by JSON Pointer. The value undefined removes the field. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Writes the fields as a body. The default is JSON.stringify. */
  readonly write?: (fields: object) => string | Buffer
  /** A header that is null is not sent. A list is sent as one header for each value. */
  readonly headers?: Readonly<Record<string, string | string[] | null>>
  /** The default is POST. Only POST, PUT and PATCH send a body. */
  readonly method?: string
  readonly path?: string
  /** An earlier call, on which the right answer to this one depends. A fault shows both. */
  readonly after?: Call
}
export type Call = ReturnType<typeof buildCall>

/** A part of every address that this run sends, so that the operator can find and delete the stored rows. */
export const RUN_ID = randomBytes(4).toString('hex')
let count = 0
export const newAddress = (end = '@example.com') => `contract+${RUN_ID}.${++count}${end}`

/** An enquiry with this header is stored only once, however often it is sent. */
export const KEY_HEADER = 'idempotency-key'
/** A random UUID that begins with letters, so that it looks different in capitals. */
export const newKey = () => `abcdef${randomUUID().slice(6)}`

export function buildCall(target: Target, { example, path: ownPath }: Operation, options: CallOptions) {
  const { fields, write = JSON.stringify, headers, method = 'POST', path = ownPath } = options
  const hasBody = method.startsWith('P')
  const type = hasBody && { 'content-type': 'application/json' }
  const sent = Object.entries<string | string[] | null>({ ...type, ...target.headers, ...headers })
  const values = Object.entries({ '/email': newAddress(), ...fields })
  const body = values.reduce((body, [pointer, value]) => withField(body, pointer.slice(1).split('/'), value), example)
  return {
    method,
    url: target.url + path,
    headers: Object.fromEntries(sent.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    body: Buffer.from(hasBody ? write(body) : ''),
    texts: textsIn(body),
  }
}

const withField = (body: object, [name = '', ...rest]: readonly string[], value: unknown): object => ({
  ...body,
  [name]: rest.length > 0 ? withField(Object(body)[name], rest, value) : value,
})

/** Writes a body of this many bytes, if the fields contain only ASCII. */
export const paddedTo = (size: number) => (fields: object) => JSON.stringify(fields).padEnd(size)
/** Writes a body in which slashes and all characters outside ASCII are escaped. */
export const escaped = (fields: object): string =>
  JSON.stringify(fields)
    .split('')
    .map((unit) => (unit > '~' || unit === '/' ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : unit))
    .join('')

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn)

/** For a connection: the last call on it. For a call: the call before it on the same connection, if there was one. */
export const callBefore = new WeakMap<Socket | Call, Call | undefined>()

/** Sends a call, with `agent` false on a new connection. Rejects after 10 seconds, when the page gives up too. */
export async function send(call: Call, agent?: false): Promise<Answer> {
  const { method, url, headers, body } = call
  const signal = AbortSignal.timeout(10_000)
  const { request } = url.startsWith('https:') ? https : http
  const outgoing = request(url, { method, headers, signal, agent })
  // A backend may answer, and close the connection, before the whole body has arrived. This is no error.
  outgoing.on('error', () => {})
  outgoing.on('socket', (socket) => callBefore.set(call, callBefore.get(socket)).set(socket, call))
  // A chunked call has about 100 parts. A part may end inside a character, so a backend has to join them first.
  const size = 'transfer-encoding' in headers ? Math.ceil(body.length / 100) : body.length
  let start = 0
  for (; start + size < body.length; start += size) outgoing.write(body.subarray(start, start + size))
  outgoing.end(body.subarray(start))
  try {
    // The cast is needed because `once` does not know the argument of this event.
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    return { status: Number(incoming.statusCode), headers: incoming.headers, body: await text(incoming) }
  } finally {
    // Without this line, an answer that was cut off after 10 seconds would look complete, or like a broken connection.
    signal.throwIfAborted()
  }
}
