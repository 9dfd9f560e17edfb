import type { Server } from 'node:net'
import { resolve } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { isBuilt } from './http/site.ts'
import { checkPorts, METRICS_HOST, throwUnusablePort } from './listening.ts'
import { startOutbox } from './messages/outbox.ts'
import { createSenders } from './messages/senders.ts'
import { readMessageSettings } from './messages/settings.ts'
import { createLog } from './observability/logging.ts'
import { createMetrics, type Metrics } from './observability/metrics.ts'
import { logDatabaseOutages, logDeliveryOutages } from './observability/outages.ts'
import { openStandardOutput, priorityFor } from './observability/standard-output.ts'
import { stopOnSignals } from './shutdown.ts'
import { redactedUrl } from './storage/database-url.ts'
import type { CommitEvents } from './storage/group-commit.ts'
import { openDatabase } from './storage/open-database.ts'
import { countMessages } from './storage/outbox-rows.ts'
import { senderLock } from './storage/sender-lock.ts'
import { sqlStore } from './storage/sql-store.ts'
import { UserError } from './user-error.ts'

async function main() {
  const option = process.argv[2] ?? ''
  if (!['', '--check'].includes(option)) throw new UserError(`There is no option ${option}, only --check.`)
  const configuration = readConfiguration(process.env)
  const messages = readMessageSettings(process.env)
  // `--check` is for who installs a release: nothing listens, and no file or database is touched.
  if (option === '--check') return
  const site = resolve('dist')
  if (!isBuilt(site)) throw new UserError(`No built page in ${site}: run "npm run build".`)
  await checkPorts(configuration)

  const output = openStandardOutput()
  const log = createLog(output)
  const metrics = createMetrics()
  const database = await openDatabase(configuration.database, console.log)
  const senders = createSenders(messages)
  const channels = [...senders.keys()]
  const store = sqlStore(database, commitEvents(metrics, log), channels)
  const app = await buildApp({ store, site, access: configuration.access, metrics, log })
  metrics.registerGauges({
    store,
    channels,
    countMessages: () => database.run(countMessages),
    file: configuration.database.kind === 'sqlite' ? configuration.database.file : null,
  })

  const metricsServer = await listenForMetrics(metrics, configuration)
  await listen(app, configuration)
  const lock = senderLock(configuration.database)
  const outbox = startOutbox(database, lock, senders, messages.firstDelayMs, logDeliveryOutages(log))
  stopOnSignals({ app, store, outbox, log, flush: output.flush, process })
  console.log(`Listening on ${addressOf(app.server, configuration.host)}`)
  if (metricsServer) console.log(`Metrics on http://${METRICS_HOST}:${portOf(metricsServer)}/metrics`)
  console.log(`Data in ${redactedUrl(configuration.database)}`)
  // An unusable database is logged now, not at the first visitor.
  await store.checkReadiness()
}

function commitEvents({ commitEvents: counted }: Metrics, log: FastifyBaseLogger): CommitEvents {
  const outages = logDatabaseOutages(log)
  return {
    failed: counted.failed,
    committed(seconds) {
      counted.committed(seconds)
      outages.committed()
    },
    refused(why, cause) {
      counted.refused(why, cause)
      // A full queue without an error is a burst of calls.
      if (why === 'timeout' || cause) outages.refused(cause)
    },
  }
}

const listen = (app: FastifyInstance, { port, host }: Configuration) =>
  app.listen({ port, host }).catch(throwUnusablePort('PORT', port, host))

async function listenForMetrics(metrics: Metrics, { metricsPort: port }: Configuration) {
  if (port === null) return null
  return metrics.listen(port).catch(throwUnusablePort('METRICS_PORT', port, METRICS_HOST))
}

function addressOf(server: Server, host: string) {
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'].includes(host)
  return `http://${isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${portOf(server)}`
}

function portOf(server: Server) {
  const address = server.address()
  return typeof address === 'object' ? address?.port : address
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(priorityFor(process.stderr, 'error') + error.message)
  process.exit(1)
}
