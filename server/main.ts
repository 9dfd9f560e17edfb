import { resolve } from 'node:path'
import { buildApp } from './app.ts'
import { startDaily } from './daily.ts'
import { isBuilt } from './http/site.ts'
import { createLog, logMails, logRefusals } from './log.ts'
import { startMailer } from './mail/mailer.ts'
import { createSend } from './mail/smtp.ts'
import { createMetrics } from './metrics.ts'
import { readSettings } from './settings.ts'
import { stopOnSignals } from './shutdown.ts'
import { backupFolder } from './storage/backups.ts'
import { redactedUrl } from './storage/database-url.ts'
import { openDatabase } from './storage/open-database.ts'
import { createStore } from './storage/store.ts'
import { UserError } from './user-error.ts'

async function main() {
  const option = process.argv[2] ?? ''
  if (!['', '--check'].includes(option)) throw new UserError(`Unknown option ${option}: the only option is --check.`)
  const settings = readSettings(process.env)
  // Before an update: nothing listens, and no database is touched.
  if (option === '--check') return
  const site = resolve('dist')
  if (!isBuilt(site)) throw new UserError(`No built page in ${site}: run "npm run build".`)

  // A full disk or a closed pipe behind standard output must not end the server.
  process.stdout.on('error', () => {})
  const log = createLog()
  const metrics = createMetrics()
  const database = await openDatabase(settings.DATABASE_URL, console.log)
  const send = createSend(settings)
  const store = createStore(database, {
    mail: send !== null,
    onRefused: logRefusals(log),
  })
  const app = await buildApp({ store, site, settings, metrics, log })
  metrics.observe({ store, database, backupFolder: backupFolder(settings) })

  const { PORT, HOST, METRICS_PORT, METRICS_HOST } = settings
  if (METRICS_PORT !== null) {
    const address = await metrics.listen(METRICS_PORT, METRICS_HOST).catch(throwUnusablePort('METRICS_', METRICS_PORT))
    console.log(`Metrics on ${address}/metrics`)
  }
  console.log(`Data in ${redactedUrl(settings.DATABASE_URL)}`)
  const address = await app.listen({ port: PORT, host: HOST }).catch(throwUnusablePort('', PORT))
  const mailer = send && startMailer(database, send, settings.NOTIFY_FIRST_DELAY * 1000, logMails(log))
  startDaily({ log, send, onEnd: metrics.dailyEnded })
  stopOnSignals({ app, store, mailer, log, process })
  console.log(`Listening on ${address}`)
  // An unusable database is logged now, not at the first visitor.
  await store.checkReadiness()
}

/** Throws a UserError that says why a TCP port can't be used, and what to do. */
const throwUnusablePort =
  (prefix: '' | 'METRICS_', port: number) =>
  ({ code }: NodeJS.ErrnoException): never => {
    const reason = code === 'EADDRINUSE' ? 'another program uses it' : code
    throw new UserError(
      `Can't listen on port ${port} (${reason}): set ${prefix}PORT to a free port and ${prefix}HOST to an address of this machine.`,
    )
  }

try {
  await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(error.message)
  process.exit(1)
}
