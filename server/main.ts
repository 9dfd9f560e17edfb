import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Configuration, readConfiguration, StartError } from './configuration.ts'
import { isBuilt } from './http/site.ts'
import { startOutbox } from './notifications/outbox.ts'
import { createSenders } from './notifications/sender.ts'
import { readWays } from './notifications/ways.ts'
import { createFaultLog } from './observability/fault-log.ts'
import { createLog } from './observability/logging.ts'
import { createMetrics, type Metrics } from './observability/metrics.ts'
import { openStandardOutput } from './observability/standard-output.ts'
import { stopOnSignals } from './shutdown.ts'
import type { CommitEvents } from './storage/group-commit.ts'
import { nameOf, openDatabase } from './storage/open-database.ts'
import { countEvents } from './storage/outbox-rows.ts'
import { type Queue, sqlStore } from './storage/sql-store.ts'

const output = openStandardOutput()

const log = createLog(output)

async function main() {
  const configuration = readConfiguration(process.env)
  const ways = readWays(process.env)
  const site = resolve('dist')
  if (!isBuilt(site)) throw new StartError(`No built page in ${site}: run "npm run build" first.`)

  const metrics = createMetrics()
  const database = await openDatabase(configuration.database)
  database.onLoss((line) => log.error(line))
  const senders = createSenders(ways)
  const outbox = startOutbox(database, senders, ways.firstDelay, {
    tried(way, report, over) {
      metrics.tried(way, report)
      const fields = { way, said: report.said }
      if (over && !report.taken) log.error(fields, 'a notification is not tried again by itself')
      else if (!report.taken) log.warn(fields, 'a notification was not taken')
    },
  })
  const faults = createFaultLog(log)
  const eventsOf = (queue: Queue): CommitEvents => {
    const events = metrics.eventsOf(queue)
    return {
      ...events,
      committed(items, seconds) {
        events.committed(items, seconds)
        faults.committed()
        outbox.wake()
      },
      refused(why, items, cause) {
        events.refused(why, items, cause)
        // A queue that is full without a fault is a rush.
        if (why === 'too-old' || cause) faults.refused(items, cause)
      },
    }
  }
  const store = sqlStore(database, eventsOf, [...senders.keys()])
  const app = await buildApp({ store, site, guard: configuration.guard, metrics, log })
  metrics.watch(store, [...senders.keys()], () => database.run(countEvents))
  await listen(app, configuration)
  stopOnSignals({ app, store, outbox, log, flush: output.flush, process })
  if (configuration.metricsPort !== null) await listenForMetrics(metrics, configuration.metricsPort)
  console.log(`Data in ${nameOf(configuration.database)}`)
  // A database that can't be used is told of now, not by the first visitor.
  await store.checkReadiness()
}

async function listen(app: FastifyInstance, { port, host }: Configuration) {
  await app.listen({ port, host }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      error.code === 'EADDRINUSE'
        ? `Port ${port} is in use: stop the program that uses it, or set PORT to another.`
        : `Can't listen on port ${port} of ${host} (${error.code}): set PORT and HOST to what this machine has.`,
    )
  })
  console.log(`Listening on ${addressOf(app, host)}`)
}

async function listenForMetrics(metrics: Metrics, port: number) {
  const server = await metrics.listen(port).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`Can't listen on port ${port} of 127.0.0.1 (${error.code}): set METRICS_PORT to another.`)
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
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exit(1)
}
