import { resolve } from 'node:path'
import { buildApp } from './app.ts'
import { codeOf, UserError } from './errors.ts'
import { startHousekeeping } from './housekeeping.ts'
import { isBuilt } from './http/site.ts'
import { createLog, logCommits, logMails } from './log.ts'
import { startMailer } from './mail/send-due-mails.ts'
import { createSend } from './mail/smtp.ts'
import { createMetrics } from './metrics.ts'
import { checkBeforeStart } from './preflight.ts'
import { readSettings } from './settings.ts'
import { stopOnSignals } from './shutdown.ts'
import { withoutPassword } from './storage/database-url.ts'
import { openDatabase } from './storage/open-database.ts'
import { createStore } from './storage/store.ts'

async function main() {
  const option = process.argv[2] ?? ''
  if (!['', '--check'].includes(option)) throw new UserError(`Unknown option ${option}: the only option is --check.`)
  const settings = readSettings(process.env)
  checkBeforeStart(process.env, settings)
  // An update runs `--check` while the old server works, so this must not listen on a port or use the database.
  if (option === '--check') return
  const pageFolder = resolve('dist')
  if (!isBuilt(pageFolder)) throw new UserError(`No built page in ${pageFolder}: run "npm run build".`)

  // A full disk or a closed pipe behind standard output must not end the server.
  process.stdout.on('error', () => {})
  const log = createLog()
  const database = await openDatabase(settings.DATABASE_URL, log)
  const send = createSend(settings)
  const store = createStore(database, logCommits(log), send !== null)
  const metrics = createMetrics(store, database, settings)
  const app = await buildApp({ store, pageFolder, settings, metrics, log })

  log.info(`Data in ${withoutPassword(settings.DATABASE_URL)}`)
  const { PORT, HOST, METRICS_PORT, METRICS_HOST } = settings
  if (METRICS_PORT !== null) {
    log.info(`Metrics on ${await waitUntilListening('METRICS_', metrics.listen(METRICS_PORT, METRICS_HOST))}/metrics`)
  }
  // Fastify logs the address.
  await waitUntilListening('', app.listen({ port: PORT, host: HOST }))
  const mailer = send && startMailer(database, send, logMails(log))
  const housekeeping = startHousekeeping(settings, log, send, metrics.housekeepingEnded)
  stopOnSignals(process, log, async () => {
    housekeeping.stop()
    await Promise.all([app.close(), mailer?.stop()])
    await store.close()
  })
  // Write to the database once, so that the log shows a fault now, and not only when a visitor comes.
  await store.checkReadiness()
}

/** Waits until a server listens. If the server can't listen, the error names its settings. */
const waitUntilListening = (prefix: string, start: Promise<string>) =>
  start.catch((error: unknown) => {
    const [port, host] = [`${prefix}PORT`, `${prefix}HOST`]
    throw new UserError(
      `Can't listen (${codeOf(error)}): ${port} must be a free port, and ${host} must be an address of this machine.`,
    )
  })

try {
  await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(error.message)
  process.exit(1)
}
