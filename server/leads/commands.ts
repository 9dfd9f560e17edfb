import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { backup } from './backup.ts'
import { withLeads } from './database.ts'
import { erase, type PurgeOptions, purge } from './erase.ts'
import { csvPages, type Out, writeOut } from './export.ts'
import { nightly } from './nightly.ts'
import { printOutbox, retryOutbox, testChannels } from './outbox.ts'
import { reportOf } from './people.ts'
import { type Filter, type Json, printRow, printRows, printStats } from './read.ts'
import { LEAD_TABLES, LEADS, type LeadTable } from './rows.ts'
import { formatJson, say } from './terminal.ts'
import { readTime, TIME_ZONE } from './times.ts'

const since = new Option('--since <time>', 'days ago, like 7d, or a date, like 2026-11-01').argParser(readTime)
const limit = new Option('--limit <number>', 'maximum number of rows').argParser(readLimit).default(20)
const json = new Option('--json', 'print JSON')
const out = new Option('--out <file>', 'write to a new file (mode 0600)')
const force = new Option('--force', 'replace the file of --out')
const yes = new Option('--yes', 'do not ask for confirmation')

const ID = 'like s12 for subscriber 12, or e7 for enquiry 7'

/** Adds all commands to a program that is called by `name`. */
export function addCommands(program: Command, name: string) {
  const command = (usage: string, description: string, example = usage) =>
    program.command(usage).description(description).addHelpText('after', `\nExample:\n  ${name} ${example}`)

  command('stats', `totals, the last 14 days in ${TIME_ZONE}, and messages to staff not sent yet`)
    .addOption(json)
    .action((options: Json) => withLeads('read', (db) => printStats(db, options)))

  command('list', 'the newest rows', 'list enquiries --since 7d --search "no water"')
    .addArgument(new Argument('<kind>').choices(LEAD_TABLES))
    .addOption(since)
    .option('--search <text>', 'only rows containing text, case-insensitive')
    .addOption(limit)
    .addOption(json)
    .action((table: LeadTable, options: Filter) =>
      withLeads('read', async (db) => {
        if (await printRows(db, table, options)) say('There are more: see --limit.')
      }),
    )

  command('show', 'one row in full', 'show e7')
    .argument('<id>', ID, readId)
    .addOption(json)
    .action((id: [LeadTable, number], options: Json) => withLeads('read', (db) => printRow(db, id, options)))

  command('export', 'all rows, as CSV with times in UTC', 'export enquiries --since 2026-11-01 --out enquiries.csv')
    .addArgument(new Argument('<kind>').choices(LEAD_TABLES))
    .addOption(since)
    .addOption(out)
    .addOption(force)
    .option('--excel', `for Excel in any language, and only for it: UTF-16, tabs, times of ${TIME_ZONE}`)
    .action((table: LeadTable, options: Out & { since?: string; excel?: true }) =>
      withLeads('read', (db) => writeOut(csvPages(db, table, options.since ?? '', options.excel === true), options)),
    )

  command('report', 'all that is stored of one person, as JSON, for that person', 'report visitor@example.com')
    .argument('<address>', 'an address, in upper or lower case', readAddress)
    .addOption(out)
    .addOption(force)
    .action((address: string, options: Out) =>
      withLeads('read', async (db) => writeOut([formatJson(await reportOf(db, address))], options)),
    )

  command('erase', 'delete one row, or all from an address, ignoring case', 'erase visitor@example.com')
    .argument('<address|id>', `an address, or ${ID}`, (text) => (text.includes('@') ? text.trim() : readId(text)))
    .addOption(yes)
    .action((target: string | [LeadTable, number], options: { yes?: true }) =>
      withLeads('write', (db) => erase(db, target, options)),
    )

  command('purge', 'delete rows older than --older-than', 'purge enquiries --older-than 365d')
    .addArgument(new Argument('<kind>').choices([...LEAD_TABLES, 'all']))
    .requiredOption('--older-than <time>', 'days, like 365d, or a date, like 2026-11-01', readTime)
    .option('--allow-empty', 'even if all rows of a kind are that old')
    .addOption(yes)
    .action((kind: LeadTable | 'all', options: PurgeOptions) => withLeads('write', (db) => purge(db, kind, options)))

  command('outbox', 'messages to staff that are pending or failed, and why', 'outbox --retry')
    .option('--retry', 'retry all of them now')
    .addOption(limit)
    .addOption(json)
    .action(({ retry, ...options }: Filter & { retry?: true }) =>
      retry ? withLeads('write', retryOutbox) : withLeads('read', (db) => printOutbox(db, options)),
    )

  command('notify-test', 'send a test message through each configured channel').action(testChannels)

  command(
    'backup <file>',
    'copy the SQLite file, while servers use it, into a new one, and check the copy',
    'backup leads-2026-11-01.db',
  ).action(backup)

  command(
    'nightly <folder>',
    'back up, and delete backups and leads beyond the settings KEEP_…',
    'nightly /backups',
  ).action(nightly)
}

/** Reads the name of a row, such as e7. Returns its table and id. */
function readId(text: string): [LeadTable, number] {
  const lead = LEADS.find(({ letter }) => text.startsWith(letter))
  if (lead && /^.\d{1,15}$/.test(text)) return [lead.table, Number(text.slice(1))]
  throw new InvalidArgumentError(`Must be ${ID}.`)
}

function readAddress(text: string): string {
  if (text.includes('@')) return text.trim()
  throw new InvalidArgumentError('Must be an email address.')
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Must be a whole number from 1 to 999999.')
}
