import type { Server } from 'node:net'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { isBuilt } from './http/site.ts'
import { readKeepSettings } from './keep-settings.ts'
import { startOutbox } from './messages/outbox.ts'
import { createSenders } from './messages/senders.ts'
import { readMessageSettings } from './messages/settings.ts'
import { createLog, logDeliveries, logStore, openStandardOutput } from './observability/log.ts'
import { createMetrics, type Metrics } from './observability/metrics.ts'
import { settingsOf } from './setting-names.ts'
import { stopOnSignals } from './shutdown.ts'
import { redactedUrl } from './storage/database-url.ts'
import { openDatabase } from './storage/open-database.ts'
import { countMessages } from './storage/outbox-rows.ts'
import { createStore, type StoreEvents } from './storage/store.ts'
import { UserError } from './user-error.ts'

async function main() {
  const option = process.argv[2] ?? ''
  if (!['', '--check'].includes(option)) throw new UserError(`Unknown option ${option}: the only option is --check.`)
  const settings = settingsOf(process.env)
  const configuration = readConfiguration(settings)
  const messages = readMessageSettings(settings)
  // The server does not use these, but they are in the same file.
  readKeepSettings(settings)
  // The installer checks the settings with this option: nothing listens, and no database is touched.
  if (option === '--check') return
  const site = resolve('dist')
  if (!isBuilt(site)) throw new UserError(`No built page in ${site}: run "npm run build".`)

  const output = openStandardOutput()
  const log = createLog(output)
  const metrics = createMetrics()
  const database = await openDatabase(configuration.database, console.log)
  const senders = createSenders(messages)
  const channels = [...senders.keys()]
  const store = createStore(database, { channels, events: notifyAll(metrics.storeEvents, logStore(log)) })
  const app = await buildApp({ store, site, access: configuration.access, metrics, log })
  metrics.observe({ store, channels, countMessages: () => database.run(countMessages) })

  const metricsServer = await listenForMetrics(metrics, configuration)
  await listen(app, configuration)
  const outbox = startOutbox(database, senders, messages.firstDelayMs, logDeliveries(log))
  stopOnSignals({ app, store, outbox, log, flush: output.flush, process })
  console.log(`Listening on ${addressOf(app.server, configuration.host)}`)
  if (metricsServer) console.log(`Metrics on ${addressOf(metricsServer, configuration.metricsHost)}/metrics`)
  console.log(`Data in ${redactedUrl(configuration.database)}`)
  // An unusable database is logged now, not at the first visitor.
  await store.checkReadiness()
}

const notifyAll = (...listeners: readonly StoreEvents[]): StoreEvents => ({
  committed() {
    for (const { committed } of listeners) committed()
  },
  refused(calls, error) {
    for (const { refused } of listeners) refused(calls, error)
  },
})

const listen = (app: FastifyInstance, { port, host }: Configuration) =>
  app.listen({ port, host }).catch(throwUnusablePort('PORT', port, host))

async function listenForMetrics(metrics: Metrics, { metricsPort: port, metricsHost: host }: Configuration) {
  if (port === null) return null
  return metrics.listen(port, host).catch(throwUnusablePort('METRICS_PORT', port, host))
}

/** Throws a UserError that says why a TCP port can't be used, and what to do. */
const throwUnusablePort =
  (setting: 'PORT' | 'METRICS_PORT', port: number, host: string) =>
  ({ code }: NodeJS.ErrnoException): never => {
    if (code === 'EADDRINUSE') {
      throw new UserError(`Port ${port} is in use: stop the program that uses it, or set ${setting} to another port.`)
    }
    throw new UserError(
      `Can't listen on port ${port} of ${host} (${code}): set ${setting} to a free port and ${setting.replace('PORT', 'HOST')} to an address of this machine.`,
    )
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
  console.error(error.message)
  process.exit(1)
}
