import { existsSync, linkSync, renameSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type DatabaseAddress, StartError } from '../server/configuration.ts'
import type { Tables } from '../server/storage/database.ts'
import { dropLog } from '../server/storage/sqlite.ts'
import { countRows, inSnapshot, type Named, pages, type Table, withDatabase, withNewDatabase } from './leads.ts'
import { progress, removeAtEnd, say } from './progress.ts'

const TABLES: readonly Table[] = ['subscribers', 'enquiries', 'outbox']

/** Copies all rows of one moment with their numbers into a database that has none; if anything fails, nothing. */
export const copy = (from: DatabaseAddress, to: DatabaseAddress, named: Named, instead?: string): Promise<void> =>
  withDatabase(from, { access: 'read', older: true, ...(instead && { instead }) }, (source) =>
    inSnapshot(source, (snapshot) =>
      withNewDatabase(to, named, (target) =>
        target.run((db) =>
          db.transaction().execute((copied) => copyTables(snapshot, NUMBERS[from.kind], copied, NUMBERS[to.kind])),
        ),
      ),
    ),
  )

/** The last number that a table gave, which may have been erased, and how to have it count on from there. */
type Numbers = {
  last(db: Kysely<Tables>, table: Table): Promise<number>
  countFrom(db: Kysely<Tables>, table: Table, last: number): Promise<unknown>
}

const NUMBERS: Readonly<Record<DatabaseAddress['kind'], Numbers>> = {
  sqlite: {
    async last(db, table) {
      const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db)
      return rows[0]?.seq ?? 0
    },
    async countFrom(db, table, last) {
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
    countFrom: (db, table, last) => sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(db),
  },
}

async function copyTables(from: Kysely<Tables>, source: Numbers, to: Kysely<Tables>, target: Numbers) {
  for (const table of TABLES) {
    if ((await countRows(to, table)) > 0) throw new StartError('That database has rows already: name an empty one.')
  }
  const names = (await from.introspection.getTables()).map(({ name }) => name)
  // An earlier release had fewer.
  for (const table of TABLES.filter((table) => names.includes(table))) {
    const total = await countRows(from, table)
    const tell = progress(`Copying ${table}`, total)
    let done = 0
    let last = await source.last(from, table)
    for await (const page of pages(from, table)) {
      await to.insertInto(table).values(page).execute()
      done += page.length
      last = Math.max(last, page.at(-1)?.id ?? 0)
      tell(done)
    }
    if (last > 0) await target.countFrom(to, table, last)
    const copied = await countRows(to, table)
    if (copied !== total) throw new StartError(`Nothing was copied: ${table} had ${total} rows, the copy ${copied}.`)
    say(`Copied and counted: ${copied} ${table}.`)
  }
}

/** Copies into a new SQLite file, which has its name only when it is whole. */
export async function backup(from: DatabaseAddress, name: string) {
  const file = resolve(name)
  const part = `${file}.${process.pid}.part`
  if (existsSync(file)) throw new StartError(`${file} exists already: name a new file.`)
  if (!existsSync(dirname(file))) throw new StartError(`There is no folder ${dirname(file)}: make it first.`)
  removeAtEnd(...['', '-wal', '-shm', '-journal'].map((suffix) => part + suffix))
  await copy(from, { kind: 'sqlite', file: part }, 'the command')
  dropLog(part)
  try {
    // Other than renaming, this never takes the place of a file.
    linkSync(part, file)
  } catch (error) {
    // Some file systems have no links.
    if (existsSync(file)) throw error
    renameSync(part, file)
  }
}

/** Copies a backup, which is read where it lies, into a database without rows. */
export const restore = (name: string, to: DatabaseAddress): Promise<void> =>
  copy({ kind: 'sqlite', file: resolve(name) }, to, 'DATABASE_URL', 'name one that "backup" made')
