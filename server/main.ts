import { resolve } from 'node:path'
import { buildApp } from './app.ts'
import { codeOf, UserError } from './errors.ts'
import { startHousekeeping } from './housekeeping.ts'
import { isBuilt } from './http/site.ts'
import { createLog, logMails, logRefusals } from './log.ts'
import { startMailer } from './mail/mailer.ts'
import { createSend } from './mail/smtp.ts'
import { createMetrics } from './metrics.ts'
import { readSettings } from './settings.ts'
import { stopOnSignals } from './shutdown.ts'
import { redactedUrl } from './storage/database-url.ts'
import { openDatabase } from './storage/open-database.ts'
import { createStore } from './storage/store.ts'

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
  const database = await openDatabase(settings.DATABASE_URL, (line) => log.info(line))
  const send = createSend(settings)
  const store = createStore(database, logRefusals(log), send !== null)
  const metrics = createMetrics(store, database, settings)
  const app = await buildApp({ store, site, settings, metrics, log })

  log.info(`Data in ${redactedUrl(settings.DATABASE_URL)}`)
  const { PORT, HOST, METRICS_PORT, METRICS_HOST } = settings
  try {
    if (METRICS_PORT !== null) log.info(`Metrics on ${await metrics.listen(METRICS_PORT, METRICS_HOST)}/metrics`)
    // It logs its address.
    await app.listen({ port: PORT, host: HOST })
  } catch (error) {
    const { port } = Object(error)
    throw new UserError(
      `Can't listen on port ${port} (${codeOf(error)}): PORT and METRICS_PORT must be free, HOST and METRICS_HOST addresses of this machine.`,
    )
  }
  const mailer = send && startMailer(database, send, logMails(log))
  const housekeeping = startHousekeeping(settings, log, send, metrics.housekeepingEnded)
  stopOnSignals(process, log, async () => {
    housekeeping.stop()
    await Promise.all([app.close(), mailer?.stop()])
    await store.close()
  })
  // An unusable database is logged now, not at the first visitor.
  await store.checkReadiness()
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(error.message)
  process.exit(1)
}
