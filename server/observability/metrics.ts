import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { AccessRefusal } from '../http/access.ts'
import { METRICS_HOST } from '../listening.ts'
import type { CommitEvents } from '../storage/group-commit.ts'
import { registerGauges, type Sources } from './gauges.ts'

/** Why a request or item was refused, though it may have been valid. */
type RefusalReason = AccessRefusal | 'pipelining' | Parameters<CommitEvents['refused']>[0]

export type Metrics = {
  /** Measures every response; call it before the app is ready. */
  observeResponses(app: FastifyInstance): void
  readonly commitEvents: CommitEvents
  refused(reason: RefusalReason, count?: number): void
  /** Adds the metrics of database, store, outbox and process, which are read at each scrape. */
  registerGauges(sources: Sources): void
  /** Serves the metrics on a TCP port of loopback, in Prometheus' text format. */
  listen(port: number): Promise<Server>
}

/** Metrics without personal data: route patterns, statuses, counts and times. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const responses = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response, by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const commits = new Histogram({
    name: 'leads_commit_duration_seconds',
    help: 'Duration of commits.',
    registers,
  })
  const failed = new Counter({
    name: 'leads_failed_commits_total',
    help: 'Commits that failed and were retried.',
    registers,
  })
  const refusals = new Counter({
    name: 'leads_refused_total',
    help: 'Requests and calls refused, by reason.',
    labelNames: ['reason'],
    registers,
  })
  // An alert on an increase needs a first value.
  for (const reason of ['queue-full', 'timeout'] as const) refusals.inc({ reason }, 0)
  const refused = (reason: RefusalReason, count = 1) => refusals.inc({ reason }, count)

  return {
    observeResponses(app) {
      app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
        const route = routeOptions.url ?? 'none'
        responses.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
      })
    },
    commitEvents: {
      committed: (seconds) => commits.observe(seconds),
      failed: () => failed.inc(),
      refused: (why) => refused(why),
    },
    refused,
    registerGauges(sources) {
      registerGauges(registry, sources)
      collectDefaultMetrics({ register: registry })
    },
    listen(port) {
      const server = createServer((request, response) => {
        if (request.url !== '/metrics') {
          response.writeHead(404).end()
          return
        }
        registry.metrics().then(
          (text) => response.setHeader('content-type', registry.contentType).end(text),
          () => response.writeHead(500).end(),
        )
      })
      const { promise, resolve, reject } = Promise.withResolvers<Server>()
      server.once('error', reject).listen(port, METRICS_HOST, () => resolve(server))
      return promise
    },
  }
}
