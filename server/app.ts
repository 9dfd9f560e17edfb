import { join } from 'node:path'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import { type Guard, guardApi, isHttps } from './http/access.ts'
import { type ClientErrors, createClientErrors } from './http/client-errors.ts'
import { fieldErrors } from './http/field-errors.ts'
import { createHandlers } from './http/handlers.ts'
import { serveHealth } from './http/health.ts'
import { acceptOnlyJson } from './http/json-body.ts'
import { limitPipelining } from './http/pipelining.ts'
import { isProblemStatus, NO_HTTP, type ProblemStatus, sendProblem } from './http/problems.ts'
import { requestPath } from './http/request-path.ts'
import { securityHeaders } from './http/security-headers.ts'
import { answerOffSite, serveSite } from './http/site.ts'
import { logging, logRequests } from './observability/logging.ts'
import type { Metrics } from './observability/metrics.ts'
import type { Store } from './storage/store.ts'

const CONTRACT = join(import.meta.dirname, '..', 'openapi.yaml')

export type Parts = {
  readonly store: Store
  /** The folder of the built page, absolute. */
  readonly site: string
  readonly guard: Guard
  readonly metrics: Metrics
  readonly log: FastifyBaseLogger
}

/** The contract's routes over a store, and the page; no port is opened. Logs begin when it listens. */
export async function buildApp({ store, site, guard, metrics, log }: Parts): Promise<FastifyInstance> {
  const clientErrors = createClientErrors(securityHeaders(isHttps(guard)))
  const app = fastify({
    bodyLimit: 65_536,
    // Node looks for late requests only every so often, and for late headers by a limit of their own.
    requestTimeout: 8000,
    connectionTimeout: 12_000,
    keepAliveTimeout: 72_000,
    pluginTimeout: 10_000,
    routerOptions: { maxParamLength: 100 },
    // Node would refuse a request without a Host with an answer of its own, bare of our headers.
    http: { headersTimeout: 4000, connectionsCheckingInterval: 1000, maxHeaderSize: 16_384, requireHostHeader: false },
    trustProxy: guard.trustProxy.length > 0 ? [...guard.trustProxy] : false,
    return503OnClosing: false,
    ...logging(log),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true } },
    clientErrorHandler: clientErrors.answer,
    // All that goes wrong before routing is a URL that can't be decoded: nothing has such a path.
    frameworkErrors: (_error, request, reply) => answerNoRoute(request, addSecurityHeaders(request, reply)),
  })
  const operationPaths = new Set<string>()

  function answerNoRoute(request: FastifyRequest, reply: FastifyReply) {
    const path = requestPath(request)
    if (path !== '/api' && !path.startsWith('/api/')) return answerOffSite(request, reply)
    return operationPaths.has(path) ? sendProblem(reply.header('allow', 'POST'), 405) : sendProblem(reply, 404)
  }

  const addSecurityHeaders = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(securityHeaders(isHttps(guard, request)))

  logRequests(app)
  metrics.timeAnswers(app)
  limitPipelining(app, () => metrics.refused('pipelining'))
  closeConnectionsWhenClosing(app, clientErrors)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerNoRoute)
  // A request with an expectation that nobody can meet is one like any other.
  app.server.on('checkExpectation', app.routing)
  // At once: otherwise the body would be read and parsed first.
  app.addHook('onRequest', async (request, reply) => {
    addSecurityHeaders(request, reply)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') return sendProblem(reply, 400, NO_HTTP)
    if (request.is404) return answerNoRoute(request, reply)
  })

  await app.register(async (api) => {
    guardApi(api, guard, metrics.refused)
    acceptOnlyJson(api)
    // The answers are typed by the contract; its schemas would drop, not find, what is wrong with one.
    api.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
    api.addHook('onRoute', ({ url }) => {
      operationPaths.add(url)
    })
    api.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    await api.register(openapiGlue, { specification: CONTRACT, serviceHandlers: createHandlers(store, guard) })
  })
  serveHealth(app, store)
  await serveSite(app, site)
  await app.ready()
  return app
}

function answerError(
  error: FastifyError & { headers?: Record<string, string> },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (error.validation) {
    return sendProblem(reply, 422, { errors: fieldErrors(error.validation, error.validationContext) })
  }
  // Fastify would close the connection while the body still arrives, and the client would never see the answer.
  reply.removeHeader('connection')
  request.raw.resume()
  const status = problemStatus(error.statusCode)
  if (status === 500) request.log.error({ err: error }, 'request failed')
  // With a 416 comes the length that the file has.
  return sendProblem(reply.headers(error.headers ?? {}), status)
}

function problemStatus(status = 500): ProblemStatus {
  if (isProblemStatus(status)) return status
  return status >= 400 && status < 500 ? 400 : 500
}

/** A connection that is kept alive, or was refused, would hold up the end until its client lets go. */
function closeConnectionsWhenClosing(app: FastifyInstance, clientErrors: ClientErrors) {
  let closing = false
  /** Requests that were answered before they were whole. */
  const answeredEarly = new Set<FastifyRequest['raw']>()
  app.server.on('request', (request, response) => {
    response.once('finish', () => {
      if (request.complete) return
      answeredEarly.add(request)
      request.once('close', () => answeredEarly.delete(request))
    })
  })
  app.addHook('preClose', async () => {
    closing = true
    clientErrors.close()
    for (const { socket } of answeredEarly) socket.destroy()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}
