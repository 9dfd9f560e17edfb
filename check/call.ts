import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http, { type Agent, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../contract/faults.ts'
import type { Operation } from '../contract/operations.ts'
import { HEADERS, HOST, RUN_ID } from './settings.ts'

/** A header that is null is not sent. */
export type Headers = Readonly<Record<string, string | null>>
/** Values by the JSON Pointers of their fields; undefined removes the field. */
export type Fields = Readonly<Record<string, unknown>>
/** How a call differs from a POST of the contract's example with a new address. */
export type Change = {
  readonly fields?: Fields
  readonly edit?: (json: string) => string | Buffer
  readonly headers?: Headers
  /** Only POST, PUT and PATCH have a body. */
  readonly method?: string
  readonly path?: string
  /** Without an agent a call has a connection of its own. */
  readonly agent?: Agent
}
export const WRONG_TOKEN: Change = { headers: { cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two' } }

let count = 0
export const newLocalPart = () => `contract+${RUN_ID}.${++count}`
export const newAddress = () => `${newLocalPart()}@example.com`
export const KEY = 'idempotency-key'
/** With letters, so that it differs from the same key in capitals. */
export const newKey = () => `abcdef${randomUUID().slice(6)}`

/** The contract's example with a new address and other values of some fields, as JSON. */
export function exampleOf({ example }: Operation, fields: Fields = {}): string {
  const withField = (body: object, [name = '', ...rest]: readonly string[], value: unknown): object => ({
    ...body,
    [name]: rest.length > 0 ? withField(Object(body)[name], rest, value) : value,
  })
  const changes = Object.entries({ '/email': newAddress(), ...fields })
  return JSON.stringify(changes.reduce((body, [at, value]) => withField(body, at.slice(1).split('/'), value), example))
}

export type Call = ReturnType<typeof callOf>

export function callOf(operation: Operation, change: Change = {}) {
  const { fields, edit = (json) => json, headers, method = 'POST', path = operation.path, agent = null } = change
  const hasBody = method.startsWith('P')
  const sent = Object.entries({ 'content-type': hasBody ? 'application/json' : null, ...headers })
  return {
    method,
    path,
    headers: Object.fromEntries(sent.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    body: Buffer.from(hasBody ? edit(exampleOf(operation, fields)) : ''),
    agent,
  }
}

/** The page waits no longer for a whole answer. */
const TIMEOUT_MS = 10_000
export const TOO_LATE = `no whole answer in ${TIMEOUT_MS / 1000} s`

const protocol = HOST.protocol === 'https:' ? https : http
export const oneConnection = () => new protocol.Agent({ keepAlive: true, maxSockets: 1 })
const ownConnections = new protocol.Agent()

/** Sends a call. Rejects if no whole answer comes. After a 429 sends it again, as soon as `Retry-After` says. */
export async function send(call: Call, waits = 0): Promise<Answer> {
  const answer = await sendOnce(call)
  const seconds = Number(answer.headers['retry-after'])
  if (answer.status !== 429 || !(seconds <= 3600) || waits === 5) return answer
  process.stderr.write(`${call.path} is limited for ${seconds} s. Switch limits off while the check runs.\n`)
  await sleep(1000 * seconds)
  return send(call, waits + 1)
}

async function sendOnce(call: Call): Promise<Answer> {
  const { method, path, headers, body, agent } = call
  const isChunked = 'transfer-encoding' in headers
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const outgoing = protocol.request(HOST, {
    method,
    path: HOST.pathname.replace(/\/$/, '') + path,
    headers: { ...HEADERS, ...headers },
    agent: agent ?? ownConnections,
    signal,
  })
  outgoing.on('error', () => {}) // A backend may answer and close before the whole body has arrived: the answer counts.
  let incoming: IncomingMessage | undefined
  try {
    const answered = once(outgoing, 'response', { signal })
    const size = Math.ceil(body.length / 100) // Such chunks end within a character.
    for (let start = 0; isChunked && start < body.length; start += size)
      outgoing.write(body.subarray(start, start + size))
    outgoing.end(isChunked ? '' : body)
    ;[incoming] = (await answered) as [IncomingMessage] // Node's only argument of this event.
    let text = ''
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk
    // Without a Content-Length, an answer that was cut off by the signal looks complete.
    signal.throwIfAborted()
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }
  } catch (error) {
    outgoing.destroy()
    const { code, message } = Object(error)
    // The backend has closed a connection that was idle for too long, while the call was on its way.
    if (outgoing.reusedSocket && /ECONNRESET|EPIPE/.test(code)) return sendOnce(call)
    if (signal.aborted) throw new Error(TOO_LATE)
    throw new Error(incoming && code ? 'the connection was closed during the answer' : (code ?? message))
  }
}
