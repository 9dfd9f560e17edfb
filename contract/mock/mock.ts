import { fileURLToPath } from 'node:url'
// Imported as the README of prism-http-server does it: the root of prism-cli is its command, which logs what was typed.
import { getHttpOperationsFromSpec } from '@stoplight/prism-cli/dist/operations.js'
import { createServer } from '@stoplight/prism-http-server'

export const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url))

/** An operation as Prism reads it: with every $ref resolved. */
export type PrismOperation = Awaited<ReturnType<typeof readOperations>>[number]

export type Mock = {
  readonly origin: string
  close(): Promise<void>
}

export const readOperations = (file = CONTRACT) => getHttpOperationsFromSpec(file)

/** Starts Prism on a free TCP port of this machine. */
export async function startMock(operations: PrismOperation[]): Promise<Mock> {
  const server = createServer(operations, {
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
  const origin = await server.listen(0, '127.0.0.1')
  return { origin, close: () => server.close() }
}

type Logger = Parameters<typeof createServer>[1]['components']['logger']

/** Prism would log what visitors typed. */
function silentLogger(): Logger {
  const silent = () => {}
  const logger = { child: () => logger, debug: silent, info: silent, success: silent, warn: silent, error: silent }
  // Prism calls only these methods of pino's interface.
  return logger as unknown as Logger
}
