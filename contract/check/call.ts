import { once } from 'node:events'
import http, { type Agent, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { type Call, type Fields, type Headers, withFields } from '../calls.ts'
import type { Operation } from '../operations.ts'
import type { Answer } from '../response.ts'

/** The settings that main.ts passes to the tests, which run in another process. */
export type Settings = {
  readonly host: string
  /** The origin of the page for visitors, which browsers send as `Origin`. */
  readonly origin: string
  /** Headers of every call, by their names in lower case. Their values may be secret. */
  readonly headers: Readonly<Record<string, string>>
  /** A command that kills the backend and starts it again, or ''. */
  readonly restart: string
  /** Part of every address that is sent, so that the operator can distinguish these addresses from real leads. */
  readonly runId: string
  /** How long a call may take. */
  readonly timeoutMs: number
}

const { CONTRACT_CHECK = '' } = process.env
if (CONTRACT_CHECK === '') throw new Error('Run the check by: npm run contract -- URL')
export const SETTINGS: Settings = JSON.parse(CONTRACT_CHECK)
export const HOST = new URL(SETTINGS.host)

/** A call to find out whether a server answers. */
export const PING: Call = { method: 'GET', path: '/api', headers: {}, body: Buffer.alloc(0), isExample: false }

/** The reason why a call has no whole answer. */
export class NoAnswer extends Error {}
export const SLOW = 'no whole answer'

/** The largest answer that is read; an answer of the contract has a few hundred bytes. */
const MAX_ANSWER = 2 ** 20

/** Sends a call, over a connection of its own unless there is an agent. Throws `NoAnswer` if no whole answer comes. */
export async function send(call: Call, agent?: Agent): Promise<Answer & { readonly isReused: boolean }> {
  const { request } = HOST.protocol === 'https:' ? https : http
  const { method, path, headers, body } = call
  const isChunked = 'transfer-encoding' in headers
  const cookie = [SETTINGS.headers.cookie ?? [], headers.cookie ?? []].flat().join('; ') || null
  const length = isChunked || !/^P/.test(method) ? null : `${body.length}`
  const sent = Object.entries({ 'content-length': length, ...SETTINGS.headers, ...headers, cookie })
  const signal = AbortSignal.timeout(SETTINGS.timeoutMs)
  const outgoing = request(HOST, {
    method,
    path: HOST.pathname.replace(/\/$/, '') + path,
    headers: Object.fromEntries(sent.flatMap(([name, value]) => (value === null ? [] : [[name, [value].flat()]]))),
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
      if (text.length > MAX_ANSWER) throw new NoAnswer('an answer of more than 1 MiB')
    }
    // Without a Content-Length, an answer that was cut off by the signal looks complete.
    signal.throwIfAborted()
    if (!incoming.complete) throw new NoAnswer('the connection was closed during the answer')
    // A server of HTTP/1.0 closes the connection unless its answer says otherwise.
    const allHeaders = { ...(incoming.httpVersion === '1.0' && { connection: 'close' }), ...incoming.headers }
    return { status: incoming.statusCode ?? 0, headers: allHeaders, body: text, isReused: outgoing.reusedSocket }
  } catch (error) {
    if (error instanceof NoAnswer) throw error
    if (signal.aborted) throw new NoAnswer(`${SLOW} in ${SETTINGS.timeoutMs / 1000} s`)
    if (incoming) throw new NoAnswer('the connection was closed during the answer')
    const { code, message } = error as NodeJS.ErrnoException // Node's own.
    throw new NoAnswer(code ?? message)
  } finally {
    if (!incoming?.complete) outgoing.destroy()
  }
}

let count = 0
export const newLocalPart = () => `contract+${SETTINGS.runId}.${++count}`
export const newAddress = () => `${newLocalPart()}@example.com`

/** An address of `length` characters, of which `localLength` stand before the @. */
export function addressOf(length: number, localLength: number): string {
  const domain = Array(3).fill('d'.repeat(63)).join('.')
  return `${newLocalPart().padEnd(localLength, 'a')}@${domain.slice(domain.length - length + localLength + 13)}.example.com`
}

/** With letters, so that it differs from the same key in capitals. */
export const newKey = () => `abcdef${crypto.randomUUID().slice(6)}`

/**
 * How a call differs from a POST of the contract's example with a new address. A text as body is sent as it is. Only
 * POST, PUT and PATCH have a body.
 */
export type Change = {
  readonly fields?: Fields
  readonly body?: unknown
  readonly edit?: (json: string) => string | Buffer
  readonly headers?: Headers
  readonly method?: string
  readonly path?: string
}

export function callOf(operation: Operation, change: Change = {}): Call {
  const { fields, body = exampleOf(operation, fields), edit = (json) => json, method = 'POST' } = change
  const path = change.path ?? operation.path
  const isExample = Object.keys(change).length === 0
  if (!/^P/.test(method)) return { method, path, headers: change.headers ?? {}, body: Buffer.alloc(0), isExample }
  const edited = edit(typeof body === 'string' ? body : JSON.stringify(body))
  const headers = { 'content-type': 'application/json', ...change.headers }
  return { method, path, headers, body: typeof edited === 'string' ? Buffer.from(edited) : edited, isExample }
}

export const exampleOf = ({ requestExamples }: Operation, fields: Fields = {}): object =>
  withFields(Object(requestExamples[0]?.value), { '/email': newAddress(), ...fields })
