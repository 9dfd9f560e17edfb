import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { isBuilt } from './http/site.ts'
import { startOutbox } from './notifications/outbox.ts'
import { createSenders } from './notifications/senders.ts'
import { readNotificationSettings } from './notifications/settings.ts'
import { createFaultLog } from './observability/fault-log.ts'
import { createLog } from './observability/logging.ts'
import { createMetrics, type Metrics } from './observability/metrics.ts'
import { openStandardOutput } from './observability/standard-output.ts'
import { stopOnSignals } from './shutdown.ts'
import { redactedUrl } from './storage/database-url.ts'
import type { CommitEvents } from './storage/group-commit.ts'
import { openDatabase } from './storage/open-database.ts'
import { countEvents } from './storage/outbox-rows.ts'
import { type Queue, sqlStore } from './storage/sql-store.ts'
import { UserError } from './user-error.ts'

const output = openStandardOutput()

const log = createLog(output)

async function main() {
  const configuration = readConfiguration(process.env)
  const notifications = readNotificationSettings(process.env)
  const site = resolve('dist')
  if (!isBuilt(site)) throw new UserError(`No built page in ${site}: run "npm run build".`)

  const metrics = createMetrics()
  const database = await openDatabase(configuration.database)
  database.onLoss((line) => log.error(line))
  const senders = createSenders(notifications)
  const outbox = startOutbox(database, senders, notifications.firstDelayMs, {
    attempted(channel, result, final) {
      metrics.attempted(channel, result)
      const fields = { channel, code: result.code }
      if (final && !result.delivered) log.error(fields, 'notification failed permanently; run leads outbox --retry')
      else if (!result.delivered) log.warn(fields, 'notification failed; it will be retried')
    },
  })
  const faults = createFaultLog(log)
  const queueEvents = (queue: Queue): CommitEvents => {
    const events = metrics.queueEvents(queue)
    return {
      ...events,
      committed(items, seconds) {
        events.committed(items, seconds)
        faults.committed()
        outbox.wake()
      },
      refused(why, items, cause) {
        events.refused(why, items, cause)
        // A full queue without an error is a burst of calls.
        if (why === 'too-old' || cause) faults.refused(items, cause)
      },
    }
  }
  const store = sqlStore(database, queueEvents, [...senders.keys()])
  const app = await buildApp({ store, site, access: configuration.access, metrics, log })
  metrics.registerGauges(store, [...senders.keys()], () => database.run(countEvents))
  await listen(app, configuration)
  stopOnSignals({ app, store, outbox, log, flush: output.flush, process })
  if (configuration.metricsPort !== null) await listenForMetrics(metrics, configuration.metricsPort)
  console.log(`Data in ${redactedUrl(configuration.database)}`)
  // An unusable database is logged now, not at the first visitor.
  await store.checkReadiness()
}

async function listen(app: FastifyInstance, { port, host }: Configuration) {
  await app.listen({ port, host }).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(
      error.code === 'EADDRINUSE'
        ? `Port ${port} is in use: stop the program that uses it, or set PORT to another port.`
        : `Can't listen on port ${port} of ${host} (${error.code}): set PORT to a free port and HOST to an address of this machine.`,
    )
  })
  console.log(`Listening on ${addressOf(app, host)}`)
}

async function listenForMetrics(metrics: Metrics, port: number) {
  const server = await metrics.listen(port).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`Can't listen on port ${port} of 127.0.0.1 (${error.code}): set METRICS_PORT to another port.`)
  })
  const address = server.address()
  console.log(`Metrics on http://127.0.0.1:${typeof address === 'object' ? address?.port : address}/metrics`)
}

function addressOf(app: FastifyInstance, host: string) {
  const address = app.server.address()
  const port = typeof address === 'object' ? address?.port : address
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'].includes(host)
  return `http://${isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(error.message)
  process.exit(1)
}
