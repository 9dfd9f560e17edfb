import { type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { pino, stdTimeFunctions } from 'pino'

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

/** The log of the process, one JSON object a line, with levels and times as people read them. */
export const createLog = (stream: LogStream): FastifyBaseLogger =>
  pino(
    {
      formatters: { level: (level) => ({ level }) },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: errorWithoutMessage },
    },
    stream,
  )

/** Fastify's options for the log, which gets no line for each request: nginx and the metrics count them. */
export function logging(log: FastifyBaseLogger): FastifyServerOptions {
  return {
    logController: new LogController({ disableRequestLogging: true }),
    loggerInstance: log.child({}, { level: 'silent' }),
  }
}

/** Lets Fastify log once it listens. What fails before that is printed for the person who starts the server. */
export function logOnceListening(app: FastifyInstance): void {
  app.addHook('onListen', async () => {
    app.log.level = 'info'
  })
}
