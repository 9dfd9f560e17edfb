import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { parseJson } from '../../../contract/schemas.ts'

export type Call = Awaited<ReturnType<typeof readCall>>
type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
}
/** Answers a call, or does something to its connection; `right` is the reference backend. */
export type Handler = (
  call: Call,
  right: (call: Call) => Promise<Answer>,
) => Awaitable<Answer | ((s: Socket) => unknown)>
type Awaitable<T> = T | Promise<T>

/** Serves a backend in front of the reference app until the test ends. */
export async function serveFaulty(app: FastifyInstance, handler: Handler): Promise<string> {
  async function right({ method, url, headers: { 'transfer-encoding': _, ...headers }, body }: Call): Promise<Answer> {
    const answer = await app.inject({ method: method as 'POST', url, headers, payload: body })
    // Without a socket, Fastify says that it closes the connection.
    const { connection: _connection, ...others } = answer.headers as Answer['headers']
    return { status: answer.statusCode, headers: others, body: answer.body }
  }
  const server = createServer(async (request, response) => {
    const answer = await handler(await readCall(request), right)
    if (typeof answer === 'function') return answer(request.socket)
    const { 'content-length': _, ...headers } = answer.headers
    return response.writeHead(answer.status, headers).end(answer.body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** With a header and a field that faults look at: '' where there is none. */
async function readCall(request: IncomingMessage) {
  const { method = '', url = '' } = request
  const { 'content-length': _, ...headers } = request.headers as Readonly<Record<string, string>>
  const body = await buffer(request)
  const { email } = Object(parseJson(`${body}`))
  const { 'idempotency-key': key = '' } = headers
  return { method, url, headers, key, body, email: typeof email === 'string' ? email : '' }
}

export const problem = (status: number, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify({ title: 'Refused', status, errors: [{ pointer: '/email', detail: 'is refused' }] }),
})

/** The reference backend with other answers. */
export const changes =
  (change: (answer: Answer, call: Call) => Partial<Answer>): Handler =>
  async (call, right) => {
    const answer = await right(call)
    return { ...answer, ...change(answer, call) }
  }
