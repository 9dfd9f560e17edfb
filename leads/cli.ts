import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Argument, Command, CommanderError, Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { createSenders, sendTest } from '../server/notifications/senders.ts'
import { readNotificationSettings } from '../server/notifications/settings.ts'
import { type Database, UnusableDatabase } from '../server/storage/database.ts'
import { describeKnownError } from '../server/storage/database-errors.ts'
import { parseDatabaseUrl, readDatabaseUrl } from '../server/storage/database-url.ts'
import { retryAll } from '../server/storage/outbox-rows.ts'
import { normalizeEmail } from '../server/storage/sql-store.ts'
import { UserError } from '../server/user-error.ts'
import { adviceFor } from './advice.ts'
import { readId, readLimit, readPast, readTime } from './arguments.ts'
import { backup, copy, restore } from './copy.ts'
import { KINDS, type Kind, type Table, withDatabase } from './database.ts'
import { escapeForTerminal, type Fields, formatCsv, formatJson, formatTable } from './format.ts'
import { printStatus } from './progress.ts'
import { exportedColumns, exportRows, findRows, readRow, VIEWS } from './read.ts'
import { findIds, removeRows, vacuum } from './remove.ts'
import { formatChart, readStats } from './stats.ts'

type Format = { readonly json?: true; readonly csv?: true }

const configuredDatabase = () => readDatabaseUrl(process.env)

const readLeads = <Answer>(work: (database: Database) => Promise<Answer>) =>
  withDatabase(configuredDatabase(), { access: 'read' }, work)

const changeLeads = <Answer>(work: (database: Database) => Promise<Answer>) =>
  withDatabase(configuredDatabase(), { access: 'write' }, work)

const write = (data: string) => process.stdout.write(data)

function printRows(table: Table, rows: readonly Fields[], limit: number, { json, csv }: Format) {
  const newest = rows.slice(0, limit)
  if (json || csv) write(json ? formatJson(newest) : formatCsv(newest, exportedColumns(table)))
  else if (newest.length > 0) write(formatTable(newest.map(VIEWS[table])))
  else printStatus('No rows.')
  if (rows.length > limit) printStatus(`Only the newest ${limit} are shown: see --limit.`)
}

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UserError('Not a terminal, cannot ask for confirmation. Nothing was erased; pass --yes to erase.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C rejects the question, and Ctrl-D never answers it: both mean no.
  const question = terminal.question('Erase them permanently? [y/N] ').catch(() => '')
  const answer = await Promise.race([question, once(terminal, 'close').then(() => '')])
  terminal.close()
  return /^\s*y(es)?\s*$/i.test(answer)
}

async function erase(database: Database, ids: Parameters<typeof removeRows>[1]) {
  const isFile = configuredDatabase().kind === 'sqlite'
  await removeRows(database, ids, isFile)
  if (isFile) await vacuum(database)
}

// The error of an unreachable host has a code and no message.
const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message || ('code' in error ? error.code : error.name) : error

/** Errors about files have a path. */
const hintFor = (error: unknown) =>
  error instanceof Error && 'path' in error
    ? 'check that its folder exists and can be written, and that the disk has room.'
    : (describeKnownError(error) ?? 'check that DATABASE_URL (and --to) names a usable database.')

/** Runs one command; returns the exit code of the process. */
export async function runCommand(args: readonly string[]): Promise<number> {
  // As it was called: by npm in a checkout, or as `bin/leads` of a release.
  const name = process.env.npm_lifecycle_event === 'leads' ? 'npm run -s leads --' : 'leads'
  let failed = false

  const program = new Command(name)
    .description('Finds, exports and erases the leads in the database of DATABASE_URL. Times and days are UTC.')
    .version(packageJson.version)
    .exitOverride()

  const command = (usage: string, description: string, example = usage) =>
    program.command(usage).description(description).addHelpText('after', `\nExample:\n  ${name} ${example}`)

  const kind = () => new Argument('<kind>').choices(KINDS)
  const since = () =>
    new Option('--since <time>', 'days ago, like 7d, or a date in UTC, like 2026-11-01').argParser(readTime)
  const limit = () => new Option('--limit <number>', 'maximum number of rows').argParser(readLimit).default(20)
  const json = () => new Option('--json', 'print JSON')
  const csv = () => new Option('--csv', 'print CSV without live formulas')

  command('stats', 'totals, today, the last 14 days, and enquiries not delivered yet')
    .addOption(json())
    .addOption(csv())
    .action(async (format: Format) => {
      const stats = await readLeads(readStats)
      write(
        format.json ? formatJson(stats) : format.csv ? formatCsv(stats.days, ['day', ...KINDS]) : formatChart(stats),
      )
    })

  command('list', 'the newest rows', 'list enquiries --since 7d --search "no water"')
    .addArgument(kind())
    .addOption(since())
    .option('--search <text>', 'only rows containing text, case-insensitive')
    .addOption(limit())
    .addOption(json())
    .addOption(csv())
    .action(async (kind: Kind, options: Format & { since?: string; search?: string; limit: number }) => {
      printRows(kind, await readLeads((database) => findRows(database, kind, options)), options.limit, options)
    })

  command('show', 'one row in full', 'show e7')
    .argument('<id>', 'like s12 for subscriber 12, or e7 for enquiry 7', readId)
    .addOption(json())
    .action(async ([kind, id]: [Kind, number], { json }: Format) => {
      const row = await readLeads((database) => readRow(database, kind, id))
      const lines = Object.entries(row).map(
        ([name, value]) => `${name}: ${escapeForTerminal(`${value}`).replaceAll('\n', '\n  ')}\n`,
      )
      write(json ? formatJson(row) : lines.join(''))
    })

  command('export', 'all rows, as CSV without live formulas', 'export enquiries --since 2026-11-01 --out enquiries.csv')
    .addArgument(kind())
    .addOption(since())
    .option('--out <file>', 'write to file (mode 0600), replacing it')
    .action((kind: Kind, { since, out }: { since?: string; out?: string }) =>
      readLeads((database) => exportRows(database, kind, since, out)),
    )

  command('erase', 'delete everything from an address, ignoring case', 'erase visitor@example.com')
    .argument('<email>')
    .option('--yes', 'do not ask for confirmation')
    .action((email: string, { yes }: { yes?: true }) =>
      changeLeads(async (database) => {
        const address = normalizeEmail(email.trim())
        const ids = await findIds(database, (row) => normalizeEmail(row.email) === address)
        const found = [...ids.subscribers.map((id) => `s${id}`), ...ids.enquiries.map((id) => `e${id}`)]
        printStatus(`Found: ${found.join(' ') || 'nothing'}`)
        if (found.length === 0 || yes || (await confirm())) await erase(database, ids)
        else printStatus('Nothing was erased.')
      }),
    )

  command('purge', 'delete rows older than --older-than', 'purge --older-than 365d --dry-run')
    .requiredOption('--older-than <time>', 'days, like 365d, or a date in UTC, like 2026-11-01', readPast)
    .option('--dry-run', 'only count them')
    .option('--yes', 'do not ask for confirmation')
    .action(({ olderThan, dryRun, yes }: { olderThan: string; dryRun?: true; yes?: true }) =>
      (dryRun ? readLeads : changeLeads)(async (database) => {
        const ids = await findIds(database, (row) => row.created_at < olderThan)
        const count = ids.subscribers.length + ids.enquiries.length
        printStatus(`Older than ${olderThan}: ${ids.subscribers.length} subscribers, ${ids.enquiries.length} enquiries`)
        if (dryRun) return
        if (count === 0 || yes || (await confirm())) await erase(database, ids)
        else printStatus('Nothing was erased.')
      }),
    )

  command('copy', 'copy everything into a database without rows', 'copy --to postgres://user@db.example.com/leads')
    .requiredOption('--to <url>', 'in the format of DATABASE_URL')
    .action(({ to }: { to: string }) => copy(configuredDatabase(), parseDatabaseUrl('--to', to), '--to'))

  command('backup <file>', 'copy everything into a new SQLite file', 'backup leads-2026-11-01.db').action(
    (file: string) => backup(configuredDatabase(), file),
  )

  command('restore <file>', 'copy a backup into a database without rows', 'restore leads-2026-11-01.db').action(
    (file: string) => restore(file, configuredDatabase()),
  )

  command('outbox', 'notifications that are pending or failed, and why', 'outbox --retry')
    .option('--retry', 'retry all of them now')
    .addOption(limit())
    .addOption(json())
    .addOption(csv())
    .action(async (options: Format & { retry?: true; limit: number }) => {
      if (options.retry) printStatus(`To be retried: ${await changeLeads((database) => database.run(retryAll))}`)
      else
        printRows(
          'outbox',
          await readLeads((database) => findRows(database, 'outbox', options)),
          options.limit,
          options,
        )
    })

  command('notify-test', 'send a test message through each configured channel').action(async () => {
    const results = await sendTest(createSenders(readNotificationSettings(process.env)))
    if (results.length === 0) throw new UserError('No channel configured: set NOTIFY_SMTP_URL or NOTIFY_WEBHOOK_URL.')
    for (const { channel, delivered, code } of results) {
      printStatus(delivered ? `${channel}: delivered (${code})` : `${channel}: failed (${code}). ${adviceFor(code)}`)
    }
    failed = results.some(({ delivered }) => !delivered)
  })

  try {
    await program.parseAsync(args, { from: 'user' })
    return failed ? 1 : 0
  } catch (error) {
    // Commander has printed what it has to say.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const isForPeople = error instanceof UserError || error instanceof UnusableDatabase
    printStatus(isForPeople ? error.message : `${reasonOf(error)}: ${hintFor(error)}`)
    return 1
  }
}
