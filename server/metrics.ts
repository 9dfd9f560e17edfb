import fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countUnsent } from './mail/mail-queue.ts'
import type { Settings } from './settings.ts'
import { backupFolder, timeOfNewestBackup } from './storage/backups.ts'
import type { Database } from './storage/database.ts'
import type { Store } from './storage/store.ts'

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Metrics without personal data: route patterns, statuses, counts and times. The series that alerts use begin at 0,
 * because Prometheus sees no increase of a series that begins at 1.
 */
export function createMetrics(store: Store, database: Database, settings: Settings) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const responses = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const housekeepingFailed = new Gauge({
    name: 'leads_housekeeping_failed',
    help: '1 if the last backup or deletion by this server failed, else 0.',
    registers,
  })
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
    help: 'Mails about enquiries that are not sent, by state: pending, or failed permanently. NaN if the database fails.',
    labelNames: ['state'],
    registers,
    async collect() {
      const { pending, failed } = await database.run(countUnsent).catch(() => ({ pending: NaN, failed: NaN }))
      this.set({ state: 'pending' }, pending)
      this.set({ state: 'failed' }, failed)
    },
  })
  const folder = backupFolder(settings)
  if (folder !== null) {
    new Gauge({
      name: 'leads_backup_timestamp_seconds',
      help: 'Modification time of the newest daily backup; 0 if there is none.',
      registers,
      collect() {
        this.set((timeOfNewestBackup(folder)?.getTime() ?? 0) / 1000)
      },
    })
  }

  return {
    /** Measures every response. Call it before the routes are added, because it learns each route as it is added. */
    observeResponses(app: FastifyInstance) {
      app.addHook('onRoute', ({ method, url }) => {
        if (method === 'POST') for (const status of [500, 503]) responses.zero({ method, route: url, status })
      })
      app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
        const route = routeOptions.url ?? 'none'
        responses.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
      })
    },
    housekeepingEnded: (succeeded: boolean) => housekeepingFailed.set(succeeded ? 0 : 1),
    /** Serves the metrics in the text format of Prometheus. Returns the address of the server. */
    listen(port: number, host: string): Promise<string> {
      const server = fastify()
      server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
      return server.listen({ port, host })
    },
  }
}
