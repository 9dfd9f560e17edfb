import { join } from 'node:path'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import { MAX_BODY_BYTES } from '../src/domain/enquiry.ts'
import { isHttps, refuseOtherSites, requireXsrfToken, warnOfUntrustedProxy } from './http/access.ts'
import { createHandlers } from './http/handlers.ts'
import { serveHealth } from './http/health.ts'
import { acceptOnlyJson, parseJson } from './http/json-body.ts'
import { answerError, type Guard, sendProblem } from './http/problems.ts'
import { limitRates } from './http/rate-limits.ts'
import { securityHeaders } from './http/security-headers.ts'
import { answerUnknownPath, requestPath, serveSite } from './http/site.ts'
import type { Metrics } from './metrics.ts'
import type { Settings } from './settings.ts'
import type { Store } from './storage/store.ts'

const CONTRACT = join(import.meta.dirname, '..', 'openapi.yaml')

export type AppOptions = {
  readonly store: Store
  /** The folder of the built page, absolute. */
  readonly site: string
  readonly settings: Settings
  readonly metrics: Pick<Metrics, 'observeResponses'>
  readonly log: FastifyBaseLogger
}

/** The contract's routes on a store, and the page. It does not listen yet. */
export async function buildApp({ store, site, settings, metrics, log }: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    // Node looks for late requests once in `connectionsCheckingInterval`, and has its own limit for late headers.
    requestTimeout: 8000,
    connectionTimeout: 12_000,
    http: { headersTimeout: 4000, connectionsCheckingInterval: 1000, maxHeaderSize: 16_384 },
    trustProxy: settings.TRUST_PROXY.length > 0 ? settings.TRUST_PROXY : false,
    return503OnClosing: false,
    // No line for each request: the metrics count them.
    logController: new LogController({ disableRequestLogging: true }),
    // Its plugins warn of parsers that no route needs.
    loggerInstance: log.child({}, { level: 'silent' }),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true } },
    // A path that can't be decoded gets no further.
    frameworkErrors: (_error, request, reply) =>
      sendProblem(reply.headers(securityHeaders(isHttps(settings, request))), 404),
  })
  const operationPaths = new Set<string>()

  function handleNotFound(request: FastifyRequest, reply: FastifyReply) {
    const path = requestPath(request)
    if (path !== '/api' && !path.startsWith('/api/')) return answerUnknownPath(request, reply)
    return operationPaths.has(path) ? sendProblem(reply.header('allow', 'POST'), 405) : sendProblem(reply, 404)
  }

  metrics.observeResponses(app)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(handleNotFound)
  // Unknown paths are refused in onRequest, because otherwise the body would be read and parsed first.
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders(isHttps(settings, request)))
    if (request.is404) return handleNotFound(request, reply)
  })

  // Connections that are kept alive would delay the end of the server until their clients close them.
  app.addHook('onSend', async (_request, reply) => {
    if (!app.server.listening) reply.header('connection', 'close')
  })

  await app.register(async (api) => {
    /** Each guard, in this order, may refuse a call before its body is read. */
    const guards: readonly Guard[] = [
      warnOfUntrustedProxy(),
      refuseOtherSites(settings),
      limitRates(settings),
      requireXsrfToken(settings),
      acceptOnlyJson,
    ]
    api.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      for (const guard of guards) if (guard(request, reply)) return reply
    })
    parseJson(api)
    // Answers are typed by the contract; a serializer made of its schemas would silently drop wrong fields.
    api.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
    api.addHook('onRoute', ({ url }) => {
      operationPaths.add(url)
    })
    await api.register(openapiGlue, { specification: CONTRACT, serviceHandlers: createHandlers(store, settings) })
  })
  serveHealth(app, store)
  await serveSite(app, site)
  await app.ready()
  app.log.level = 'info'
  return app
}
