import { once } from 'node:events'
import http, { type Agent, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Answer } from '../faults.ts'
import type { Operation } from '../operations.ts'
import { HEADERS, HOST, RUN_ID } from './settings.ts'

/** A header that is null is not sent. */
export type Headers = Readonly<Record<string, string | null>>
export type Call = {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Buffer
  /** Whether it is the contract's example, without any change. */
  readonly isExample: boolean
}

/** The page waits no longer for a whole answer. */
const TIMEOUT_MS = 10_000
/** The largest answer that is read; an answer of the contract has a few hundred bytes. */
const MAX_ANSWER = 2 ** 20

export const TOO_LATE = `no whole answer in ${TIMEOUT_MS / 1000} s`

/** Sends a call, over a connection of its own unless there is an agent. Rejects if no whole answer comes. */
export async function send(call: Call, agent?: Agent): Promise<Answer> {
  const { method, path, headers, body } = call
  const { request } = HOST.protocol === 'https:' ? https : http
  const isChunked = 'transfer-encoding' in headers
  const length = isChunked || body.length === 0 ? null : `${body.length}`
  const sent = Object.entries({ 'content-length': length, ...HEADERS, ...headers })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const outgoing = request(HOST, {
    method,
    path: HOST.pathname.replace(/\/$/, '') + path,
    headers: Object.fromEntries(sent.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    agent: agent ?? false,
    signal,
  })
  outgoing.on('error', () => {}) // A backend may answer and close before the whole body has arrived: the answer counts.
  let incoming: IncomingMessage | undefined
  try {
    const answered = once(outgoing, 'response', { signal })
    const size = isChunked ? Math.ceil(body.length / 100) : body.length // Such chunks end within a character.
    for (let start = 0; start < body.length; start += size) outgoing.write(body.subarray(start, start + size))
    outgoing.end()
    ;[incoming] = (await answered) as [IncomingMessage] // Node's only argument of this event.
    let text = ''
    for await (const chunk of incoming.setEncoding('utf8')) {
      text += chunk
      if (text.length > MAX_ANSWER) throw new Error('an answer of more than 1 MiB')
    }
    // Without a Content-Length, an answer that was cut off by the signal looks complete.
    signal.throwIfAborted()
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }
  } catch (error) {
    outgoing.destroy()
    const { code, message } = Object(error)
    // The backend has closed a connection that was idle for too long, while the call was on its way.
    if (outgoing.reusedSocket && code === 'ECONNRESET') return send(call, agent)
    if (signal.aborted) throw new Error(TOO_LATE)
    throw new Error(incoming && code ? 'the connection was closed during the answer' : (code ?? message))
  }
}

let count = 0
export const newLocalPart = () => `contract+${RUN_ID}.${++count}`
export const newAddress = () => `${newLocalPart()}@example.com`
/** With letters, so that it differs from the same key in capitals. */
export const newKey = () => `abcdef${crypto.randomUUID().slice(6)}`

/** Values by the JSON Pointer of their field; undefined removes the field. */
export type Fields = Readonly<Record<string, unknown>>

/** A copy of a body with other values of some fields. */
export const withFields = (body: object, fields: Fields): object =>
  Object.entries(fields).reduce((body, [pointer, value]) => withField(body, pointer.slice(1).split('/'), value), body)

const withField = (body: object, [name = '', ...rest]: readonly string[], value: unknown): object => ({
  ...body,
  [name]: rest.length > 0 ? withField(Object(body)[name], rest, value) : value,
})

export const exampleOf = ({ example }: Operation, fields: Fields = {}): object =>
  withFields(example, { '/email': newAddress(), ...fields })

/** How a call differs from a POST of the contract's example with a new address. A text as body is sent as it is. */
export type Change = {
  readonly fields?: Fields
  readonly body?: unknown
  readonly edit?: (json: string) => string | Buffer
  readonly headers?: Headers
  /** Only POST, PUT and PATCH have a body. */
  readonly method?: string
  readonly path?: string
}

export function callOf(operation: Operation, change: Change = {}): Call {
  const { method = 'POST', path = operation.path, headers = {} } = change
  const isExample = Object.keys(change).length === 0
  if (!/^P/.test(method)) return { method, path, headers, body: Buffer.alloc(0), isExample }
  const { fields, body = exampleOf(operation, fields), edit = (json) => json } = change
  const sent = Buffer.from(edit(typeof body === 'string' ? body : JSON.stringify(body)))
  return { method, path, headers: { 'content-type': 'application/json', ...headers }, body: sent, isExample }
}
