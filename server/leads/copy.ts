import { closeSync, existsSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { backupSqlite, lockOutOtherServers } from '../storage/sqlite.ts'
import { UserError } from '../user-error.ts'
import { configuredDatabase, pgDumpCommand, TIMEOUTS, withDatabase, withLeads, withNewPostgres } from './database.ts'
import { writeWhole } from './export.ts'
import { type Db, pages, TABLES, type Table } from './rows.ts'
import { type AddCommand, counted, remark } from './terminal.ts'

export function addCopyCommands(command: AddCommand) {
  command(
    'backup <file>',
    'copy the SQLite file, while servers use it, into a new one',
    'backup leads-2026-11-01.db',
  ).action((name: string) => backup(resolve(name)))

  command(
    'copy <file>',
    'copy a SQLite file, whose server is stopped, into the empty PostgreSQL database of DATABASE_URL',
    'copy /var/lib/launching-soon/leads.db',
  ).action((name: string) => copy(resolve(name)))
}

async function backup(file: string) {
  const from = configuredDatabase()
  if (from.kind === 'postgres') {
    throw new UserError(`PostgreSQL makes its own backups. Run: ${pgDumpCommand(from, file)}`)
  }
  if (existsSync(file)) throw new UserError(`${file} exists already: name a new file.`)
  // Refuses a database that does not have the tables of this release: its copy would be no backup.
  await withLeads('write', async () => {})
  await writeWhole(file, async (part) => {
    closeSync(openSync(part, 'wx', 0o600))
    await backupSqlite(from.file, part, TIMEOUTS.lockMs)
  })
}

/** Copies all rows with their ids, or none if anything fails. Throws a UserError if a server has the file. */
async function copy(file: string) {
  const to = configuredDatabase()
  if (to.kind === 'sqlite') throw new UserError('Set DATABASE_URL to the PostgreSQL database that is to get the rows.')
  await withDatabase({ kind: 'sqlite', file }, 'write', 'name the file of the server', async (from) => {
    const servers = lockOutOtherServers(file)
    try {
      // No other command writes to the file either, until it is closed.
      await sql`begin exclusive`.execute(from)
      await withNewPostgres(to, (db) => db.transaction().execute((transaction) => copyTables(from, transaction)))
    } finally {
      servers.close()
    }
    remark(`Start the servers with this DATABASE_URL, and delete ${file} when all is well.`)
  })
}

async function copyTables(from: Db, to: Db) {
  for (const table of TABLES) {
    if ((await countRows(to, table)) > 0)
      throw new UserError('The database of DATABASE_URL has rows already: name an empty one.')
  }
  for (const table of TABLES) {
    for await (const page of pages(from, table)) await to.insertInto(table).values(page).execute()
    await continueIds(from, to, table)
    const [total, copied] = [await countRows(from, table), await countRows(to, table)]
    if (copied !== total) throw new UserError(`Nothing was copied: of ${counted(total, table)} the copy has ${copied}.`)
    remark(`Copied and counted: ${counted(copied, table)}`)
  }
}

async function countRows(db: Db, table: Table): Promise<number> {
  return (
    await db
      .selectFrom<Table>(table)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count
}

/** Lets the ids of new rows go on after the highest that was ever given, even if its row was erased. */
async function continueIds(from: Db, to: Db, table: Table) {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(from)
  if (rows[0]) await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${rows[0].seq})`.execute(to)
}
