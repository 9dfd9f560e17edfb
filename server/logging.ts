import { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'

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

/** Silent until the server listens: what it says about itself before is told to a person by other means. */
export function logging(stream: LogStream): FastifyServerOptions {
  return {
    logController: new LogController({ disableRequestLogging: true }),
    logger: { level: 'silent', serializers: { err: errorWithoutMessage }, stream },
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
