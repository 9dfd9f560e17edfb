import { existsSync, linkSync, renameSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../server/storage/database.ts'
import type { DatabaseAddress } from '../server/storage/database-url.ts'
import { dropLog } from '../server/storage/sqlite-reader.ts'
import { UserError } from '../server/user-error.ts'
import {
  countRows,
  inSnapshot,
  pages,
  type SettingName,
  type Table,
  withDatabase,
  withNewDatabase,
} from './database.ts'
import { printStatus, progress, removeOnExit } from './progress.ts'

const TABLES: readonly Table[] = ['subscribers', 'enquiries', 'outbox']

/** Copies a snapshot of all rows, with their ids, into a database without rows: all of it, or nothing if anything fails. */
export const copy = (
  from: DatabaseAddress,
  to: DatabaseAddress,
  settingName: SettingName,
  instead?: string,
): Promise<void> =>
  withDatabase(from, { access: 'read', older: true, ...(instead && { instead }) }, (source) =>
    inSnapshot(source, (snapshot) =>
      withNewDatabase(to, settingName, (target) =>
        target.run((db) =>
          db.transaction().execute((copied) => copyTables(snapshot, SEQUENCES[from.kind], copied, SEQUENCES[to.kind])),
        ),
      ),
    ),
  )

/** The last id that a table gave, perhaps to an erased row, and how to continue from it. */
type IdSequence = {
  last(db: Kysely<Tables>, table: Table): Promise<number>
  continueFrom(db: Kysely<Tables>, table: Table, last: number): Promise<unknown>
}

const SEQUENCES: Readonly<Record<DatabaseAddress['kind'], IdSequence>> = {
  sqlite: {
    async last(db, table) {
      const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db)
      return rows[0]?.seq ?? 0
    },
    async continueFrom(db, table, last) {
      await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(db)
    },
  },
  postgres: {
    async last(db, table) {
      const sequence = sql`pg_get_serial_sequence(${table}, 'id')::regclass`
      const { rows } = await sql<{ last: number | null }>`select pg_sequence_last_value(${sequence}) as last`.execute(
        db,
      )
      return rows[0]?.last ?? 0
    },
    continueFrom: (db, table, last) => sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(db),
  },
}

async function copyTables(from: Kysely<Tables>, source: IdSequence, to: Kysely<Tables>, target: IdSequence) {
  for (const table of TABLES) {
    if ((await countRows(to, table)) > 0)
      throw new UserError('The target database has rows already: name an empty one.')
  }
  const names = (await from.introspection.getTables()).map(({ name }) => name)
  // An earlier release had fewer tables.
  for (const table of TABLES.filter((table) => names.includes(table))) {
    const total = await countRows(from, table)
    const report = progress(`Copying ${table}`, total)
    let done = 0
    let last = await source.last(from, table)
    for await (const page of pages(from, table)) {
      await to
        .insertInto(table)
        .values(page.map((row) => toCurrent(table, row)))
        .execute()
      done += page.length
      last = Math.max(last, page.at(-1)?.id ?? 0)
      report(done)
    }
    if (last > 0) await target.continueFrom(to, table, last)
    const copied = await countRows(to, table)
    if (copied !== total) throw new UserError(`Nothing was copied: ${table} has ${total} rows, the copy had ${copied}.`)
    printStatus(`Copied and counted: ${copied} ${table}.`)
  }
}

/** A row with the columns of this release alone: earlier ones call `channel` `way`, and PostgreSQL keeps that for them. */
function toCurrent<Row extends object>(table: Table, row: Row & { readonly way?: unknown }) {
  const { way, ...current } = row
  return table === 'outbox' ? { channel: way, ...current } : current
}

/** Copies into a new SQLite file, which gets its name once it is complete. */
export async function backup(from: DatabaseAddress, name: string) {
  const file = resolve(name)
  const part = `${file}.${process.pid}.part`
  if (existsSync(file)) throw new UserError(`${file} exists already: name a new file.`)
  if (!existsSync(dirname(file))) throw new UserError(`There is no folder ${dirname(file)}: create it first.`)
  removeOnExit(...['', '-wal', '-shm', '-journal'].map((suffix) => part + suffix))
  await copy(from, { kind: 'sqlite', file: part }, 'the command')
  dropLog(part)
  try {
    // Unlike renaming, this never replaces a file.
    linkSync(part, file)
  } catch (error) {
    // Some file systems have no hard links.
    if (existsSync(file)) throw error
    renameSync(part, file)
  }
}

/** Copies a backup, which is opened in place and only read, into a database without rows. */
export const restore = (name: string, to: DatabaseAddress): Promise<void> =>
  copy({ kind: 'sqlite', file: resolve(name) }, to, 'DATABASE_URL', 'name a file that "backup" wrote')
