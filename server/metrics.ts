import fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countUnsent } from './mail/due.ts'
import { timeOfNewestBackup } from './storage/backups.ts'
import type { Database } from './storage/database.ts'
import type { Store } from './storage/store.ts'

export type Metrics = ReturnType<typeof createMetrics>

type Sources = {
  readonly store: Store
  readonly database: Database
  /** Null for PostgreSQL. */
  readonly backupFolder: string | null
}

const UNKNOWN = { pending: Number.NaN, failed: Number.NaN }

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
  const dailyFailed = new Gauge({
    name: 'leads_daily_failed',
    help: '1 if the last daily backup or deletion of this server failed, else 0.',
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
    dailyEnded: (succeeded: boolean) => dailyFailed.set(succeeded ? 0 : 1),
    /** Adds the metrics that are read at each scrape. Counts of mails are NaN while the database is unavailable. */
    observe({ store, database, backupFolder }: Sources) {
      collectDefaultMetrics({ register: registry })
      new Gauge({
        name: 'leads_database_up',
        help: '1 if rows can be stored, as /readyz reports, else 0.',
        registers,
        async collect() {
          this.set((await store.checkReadiness()) === 'ready' ? 1 : 0)
        },
      })
      new Gauge({
        name: 'leads_mails',
        help: 'Mails about enquiries that are not sent, by state: pending, or failed permanently.',
        labelNames: ['state'],
        registers,
        async collect() {
          const { pending, failed } = await database.run(countUnsent).catch(() => UNKNOWN)
          this.set({ state: 'pending' }, pending)
          this.set({ state: 'failed' }, failed)
        },
      })
      if (backupFolder === null) return
      new Gauge({
        name: 'leads_backup_timestamp_seconds',
        help: 'When the newest daily backup was made, by its file; 0 if there is none.',
        registers,
        collect() {
          this.set(timeOfNewestBackup(backupFolder) / 1000)
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
