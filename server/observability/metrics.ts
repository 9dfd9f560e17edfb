import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Channel } from '../storage/database.ts'
import type { countMessages } from '../storage/outbox-rows.ts'
import type { Store, StoreEvents } from '../storage/store.ts'

export type Metrics = ReturnType<typeof createMetrics>

type Sources = {
  readonly store: Pick<Store, 'checkReadiness'>
  readonly channels: readonly Channel[]
  readonly countMessages: () => ReturnType<typeof countMessages>
}

/** Metrics without personal data: route patterns, statuses, counts and times. Each series begins at 0. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const responses = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const failedCommits = new Counter({
    name: 'leads_failed_commits_total',
    help: 'Commits that were given up.',
    registers,
  })
  const refusedCalls = new Counter({
    name: 'leads_refused_total',
    help: 'Calls answered 503, because their commit was given up or too many wait.',
    registers,
  })

  return {
    /** Measures every response; to be called before the app is ready. */
    observeResponses(app: FastifyInstance) {
      app.addHook('onRoute', ({ method, url }) => {
        if (method === 'POST') for (const status of [500, 503]) responses.zero({ method, route: url, status })
      })
      app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
        const route = routeOptions.url ?? 'none'
        responses.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
      })
    },
    storeEvents: {
      committed() {},
      refused(calls, error) {
        refusedCalls.inc(calls)
        if (error !== null) failedCommits.inc()
      },
    } satisfies StoreEvents,
    /** Adds the metrics that are read at each scrape. Counts of messages are NaN while the database is unavailable. */
    observe({ store, channels, countMessages }: Sources) {
      collectDefaultMetrics({ register: registry })
      new Gauge({
        name: 'leads_database_up',
        help: '1 if leads can be stored, as /readyz reports, else 0.',
        registers,
        async collect() {
          this.set((await store.checkReadiness()) === 'ready' ? 1 : 0)
        },
      })
      new Gauge({
        name: 'leads_messages',
        help: 'Messages not delivered, by channel and state: pending, or failed permanently.',
        labelNames: ['channel', 'state'],
        registers,
        async collect() {
          const counts = await countMessages().catch(() => null)
          for (const channel of channels) {
            for (const state of ['pending', 'failed'] as const) {
              const matchingRow = counts?.find((row) => row.channel === channel && row.state === state)
              this.set({ channel, state }, counts ? (matchingRow?.messages ?? 0) : Number.NaN)
            }
          }
        },
      })
    },
    /** Serves the metrics in Prometheus' text format. */
    listen(port: number, host: string): Promise<Server> {
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
      server.once('error', reject).listen(port, host, () => resolve(server))
      return promise
    },
  }
}
