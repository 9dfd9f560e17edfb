import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { run } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { parseJson } from '../../../contract/faults.ts'
import { listenInTest } from '../local-server.ts'

export type Headers = Readonly<Record<string, string>>
/** `key` and `email` are '' if the call has none. */
export type Call = Readonly<Record<'method' | 'url' | 'key' | 'email', string>> & {
  readonly headers: Headers
  readonly body: Buffer
}
/** With the status 0 the connection drops. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: string }
/** Answers a call. `next` gives the answer of the backend behind. */
export type Handler = (call: Call, next: (call: Call) => Promise<Answer>) => Answer | Promise<Answer>

/** Serves handlers in front of the reference app until the test ends. */
export async function serveFaulty(app: FastifyInstance, ...handlers: readonly Handler[]): Promise<string> {
  async function askReference({ method, url, body, ...call }: Call): Promise<Answer> {
    const { 'transfer-encoding': _, ...headers } = call.headers
    const answer = await app.inject({ method: method as 'POST', url, headers, payload: body })
    // Without a socket, Fastify says that it closes the connection.
    const { connection: _connection, 'content-length': _length, ...otherHeaders } = answer.headers as Headers
    return { status: answer.statusCode, headers: otherHeaders, body: answer.body }
  }
  const answer = handlers.reduce<typeof askReference>(
    (next, handle) => async (call) => handle(call, next),
    askReference,
  )
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const { 'content-length': _, ...headers } = request.headers as Headers
    const body = await buffer(request)
    const { email } = Object(parseJson(`${body}`))
    const texts = { key: `${headers['idempotency-key'] ?? ''}`, email: typeof email === 'string' ? email : '' }
    const { status, ...sent } = await answer({ method, url, headers, body, ...texts })
    if (status === 0) request.socket.destroy()
    else response.writeHead(status, sent.headers).end(sent.body)
  })
  return `http://127.0.0.1:${await listenInTest(server)}`
}

export const problem = (status: number, headers: Headers = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify({ title: 'Refused', status, errors: [{ pointer: '/email', detail: 'is refused' }] }),
})

/** Runs the check, or only its rules that match. Returns the failures, and what it wrote beside the report. */
export async function runCheck(args: readonly string[], ...testNamePatterns: readonly RegExp[]) {
  const failed: string[] = []
  let notes = ''
  for await (const { type, data } of run({ files: ['check/main.ts'], argv: args, testNamePatterns })) {
    if (type === 'test:fail') failed.push(Object(data.details.error.cause).message)
    if (type === 'test:stderr') notes += data.message
  }
  return { failed, notes }
}
