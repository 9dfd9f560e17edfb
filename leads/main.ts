import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { databaseOf, readDatabase, StartError } from '../server/configuration.ts'
import { createSenders, sendTest } from '../server/notifications/sender.ts'
import { readWays } from '../server/notifications/ways.ts'
import { type Database, UnusableDatabase } from '../server/storage/database.ts'
import { knownFault } from '../server/storage/database-fault.ts'
import { retryAll } from '../server/storage/outbox-rows.ts'
import { emailKey } from '../server/storage/sql-store.ts'
import { adviceOn } from './advice.ts'
import { backup, copy, restore } from './copy.ts'
import { loadEnvironmentFile } from './environment-file.ts'
import { KINDS, type Kind, type Table, withDatabase } from './leads.ts'
import { say } from './progress.ts'
import { COLUMNS, exportRows, findRows, readRow, VIEWS } from './read.ts'
import { findIds, removeRows, scrub } from './remove.ts'
import { chartOf, readStats } from './stats.ts'
import { csvOf, type Fields, jsonOf, shown, tableOf } from './text.ts'

type Format = { readonly json?: true; readonly csv?: true }

const ours = () => databaseOf(process.env)

const readLeads = <Answer>(work: (database: Database) => Promise<Answer>) =>
  withDatabase(ours(), { access: 'read' }, work)

const changeLeads = <Answer>(work: (database: Database) => Promise<Answer>) =>
  withDatabase(ours(), { access: 'write' }, work)

const write = (data: string) => process.stdout.write(data)

function printRows(table: Table, rows: readonly Fields[], limit: number, { json, csv }: Format) {
  const newest = rows.slice(0, limit)
  if (json || csv) write(json ? jsonOf(newest) : csvOf(newest, COLUMNS[table]))
  else if (newest.length > 0) write(tableOf(newest.map(VIEWS[table])))
  else say('There are none.')
  if (rows.length > limit) say(`These are the newest ${limit}; there are more: see --limit.`)
}

function readTime(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const time = days ? Date.now() - Number(days) * 86_400_000 : Date.parse(`${text}T00:00Z`)
  const date = Number.isNaN(time) ? '' : new Date(time).toISOString()
  if (days || (date !== '' && date.slice(0, 10) === text)) return date
  throw new InvalidArgumentError('It must be days, for example 7d, or a date of UTC, for example 2026-11-01.')
}

function readPast(text: string): string {
  const time = readTime(text)
  if (time <= new Date().toISOString()) return time
  throw new InvalidArgumentError('It must be a day that was: everything there is came before that one.')
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999.')
}

function readId(text: string): [Kind, number] {
  const [, letter, number] = /^([se])(\d{1,15})$/.exec(text) ?? []
  if (number) return [letter === 's' ? 'subscribers' : 'enquiries', Number(number)]
  throw new InvalidArgumentError('It must be s and the number of a subscriber, for example s12, or e7 for enquiry 7.')
}

async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new StartError('Nothing was erased, for nobody can be asked: add --yes to erase.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C rejects the question, and Ctrl-D leaves it open: both are no consent.
  const question = terminal.question('Erase them for good? [y/N] ').catch(() => '')
  const answer = await Promise.race([question, once(terminal, 'close').then(() => '')])
  terminal.close()
  return /^\s*y(es)?\s*$/i.test(answer)
}

async function removeForGood(database: Database, ids: Parameters<typeof removeRows>[1]) {
  const isFile = ours().kind === 'sqlite'
  await removeRows(database, ids, isFile)
  if (isFile) await scrub(database)
}

/** How it was called: by npm in a checkout, or as `bin/leads` of a release. */
const COMMAND = process.env.npm_lifecycle_event === 'leads' ? 'npm run -s leads --' : 'leads'

const program = new Command(COMMAND)
  .description('Finds, exports and erases what visitors left, in the database of DATABASE_URL. Times and days are UTC.')
  .hook('preAction', () => {
    const { LEADS_ENVIRONMENT_FILE } = process.env
    if (LEADS_ENVIRONMENT_FILE) loadEnvironmentFile(LEADS_ENVIRONMENT_FILE, process.env)
  })
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))

const command = (usage: string, description: string, example = usage) =>
  program.command(usage).description(description).addHelpText('after', `\nExample:\n  ${COMMAND} ${example}`)

const kind = () => new Argument('<kind>').choices(KINDS)
const since = () => new Option('--since <time>', 'days, as 7d, or a date of UTC, as 2026-11-01').argParser(readTime)
const limit = () => new Option('--limit <number>', 'at most so many').argParser(readLimit).default(20)
const json = () => new Option('--json', 'print JSON')
const csv = () => new Option('--csv', 'print CSV without live formulas')

command('stats', 'totals, today, the last 14 days, and enquiries that are not sent yet')
  .addOption(json())
  .addOption(csv())
  .action(async (format: Format) => {
    const stats = await readLeads(readStats)
    write(format.json ? jsonOf(stats) : format.csv ? csvOf(stats.days, ['day', ...KINDS]) : chartOf(stats))
  })

command('list', 'the newest', 'list enquiries --since 7d --search "no water"')
  .addArgument(kind())
  .addOption(since())
  .option('--search <text>', 'those that hold it, in capitals or not')
  .addOption(limit())
  .addOption(json())
  .addOption(csv())
  .action(async (kind: Kind, options: Format & { since?: string; search?: string; limit: number }) => {
    printRows(kind, await readLeads((database) => findRows(database, kind, options)), options.limit, options)
  })

command('show', 'one of them, whole', 'show e7')
  .argument('<id>', 's and the number of a subscriber, as s12, or e and the number of an enquiry, as e7', readId)
  .addOption(json())
  .action(async ([kind, id]: [Kind, number], { json }: Format) => {
    const row = await readLeads((database) => readRow(database, kind, id))
    const lines = Object.entries(row).map(([name, value]) => `${name}: ${shown(`${value}`).replaceAll('\n', '\n  ')}\n`)
    write(json ? jsonOf(row) : lines.join(''))
  })

command(
  'export',
  'all of them, as CSV without live formulas',
  'export enquiries --since 2026-11-01 --out enquiries.csv',
)
  .addArgument(kind())
  .addOption(since())
  .option('--out <file>', 'instead of standard output; for your eyes only, and in place of what it held')
  .action((kind: Kind, { since, out }: { since?: string; out?: string }) =>
    readLeads((database) => exportRows(database, kind, since, out)),
  )

command('erase', 'all that came from an address, however it was spelled', 'erase visitor@example.com')
  .argument('<email>')
  .option('--yes', 'do not ask')
  .action((email: string, { yes }: { yes?: true }) =>
    changeLeads(async (database) => {
      const ids = await findIds(database, (row) => emailKey(row.email) === emailKey(email.trim()))
      const found = [...ids.subscribers.map((id) => `s${id}`), ...ids.enquiries.map((id) => `e${id}`)]
      say(`Found: ${found.join(' ') || 'nothing'}`)
      if (found.length === 0 || yes || (await agrees())) await removeForGood(database, ids)
      else say('Nothing was erased.')
    }),
  )

command('purge', 'what is older than you promise to keep it', 'purge --older-than 365d --dry-run')
  .requiredOption('--older-than <time>', 'days, as 365d, or a date of UTC, as 2026-11-01', readPast)
  .option('--dry-run', 'only count')
  .option('--yes', 'do not ask')
  .action(({ olderThan, dryRun, yes }: { olderThan: string; dryRun?: true; yes?: true }) =>
    (dryRun ? readLeads : changeLeads)(async (database) => {
      const ids = await findIds(database, (row) => row.created_at < olderThan)
      const count = ids.subscribers.length + ids.enquiries.length
      say(`Older than ${olderThan}: ${ids.subscribers.length} subscribers, ${ids.enquiries.length} enquiries`)
      if (dryRun) return
      if (count === 0 || yes || (await agrees())) await removeForGood(database, ids)
      else say('Nothing was erased.')
    }),
  )

command('copy', 'everything into a database without rows', 'copy --to postgres://user@db.example.com/leads')
  .requiredOption('--to <url>', 'as in DATABASE_URL')
  .action(({ to }: { to: string }) => copy(ours(), readDatabase('--to', to), '--to'))

command('backup <file>', 'everything into a new SQLite file', 'backup leads-2026-11-01.db').action((file: string) =>
  backup(ours(), file),
)

command('restore <file>', 'a backup into a database without rows', 'restore leads-2026-11-01.db').action(
  (file: string) => restore(file, ours()),
)

command('outbox', 'notifications that wait or failed, and why', 'outbox --retry')
  .option('--retry', 'try all of them again now')
  .addOption(limit())
  .addOption(json())
  .addOption(csv())
  .action(async (options: Format & { retry?: true; limit: number }) => {
    if (options.retry) say(`To be tried again: ${await changeLeads((database) => database.run(retryAll))}`)
    else
      printRows('outbox', await readLeads((database) => findRows(database, 'outbox', options)), options.limit, options)
  })

command('notify-test', 'sends a test message each way that is configured').action(async () => {
  const reports = await sendTest(createSenders(readWays(process.env)))
  if (reports.length === 0) throw new StartError('No way is configured: set NOTIFY_SMTP_URL or NOTIFY_WEBHOOK_URL.')
  for (const { way, taken, said } of reports) {
    say(taken ? `${way}: taken (${said})` : `${way}: not taken (${said}). ${adviceOn(said)}`)
  }
  if (reports.some(({ taken }) => !taken)) process.exitCode = 1
})

// Of a host that does not answer there is a code and no message.
const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message || ('code' in error ? error.code : error.name) : error

/** Errors of files name them. */
const adviceFor = (error: unknown) =>
  error instanceof Error && 'path' in error
    ? 'see that its folder is there and may be written, and that the disk has room.'
    : (knownFault(error) ?? 'see that DATABASE_URL (and --to) names a database that can be used.')

process.on('SIGHUP', () => process.exit(129))
process.on('SIGINT', () => process.exit(130)).on('SIGTERM', () => process.exit(143))
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // Whoever reads along has seen enough: `| head`.
  if (code === 'EPIPE') process.exit()
  say(`Standard output takes no more (${code}): what it got is not whole.`)
  process.exit(1)
})
try {
  await program.parseAsync()
} catch (error) {
  const isWhole = error instanceof StartError || error instanceof UnusableDatabase
  say(isWhole ? error.message : `${reasonOf(error)}: ${adviceFor(error)}`)
  process.exit(1)
}
