import { existsSync, renameSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../server/storage/database.ts'
import type { DatabaseAddress } from '../server/storage/database-url.ts'
import { UserError } from '../server/user-error.ts'
import { type SettingName, withDatabase, withNewDatabase } from './database.ts'
import { printStatus, progress, removeOnExit } from './progress.ts'
import { countRows, inSnapshot, isSqlite, pages, TABLES, type Table } from './rows.ts'

/** Copies a snapshot of all rows, with their ids, into a database without rows: all of it, or nothing if anything fails. */
const copy = (from: DatabaseAddress, to: DatabaseAddress, settingName: SettingName, hint?: string) =>
  withDatabase(from, { access: 'read', allowOlder: true, hint }, (source) =>
    inSnapshot(source, (snapshot) =>
      withNewDatabase(to, settingName, (target) =>
        target.run((db) => db.transaction().execute((transaction) => copyTables(snapshot, transaction))),
      ),
    ),
  )

async function copyTables(from: Kysely<Tables>, to: Kysely<Tables>) {
  for (const table of TABLES) {
    if ((await countRows(to, table)) > 0)
      throw new UserError('The target database has rows already: name an empty one.')
  }
  for (const table of TABLES) {
    const total = await countRows(from, table)
    const report = progress(`Copying ${table}`, total)
    let done = 0
    let last = await readLastId(from, table)
    for await (const page of pages(from, table)) {
      await to.insertInto(table).values(page).execute()
      done += page.length
      last = Math.max(last, page.at(-1)?.id ?? 0)
      report(done)
    }
    if (last > 0) await continueIds(to, table, last)
    const copied = await countRows(to, table)
    if (copied !== total) throw new UserError(`Nothing was copied: ${table} has ${total} rows, the copy had ${copied}.`)
    printStatus(`Copied and counted: ${copied} ${table}.`)
  }
}

/** The last id that a table gave, perhaps to an erased row. */
async function readLastId(db: Kysely<Tables>, table: Table) {
  const query = isSqlite(db)
    ? sql`select seq as last from sqlite_sequence where name = ${table}`
    : sql`select pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) as last`
  return (await sql<{ last: number | null }>`${query}`.execute(db)).rows[0]?.last ?? 0
}

async function continueIds(db: Kysely<Tables>, table: Table, last: number) {
  if (isSqlite(db)) {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(db)
  } else await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(db)
}

/** Copies into a new SQLite file, which gets its name once it is complete. */
export async function backup(from: DatabaseAddress, name: string) {
  const file = resolve(name)
  const part = `${file}.${process.pid}.part`
  if (existsSync(file)) throw new UserError(`${file} exists already: name a new file.`)
  if (!existsSync(dirname(file))) throw new UserError(`There is no folder ${dirname(file)}: create it first.`)
  removeOnExit(part, `${part}-journal`)
  await copy(from, { kind: 'sqlite', file: part }, 'the command')
  renameSync(part, file)
}

/** Copies a backup, which is opened in place and only read, into a database without rows. */
export const restore = (name: string, to: DatabaseAddress): Promise<void> =>
  copy({ kind: 'sqlite', file: resolve(name) }, to, 'DATABASE_URL', 'name a file that "backup" wrote')
