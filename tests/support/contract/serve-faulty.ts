import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { parseJson } from '../../../contract/schemas.ts'

export type Call = Awaited<ReturnType<typeof readCall>>
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
}
/** In place of an answer. */
type Act = (socket: Socket) => unknown

/** Answers a call; `right` is the reference backend. */
export type Handler = (call: Call, right: (call: Call) => Promise<Answer>) => Answer | Act | Promise<Answer | Act>

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

/** With headers and fields that faults look at: '' where there is none. */
async function readCall(request: IncomingMessage) {
  const { method = '', url = '' } = request
  const { 'content-length': _, ...headers } = request.headers as Readonly<Record<string, string>>
  const { 'idempotency-key': key = '', 'content-type': type = '' } = headers
  const body = await buffer(request)
  const text = body.toString()
  const { email, msg } = Object(parseJson(text))
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  return { method, url, headers, key, type, body, text, email: textOf(email), msg: textOf(msg) }
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
export const says = (from: string | RegExp, to: string, where: (call: Call) => boolean = () => true) =>
  changes(({ body }, call) => ({ body: where(call) ? body.replace(from, to) : body }))
export const refuses = (isRefused: (call: Call) => boolean, status = 422) =>
  changes((_, call) => (isRefused(call) ? problem(status) : {}))
/** An error that shows something of the call. */
export const repeats = (what: (call: Call) => string | undefined) =>
  changes(({ body }, call) => ({ body: body.replace('"detail":"', `"detail":"${what(call)} `) }))
/** With other headers, or without those that are []. */
export const withHeaders = (change: (headers: Answer['headers']) => Answer['headers']) =>
  changes(({ headers }) => ({ headers: { ...headers, ...change(headers) } }))

/** Says how often it was called with this text. */
export function counter() {
  const counts = new Map<string, number>()
  return (text: string) => counts.set(text, (counts.get(text) ?? 0) + 1).get(text) ?? 0
}
