import fastify, { type FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Channel, Database } from './storage/database.ts'
import { countMessages } from './storage/outbox-rows.ts'
import type { Store } from './storage/store.ts'

export type Metrics = ReturnType<typeof createMetrics>

type Sources = { readonly store: Store; readonly database: Database; readonly channels: readonly Channel[] }

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
  const refusedCalls = new Counter({
    name: 'leads_refused_total',
    help: 'Calls answered 503, because their commit was given up or too many wait.',
    registers,
  })
  const lastDaily = new Gauge({
    name: 'leads_daily_success_timestamp_seconds',
    help: 'When the daily backup and deletion last succeeded, or else when this server started.',
    registers,
  })
  lastDaily.setToCurrentTime()

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
    refused: (calls: number) => refusedCalls.inc(calls),
    dailySucceeded: () => lastDaily.setToCurrentTime(),
    /** Adds the metrics that are read at each scrape. Counts of messages are NaN while the database is unavailable. */
    observe({ store, database, channels }: Sources) {
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
          const counts = await database.run(countMessages).catch(() => null)
          for (const channel of channels) {
            for (const state of ['pending', 'failed'] as const) {
              const row = counts?.find((row) => row.channel === channel && row.state === state)
              this.set({ channel, state }, counts ? (row?.messages ?? 0) : Number.NaN)
            }
          }
        },
      })
    },
    /** Serves the metrics in Prometheus' text format. Returns the address of the server. */
    listen(port: number, host: string): Promise<string> {
      const server = fastify()
      server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
      return server.listen({ port, host })
    },
  }
}
