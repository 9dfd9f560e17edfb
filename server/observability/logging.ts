import { type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { pino } from 'pino'

export type LogStream = { write(line: string): void }

/** An error's message may hold visitor data, which never reaches a log: so it is left out. */
const errorWithoutMessage = (error: Error & { code?: string }) => ({
  type: error.name,
  message: error.code ?? '',
  stack: (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n'),
})

/** The log of the process, one JSON object a line. */
export const createLog = (stream: LogStream): FastifyBaseLogger =>
  pino({ serializers: { err: errorWithoutMessage } }, stream)

/** Silences Fastify until it listens: what fails before is printed for the person at the terminal. */
export function logging(log: FastifyBaseLogger): FastifyServerOptions {
  return {
    logController: new LogController({ disableRequestLogging: true }),
    loggerInstance: log.child({}, { level: 'silent' }),
  }
}

/** Logs a line for each request, with its route pattern, never its URL, which may hold an address. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onListen', async () => {
    app.log.level = 'info'
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const ms = Math.round(reply.elapsedTime)
    request.log.info({ method, route: routeOptions.url, status: reply.statusCode, ms }, 'answered')
  })
}
