import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Configuration, readConfiguration, StartError } from './configuration.ts'
import { openSqlite } from './database.ts'
import { isBuilt } from './site.ts'
import { sqlStore } from './sql-store.ts'
import type { Store } from './store.ts'

/** Milliseconds that requests under way get to end once a signal came. */
const GRACE = 3000

async function main() {
  const configuration = readConfiguration(process.env)
  const site = resolve('dist')
  if (!isBuilt(site)) throw new StartError(`No built page in ${site}: run "npm run build" first.`)

  const db = await openDatabase(configuration.databaseFile)
  const store = sqlStore(db, (cause) => app.log.error({ err: cause }, 'refused what the database did not take in time'))
  const app = await buildApp({ store, site })
  await listen(app, configuration)
  stopOnSignals(app, store)
  console.log(`Data in ${configuration.databaseFile}`)
}

function openDatabase(file: string) {
  return openSqlite(file).catch((error: Error) => {
    throw new StartError(
      `Can't use the database ${file} (${error.message}): name a file that can be written in DATABASE_URL.`,
    )
  })
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

function addressOf(app: FastifyInstance, host: string) {
  const address = app.server.address()
  const port = typeof address === 'object' ? address?.port : address
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'].includes(host)
  return `http://${isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`
}

function stopOnSignals(app: FastifyInstance, store: Store) {
  let stoppingSince: number | null = null
  const onSignal = () => {
    // npm passes on the Ctrl-C that the terminal has sent already: only a later signal is a second one.
    if (stoppingSince !== null && performance.now() - stoppingSince > 1000) process.exit(1)
    if (stoppingSince !== null) return
    stoppingSince = performance.now()
    void stop(app, store)
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
}

async function stop(app: FastifyInstance, store: Store) {
  setTimeout(() => app.server.closeAllConnections(), GRACE).unref()
  await app.close()
  await store.close()
  process.exit(0)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exit(1)
}
