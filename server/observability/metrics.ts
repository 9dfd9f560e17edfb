import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Refusal as GuardRefusal } from '../http/access.ts'
import type { Report } from '../notifications/sender.ts'
import type { Way } from '../storage/database.ts'
import type { CommitEvents } from '../storage/group-commit.ts'
import type { Queue } from '../storage/sql-store.ts'
import type { Store } from '../storage/store.ts'
import { type EventCounts, registerGauges } from './gauges.ts'

/** Why something that came was not taken, though it may have been right. */
type Refusal = GuardRefusal | 'pipelining' | Parameters<CommitEvents['refused']>[0]

export type Metrics = {
  /** Times every answer; before the app is ready. */
  timeAnswers(app: FastifyInstance): void
  eventsOf(queue: Queue): CommitEvents
  refused(reason: Refusal, count?: number): void
  /** Counts a notification that was sent, or was to be. */
  tried(way: Way, report: Report): void
  /** Tells of the database, of what waits in store and outbox, and of the process, when somebody asks. */
  watch(store: Store, ways: readonly Way[], countEvents: () => Promise<EventCounts>): void
  /** Serves them on a port of loopback, in the text format of Prometheus. */
  listen(port: number): Promise<Server>
}

/** Figures without personal data: routes as they are written in the code, statuses, counts and times. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const answers = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const commits = new Histogram({
    name: 'leads_commit_duration_seconds',
    help: 'Time that commits took, by queue; their number is its count.',
    labelNames: ['queue'],
    registers,
  })
  const committed = new Counter({
    name: 'leads_committed_total',
    help: 'Items committed, by queue.',
    labelNames: ['queue'],
    registers,
  })
  const failed = new Counter({
    name: 'leads_failed_commits_total',
    help: 'Commits that failed and were tried again, by queue.',
    labelNames: ['queue'],
    registers,
  })
  const refusals = new Counter({
    name: 'leads_refused_total',
    help: 'Requests and items that were refused, by reason.',
    labelNames: ['reason'],
    registers,
  })
  // An alert looks for more than there were.
  for (const reason of ['queue-full', 'too-old'] as const) refusals.inc({ reason }, 0)
  const tries = new Counter({
    name: 'leads_notification_tries_total',
    help: 'Notifications that were sent off, by way and by whether they were taken.',
    labelNames: ['way', 'taken'],
    registers,
  })
  const refused = (reason: Refusal, count = 1) => refusals.inc({ reason }, count)

  return {
    timeAnswers(app) {
      app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
        const route = routeOptions.url ?? 'none'
        answers.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
      })
    },
    eventsOf: (queue) => ({
      committed(items, seconds) {
        committed.inc({ queue }, items)
        commits.observe({ queue }, seconds)
      },
      failed: () => failed.inc({ queue }),
      refused,
    }),
    refused,
    tried: (way, { taken }) => tries.inc({ way, taken: String(taken) }),
    watch(store, ways, countEvents) {
      registerGauges(registry, store, ways, countEvents)
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
      server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server))
      return promise
    },
  }
}
