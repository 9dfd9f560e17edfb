import { createReadStream, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { cleanEmail, isEmail } from '../../src/domain/email.ts'
import { codeOf, UserError } from '../errors.ts'
import { housekeeping } from '../housekeeping.ts'
import { readSettings } from '../settings.ts'
import { backUp, restore } from '../storage/backups.ts'
import { type Db, VISITOR_TABLES, type VisitorTable } from '../storage/database.ts'
import { openDatabase, withDatabase } from '../storage/open-database.ts'
import { type ExportOptions, formatJson, readExport } from './export.ts'
import { printOutbox, retryOutbox, testMailSettings } from './outbox.ts'
import { erase, type RowRef, readReport } from './person.ts'
import { print, readDaysAgo, say, TIME_ZONE } from './terminal.ts'

export function addCommands(program: Command) {
  const command = (usage: string, description: string) => program.command(usage).description(description)

  command('export', 'all rows, as CSV with times in UTC')
    .addArgument(new Argument('<table>').choices(VISITOR_TABLES))
    .addOption(new Option('--since <days>', 'rows of the last days, like 7d').argParser(readDaysAgo))
    .option('--excel', `only for Excel, in any language: UTF-16, tabs, times of ${TIME_ZONE}`)
    .option('--json', 'as JSON, with every text unchanged')
    .action(async (table: VisitorTable, options: ExportOptions, exporting: Command) => {
      if (options.excel && options.json) exporting.error('error: write either --excel or --json')
      for await (const part of readExport(settings().DATABASE_URL, table, options)) await print(part)
    })

  command('report', 'all that is stored of one person, as JSON, for that person')
    .argument('<address>', 'an address, in any spelling that the page accepts', readAddress)
    .action(async (address: string) => {
      await print(`${formatJson(await inDatabase((db) => readReport(db, address)))}\n`)
    })

  command('erase', 'show one row, or all from an address, and delete them with --yes')
    .argument('<address|row>', 'an address, as for report, or a row: s12 is subscriber 12, e7 is enquiry 7', readTarget)
    .option('--yes', 'delete them')
    .action((target: string | RowRef, { yes }: { yes?: true }) => inDatabase((db) => erase(db, target, yes)))

  command('outbox', 'enquiries whose mail to staff is pending or failed, and why')
    .option('--retry', 'retry all of them now')
    .action(({ retry }: { retry?: true }) =>
      inDatabase((db) => (retry ? retryOutbox(db, settings()) : printOutbox(db))),
    )

  command('notify-test', 'send a test mail to NOTIFY_TO').action(() => testMailSettings(settings()))

  command('backup', 'copy the SQLite file, while servers use it, and check the copy')
    .argument('<file>', 'a new file', fullPath)
    .action(async (file: string) => {
      const rows = await backUp(settings().DATABASE_URL, file)
      say(`Backed up and checked, in ${file}: rows ${rows}`)
    })

  command('restore', 'replace the SQLite file with a backup; stop its servers first')
    .argument('[file]', 'a backup; without it, the backup is read from standard input', fullPath)
    .action(async (file?: string) => {
      const { rows, keptFile } = await restore(settings().DATABASE_URL, file ? openBackup(file) : process.stdin)
      const note = keptFile
        ? ` The old file is now ${keptFile}. "leads erase" does not change it, so delete it soon.`
        : ''
      say(`Restored: rows ${rows}.${note}\nRestart the servers if they still run.`)
    })

  command('make-tables', 'make or update the tables, as a server does when it starts').action(async () => {
    // The only warning is about a new, empty database, which is right here.
    const database = await openDatabase(settings().DATABASE_URL, { info: say, warn: () => say('Made the tables.') })
    await database.close()
  })

  command('housekeeping', 'what servers do every day: a backup, and deletion by the settings KEEP_…')
    .option('--force', 'delete also rows that should have been deleted more than a month ago')
    .action(({ force = false }: { force?: boolean }) => housekeeping(settings(), force, say))
}

function openBackup(file: string) {
  try {
    return createReadStream(file, { fd: openSync(file, 'r') })
  } catch (error) {
    throw new UserError(
      `Can't read ${file} (${codeOf(error)}): check the name, or pass the file as standard input: restore <FILE`,
    )
  }
}

const fullPath = (file: string) => resolve(file)

const settings = () => readSettings(process.env)

const inDatabase = <Answer>(statements: (db: Db) => Promise<Answer>) =>
  withDatabase(settings().DATABASE_URL, statements)

const readAddress = (text: string) => addressIn(text, 'Must be an email address.')

function addressIn(text: string, demand: string): string {
  const address = cleanEmail(text, (domain) => domainToASCII(domain) || domain)
  if (isEmail(address)) return address
  throw new InvalidArgumentError(demand)
}

function readTarget(text: string): string | RowRef {
  const [, letter, id] = /^([a-z])(\d{1,15})$/.exec(text) ?? []
  const table = VISITOR_TABLES.find((table) => table.charAt(0) === letter)
  return table ? { table, id: Number(id) } : addressIn(text, 'Must be an email address, or a row such as s12 or e7.')
}
