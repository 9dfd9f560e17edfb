import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { isEmail, mendEmail } from '../../src/domain/email.ts'
import { readSettings, type Settings } from '../settings.ts'
import { backUp, restore } from '../storage/backups.ts'
import { type Db, TABLES, type Table } from '../storage/database.ts'
import { withDatabase } from '../storage/open-database.ts'
import { daily } from './daily.ts'
import { erase } from './erase.ts'
import { exportOf, type Form, formatJson } from './export.ts'
import { printOutbox, retryOutbox, testMailSettings } from './outbox.ts'
import { type RowName, reportOf } from './person.ts'
import { readTime, say, TIME_ZONE } from './terminal.ts'

/** Adds all commands to a program. */
export function addCommands(program: Command) {
  const command = (usage: string, description: string) => program.command(usage).description(description)

  command('export', 'all rows, as CSV with times in UTC')
    .addArgument(new Argument('<table>').choices(TABLES))
    .addOption(new Option('--since <time>', 'days ago, like 7d, or a date, like 2026-11-01').argParser(readTime))
    .option('--excel', `for Excel in any language, and only for it: UTF-16, tabs, times of ${TIME_ZONE}`)
    .option('--json', 'as JSON, with every text unchanged')
    .action(async (table: Table, form: Form) => {
      process.stdout.write(await withDatabase(read().DATABASE_URL, (db) => exportOf(db, table, form)))
    })

  command('report', 'all that is stored of one person, as JSON, for that person')
    .argument('<address>', 'an address, in any spelling that the page accepts', readAddress)
    .action(async (address: string) => {
      process.stdout.write(formatJson(await withDatabase(read().DATABASE_URL, (db) => reportOf(db, address))))
    })

  command('erase', 'delete one row, or all from an address')
    .argument('<address|row>', 'an address as for report, or like s12 for subscriber 12, e7 for enquiry 7', readTarget)
    .option('--yes', 'do not ask for confirmation')
    .action((target: string | RowName, options: { yes?: true }) => change((db) => erase(db, target, options.yes)))

  command('outbox', 'enquiries whose mail to staff is pending or failed, and why')
    .option('--retry', 'retry all of them now')
    .action(({ retry }: { retry?: true }) =>
      retry ? change(retryOutbox) : withDatabase(read().DATABASE_URL, printOutbox),
    )

  command('notify-test', 'send a test mail to NOTIFY_TO').action(() => testMailSettings(read()))

  command('backup', 'copy the SQLite file, while servers use it, and check the copy')
    .argument('<file>', 'a new file', fullPath)
    .action(async (file: string) => {
      const rows = await backUp(read().DATABASE_URL, file)
      say(`Backed up and checked, in ${file}: rows ${rows}`)
    })

  command('restore', 'replace the SQLite file by a backup, after its servers were stopped')
    .argument('<file>', 'a backup', fullPath)
    .action(async (file: string) => {
      const { rows, kept } = await restore(read().DATABASE_URL, file)
      say(`Restored: rows ${rows}. ${kept} is the replaced file: no erasure changes it, so delete it soon.`)
    })

  command('daily', 'what servers do every day: a backup, and deletion by the settings KEEP_…')
    .option('--clock-is-right', 'delete although the clock has leapt since the last time')
    .action(({ clockIsRight = false }: { clockIsRight?: boolean }) => daily(read(), clockIsRight))
}

const fullPath = (file: string) => resolve(file)

const read = () => readSettings(process.env)

function change(work: (db: Db, settings: Settings) => Promise<void>) {
  const settings = read()
  return withDatabase(settings.DATABASE_URL, async (db) => {
    // A missing permission is an error before any question to the user.
    await db.deleteFrom('subscribers').where('id', '=', -1).execute()
    await work(db, settings)
  })
}

function readAddress(text: string): string {
  const address = mendEmail(text, (domain) => domainToASCII(domain) || domain)
  if (isEmail(address)) return address
  throw new InvalidArgumentError('Must be an email address.')
}

function readTarget(text: string): string | RowName {
  const [, letter, id] = /^([a-z])(\d{1,15})$/.exec(text) ?? []
  const table = TABLES.find((table) => table.charAt(0) === letter)
  return table ? { table, id: Number(id) } : readAddress(text)
}
