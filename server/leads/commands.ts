import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { readSettings, type Settings } from '../settings.ts'
import type { Db, LeadTable } from '../storage/database.ts'
import { backup, daily, restore } from './backup.ts'
import { erase, purge } from './erase.ts'
import { exportOf, type Form, formatJson, writeOut } from './export.ts'
import { withLeads } from './open.ts'
import { printOutbox, retryOutbox, testChannels } from './outbox.ts'
import { LEAD_TABLES, LEADS, reportOf } from './people.ts'
import { readTime, TIME_ZONE } from './terminal.ts'

const kind = new Argument('<kind>').choices(LEAD_TABLES)
const out = new Option('--out <file>', 'write to a file (mode 0600), or replace it')
const yes = new Option('--yes', 'do not ask for confirmation')

/** Adds all commands to a program. */
export function addCommands(program: Command) {
  const command = (usage: string, description: string) => program.command(usage).description(description)

  command('export', 'all rows, as CSV with times in UTC')
    .addArgument(kind)
    .addOption(new Option('--since <time>', 'days ago, like 7d, or a date, like 2026-11-01').argParser(readTime))
    .addOption(out)
    .option('--excel', `for Excel in any language, and only for it: UTF-16, tabs, times of ${TIME_ZONE}`)
    .option('--json', 'as JSON, with every text unchanged')
    .action(async (table: LeadTable, options: Form & { out?: string }) => {
      const { DATABASE_URL: database } = read()
      writeOut(await withLeads(database, 'read', (db) => exportOf(db, table, options)), database, options.out)
    })

  command('report', 'all that is stored of one person, as JSON, for that person')
    .argument('<address>', 'an address, in upper or lower case', readAddress)
    .addOption(out)
    .action(async (address: string, options: { out?: string }) => {
      const { DATABASE_URL: database } = read()
      const report = await withLeads(database, 'read', (db) => reportOf(db, address))
      writeOut(Buffer.from(formatJson(report)), database, options.out)
    })

  command('erase', 'delete one row, or all from an address, ignoring case')
    .argument('<address|id>', 'an address, or like s12 for subscriber 12, e7 for enquiry 7', readTarget)
    .addOption(yes)
    .action((target: string | [LeadTable, number], options: { yes?: true }) =>
      change((db) => erase(db, target, options.yes)),
    )

  command('purge', 'delete rows older than --older-than')
    .addArgument(kind)
    .requiredOption('--older-than <time>', 'days, like 365d, or a date, like 2026-11-01', readTime)
    .option('--allow-empty', 'even if all rows are that old')
    .addOption(yes)
    .action((table: LeadTable, options: { olderThan: string; allowEmpty?: true; yes?: true }) =>
      change((db) => purge(db, table, options.olderThan, options.allowEmpty, options.yes)),
    )

  command('outbox', 'messages to staff that are pending or failed, and why')
    .option('--retry', 'retry all of them now')
    .action(({ retry }: { retry?: true }) =>
      retry ? change(retryOutbox) : withLeads(read().DATABASE_URL, 'read', printOutbox),
    )

  command('notify-test', 'send a test message through each configured channel').action(() => testChannels(read()))

  command('backup', 'copy the SQLite file, while servers use it, and check the copy')
    .argument('<file>', 'a new file')
    .action(async (file: string) => void (await backup(read(), file)))

  command('restore', 'replace the SQLite file by a backup, after its servers were stopped')
    .argument('<file>', 'a backup')
    .action((file: string) => restore(read(), file))

  command('daily', 'what servers do every day: a backup, and deletion by the settings KEEP_…').action(() =>
    daily(read()),
  )
}

const read = () => readSettings(process.env)

function change(work: (db: Db, settings: Settings) => Promise<void>) {
  const settings = read()
  return withLeads(settings.DATABASE_URL, 'write', (db) => work(db, settings))
}

function readAddress(text: string): string {
  if (text.includes('@')) return text.trim()
  throw new InvalidArgumentError('Must be an email address.')
}

function readTarget(text: string): string | [LeadTable, number] {
  if (text.includes('@')) return text.trim()
  const lead = LEADS.find(({ letter }) => text.startsWith(letter))
  if (lead && /^.\d{1,15}$/.test(text)) return [lead.table, Number(text.slice(1))]
  throw new InvalidArgumentError('Must be an address, or like s12 for subscriber 12, e7 for enquiry 7.')
}
