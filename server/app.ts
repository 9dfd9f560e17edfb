import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { MAX_BODY_BYTES } from '../src/domain/enquiry-fields.ts'
import { serveApi } from './http/api.ts'
import { serveHealth } from './http/health.ts'
import { withoutOrigin } from './http/paths.ts'
import { answerError, sendProblem } from './http/problems.ts'
import { securityHeaders } from './http/security-headers.ts'
import { serveSite } from './http/site.ts'
import { answerUnknownPaths } from './http/unknown-paths.ts'
import type { Metrics } from './metrics.ts'
import type { Settings } from './settings.ts'
import type { Store } from './storage/store.ts'

/** Sites of one domain share cookies, which may have 64 kB together. The rest is for other headers. */
const MAX_HEADER_BYTES = 81_920

export type AppOptions = {
  readonly store: Store
  /** The folder of the built page, absolute. */
  readonly pageFolder: string
  readonly settings: Settings
  readonly metrics: Pick<Metrics, 'observeResponses'>
  readonly log: FastifyBaseLogger
}

/** The app: the operations of the contract, the health checks, and the page. It listens only when `listen` is called. */
export async function buildApp({ store, pageFolder, settings, metrics, log }: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    // In milliseconds. A request has 8 s to arrive, and its headers have 4 s. A silent connection is closed after 12 s. Node
    // looks for late requests once a second.
    requestTimeout: 8000,
    connectionTimeout: 12_000,
    http: { headersTimeout: 4000, connectionsCheckingInterval: 1000, maxHeaderSize: MAX_HEADER_BYTES },
    trustProxy: settings.TRUST_PROXY.length > 0 ? settings.TRUST_PROXY : false,
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => withoutOrigin(url),
    // The log has no line for each request. The metrics count the requests.
    logController: new LogController({ disableRequestLogging: true }),
    // fastify-openapi-glue logs needless warnings about content types while the app starts.
    loggerInstance: log.child({}, { level: 'silent' }),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true } },
    // Fastify runs no hook for a path that it can't decode, so this answer gets its headers here.
    frameworkErrors: (_error, request, reply) => sendProblem(reply.headers(securityHeaders(settings, request)), 404),
  })
  metrics.observeResponses(app)
  app.addHook('onRequest', async (request, reply) => void reply.headers(securityHeaders(settings, request)))
  // While the server stops, answers end their connections: open connections would delay the end of the server.
  app.addHook('onSend', async (_request, reply) => void (app.server.listening || reply.header('connection', 'close')))
  app.setErrorHandler(answerError)
  answerUnknownPaths(app)
  await serveApi(app, store, settings)
  serveHealth(app, store)
  await serveSite(app, pageFolder)
  await app.ready()
  app.log.level = 'info'
  return app
}
