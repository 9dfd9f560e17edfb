import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { listenInTest } from '../local-server.ts'

type Headers = Readonly<Record<string, string>>
export type Call = {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Buffer
  /** The body as it arrived. */
  readonly chunks: readonly Buffer[]
}
/** With the status 0, the connection is closed instead of an answer. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: string }
/** Answers a call. `next` returns the answer of the reference, which is the server of this project. */
export type Handler = (call: Call, next: (call: Call) => Promise<Answer>) => Answer | Promise<Answer>

/** Serves a handler in front of the reference app until the test ends. */
export async function serveFaulty(app: FastifyInstance, handle: Handler): Promise<string> {
  async function askReference({ method, url, headers, body }: Call): Promise<Answer> {
    const answer = await app.inject({ method: method as 'POST', url, headers, payload: body })
    // Without a socket, Fastify says that it closes the connection.
    const { connection: _connection, 'content-length': _length, ...otherHeaders } = answer.headers as Headers
    return { status: answer.statusCode, headers: otherHeaders, body: answer.body }
  }
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const { 'content-length': _length, 'transfer-encoding': _coding, ...headers } = request.headers as Headers
    const chunks: Buffer[] = await request.toArray()
    const { status, ...sent } = await handle(
      { method, url, headers, body: Buffer.concat(chunks), chunks },
      askReference,
    )
    if (status === 0) request.socket.destroy()
    else response.writeHead(status, sent.headers).end(sent.body)
  })
  return `http://127.0.0.1:${await listenInTest(server)}`
}

export const problem = (status: number): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  body: JSON.stringify({ title: 'Refused', status, errors: [{ pointer: '/email', detail: 'is refused' }] }),
})

/** Runs the check, or only the rules that match. Returns the titles of all rules, with the message of each failure. */
export async function runCheck(args: readonly string[], ...testNamePatterns: readonly RegExp[]) {
  const [passed, failed, skipped]: [string[], string[], string[]] = [[], [], []]
  // The check writes bodies that it sent into the folder for temporary files.
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const env = { ...process.env, TMPDIR: folder }
  for await (const { type, data } of run({ files: ['conformance/main.ts'], argv: args, testNamePatterns, env })) {
    if (type === 'test:fail') failed.push(`${data.name}\n${Object(data.details.error.cause).message}`)
    if (type === 'test:pass' && data.skip) skipped.push(`${data.name}: ${data.skip}`)
    else if (type === 'test:pass') passed.push(data.name)
  }
  rmSync(folder, { recursive: true })
  return { passed, failed, skipped }
}
