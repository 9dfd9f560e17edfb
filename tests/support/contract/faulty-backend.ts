import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { parseJson } from '../../../contract/faults.ts'
import { listenInTest } from '../local-server.ts'

type Headers = Readonly<Record<string, string | string[]>>
/** `key` and `email` are '' if the call has none. */
export type Call = Readonly<Record<'method' | 'url' | 'key' | 'email', string>> & {
  readonly headers: Headers
  readonly body: Buffer
  /** The parts in which the body arrived. */
  readonly chunks: readonly Buffer[]
}
type Answer = { readonly status: number; readonly headers: Headers; readonly body: string }
/** Answers a call, or handles its connection. `askReference` gives the answer of the reference backend. */
export type Handler = (call: Call, askReference: (call: Call) => Promise<Answer>) => Reply | Promise<Reply>
type Reply = Answer | ((socket: Socket) => unknown)

/** Serves a backend in front of the reference app until the test ends. */
export async function serveFaulty(app: FastifyInstance, handler: Handler): Promise<string> {
  async function askReference({
    method,
    url,
    headers: { 'transfer-encoding': _, ...headers },
    body,
  }: Call): Promise<Answer> {
    const answer = await app.inject({ method: method as 'POST', url, headers, payload: body })
    // Without a socket, Fastify says that it closes the connection.
    const { connection: _connection, 'content-length': _length, ...otherHeaders } = answer.headers as Headers
    return { status: answer.statusCode, headers: otherHeaders, body: answer.body }
  }
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const { 'content-length': _, ...headers } = request.headers as Headers
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    await once(request, 'end')
    const body = Buffer.concat(chunks)
    const { email } = Object(parseJson(`${body}`))
    const texts = { key: `${headers['idempotency-key'] ?? ''}`, email: typeof email === 'string' ? email : '' }
    const answer = await handler({ method, url, headers, body, chunks, ...texts }, askReference)
    if (typeof answer === 'function') answer(request.socket)
    else response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  return `http://127.0.0.1:${await listenInTest(server)}`
}

export const problem = (status: number, headers: Headers = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify({ title: 'Refused', status, errors: [{ pointer: '/email', detail: 'is refused' }] }),
})

/** Makes a backend that changes answers of the reference backend. */
export const changes =
  (change: (answer: Answer, call: Call) => Partial<Answer>): Handler =>
  async (call, askReference) => {
    const answer = await askReference(call)
    return { ...answer, ...change(answer, call) }
  }
