import { type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { pino } from 'pino'

export type LogStream = { write(line: string): void }

/** What visitors send, where from and to which URL never reaches a log, so neither does the message of an error. */
const errorWithoutMessage = (error: Error & { code?: string }) => ({
  type: error.name,
  message: error.code ?? '',
  stack: (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n'),
})

/** The log of the whole process, a JSON object a line; it is there before whatever writes to it. */
export const createLog = (stream: LogStream): FastifyBaseLogger =>
  pino({ serializers: { err: errorWithoutMessage } }, stream)

/** Fastify is silent until it listens: what it says about itself before is told to a person by other means. */
export function logging(log: FastifyBaseLogger): FastifyServerOptions {
  return {
    logController: new LogController({ disableRequestLogging: true }),
    loggerInstance: log.child({}, { level: 'silent' }),
  }
}

/** One line a request: its route as it is written in the code, never the URL, which may hold an address. */
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
