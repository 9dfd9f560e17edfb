import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
// The README of prism-http-server imports it in this way: the root of prism-cli is its command, which logs requests.
import { getHttpOperationsFromSpec } from '@stoplight/prism-cli/dist/operations.js'
import { createServer } from '@stoplight/prism-http-server'
import type { Operation } from '../operations.ts'
import type { MockedAnswer } from './call.ts'
import { refusalOf } from './refusals.ts'

export const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url))

/** An operation as Prism reads it: with every $ref resolved. */
export type PrismOperation = Awaited<ReturnType<typeof readOperations>>[number]

export type Mock = {
  readonly origin: string
  close(): Promise<void>
}

export const readOperations = (file = CONTRACT) => getHttpOperationsFromSpec(file)

/** Starts Prism behind a server on a free TCP port of this machine, which refuses calls in the contract's form. */
export async function startMock(mocked: PrismOperation[], operations: readonly Operation[]): Promise<Mock> {
  const prism = createServer(mocked, {
    components: { logger: silentLogger() },
    config: {
      isProxy: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      upstreamProxy: undefined,
      mock: { dynamic: false },
    },
    cors: false,
  })
  const prismOrigin = await prism.listen(0, '127.0.0.1')
  const server = createHttpServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await buffer(request)
    const { pathname: path } = new URL(url, prismOrigin)
    const refusal = refusalOf(operations, { method, path, type: headers['content-type'] ?? '', body: `${body}` })
    const answer = refusal ?? (await forward(new URL(url, prismOrigin), request, body))
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const close = () => Promise.all([server[Symbol.asyncDispose](), prism.close()])
  return { origin: `http://127.0.0.1:${port}`, close: async () => void (await close()) }
}

/** Forwards a request, and returns the answer. */
export async function forward(url: URL, { method, headers }: IncomingMessage, body: Buffer): Promise<MockedAnswer> {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    send(url, { method, headers }, resolve).on('error', reject).end(body)
  })
  return { status: incoming.statusCode ?? 502, headers: incoming.headers, body: `${await buffer(incoming)}` }
}

type Logger = Parameters<typeof createServer>[1]['components']['logger']

/** A logger that writes nothing: Prism would log the texts of visitors. */
function silentLogger(): Logger {
  const silent = () => {}
  const logger = { child: () => logger, debug: silent, info: silent, success: silent, warn: silent, error: silent }
  // Prism calls only these methods of pino's interface.
  return logger as unknown as Logger
}
