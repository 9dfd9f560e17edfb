import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'

export type Call = Awaited<ReturnType<typeof readCall>>
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
}

/** Answers a call; `right` is the reference backend. */
export type Handler = (
  call: Call,
  right: (call: Call) => Promise<Answer>,
) => Answer | 'dropped' | Promise<Answer | 'dropped'>

/** Serves a backend in front of the reference app until the test ends. */
export async function serveFaulty(app: FastifyInstance, handler: Handler): Promise<string> {
  async function right({ method, url, headers: { 'transfer-encoding': _, ...headers }, body }: Call): Promise<Answer> {
    const answer = await app.inject({ method: method as 'POST', url, headers, payload: body })
    return { status: answer.statusCode, headers: answer.headers as Answer['headers'], body: answer.body }
  }
  const server = createServer(async (request, response) => {
    const answer = await handler(await readCall(request), right)
    if (answer === 'dropped') return request.socket.destroy()
    const { 'content-length': length, ...rest } = answer.headers
    return response.writeHead(answer.status, rest).end(answer.body)
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
  let fields: Readonly<Record<string, unknown>> = {}
  try {
    fields = Object(JSON.parse(text))
  } catch {}
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  const [email, first, msg] = [textOf(fields.email), textOf(Object(fields.name).first), textOf(fields.msg)]
  return { method, url, headers, key, type, body, text, email, first, msg }
}

const PROBLEM_HEADERS = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
export const problem = (status: number, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { ...PROBLEM_HEADERS, ...headers },
  body: JSON.stringify({ title: 'Refused', status, errors: [{ pointer: '/email', detail: 'is refused' }] }),
})
