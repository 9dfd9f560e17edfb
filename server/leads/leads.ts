import { statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import SqliteFile from 'better-sqlite3'
import type { Kysely, Selectable } from 'kysely'
import { type DatabaseAddress, StartError } from '../configuration.ts'
import type { Database, Patience, Tables } from '../database.ts'
import { openDatabase } from '../open-database.ts'

export const KINDS = ['subscribers', 'enquiries'] as const

export type Kind = (typeof KINDS)[number]

/** What can't be made anew. */
export type Table = Kind | 'outbox'

/** Nobody waits but who asked. */
const PATIENCE: Patience = { lock: 10_000, connection: 10_000, statement: 600_000 }

/** Rows of one statement: within the parameters that SQLite takes, and little memory. */
export const PAGE = 1000

/** Where a database is named that may be made. */
export type Named = 'DATABASE_URL' | '--to' | 'the command'

/** Lends a database beside whatever servers use it; no file is made, unless it is said where it is named. */
export async function withDatabase<Answer>(
  address: DatabaseAddress,
  work: (database: Database) => Promise<Answer>,
  made?: Named,
): Promise<Answer> {
  if (address.kind === 'sqlite' && !made) wantLeads(address.file, 'name the one that the server uses in DATABASE_URL')
  const database = await openDatabase(address, PATIENCE, made)
  return work(database).finally(() => database.close())
}

export const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Throws a StartError if a file holds no leads: opened, one of another program would get their tables, and be empty. */
export function wantLeads(file: string, instead: string, name = file) {
  if (!isFile(file)) throw new StartError(`There is no database ${name}: ${instead}.`)
  const sqlite = new SqliteFile(file, { readonly: true })
  try {
    const tables = sqlite.prepare('select count(*) from sqlite_schema where name in (?, ?)').pluck()
    if (tables.get(...KINDS) === KINDS.length) return
  } catch (error) {
    if (!(error instanceof SqliteFile.SqliteError && error.code === 'SQLITE_NOTADB')) throw error
  } finally {
    sqlite.close()
  }
  throw new StartError(`There are no leads in ${name}: ${instead}.`)
}

/** Runs statements that all see the rows of one moment, whatever a server adds meanwhile. */
export const inSnapshot = <Answer>(database: Database, statements: (db: Kysely<Tables>) => Promise<Answer>) =>
  database.run((db) => db.transaction().setIsolationLevel('repeatable read').execute(statements))

/** The rows from a time on, a page at a time, in the order of their numbers. */
export async function* pages<Name extends Table>(db: Kysely<Tables>, table: Name, since = '', newestFirst = false) {
  let last = newestFirst ? Number.MAX_SAFE_INTEGER : 0
  for (;;) {
    const page = await db
      .selectFrom<Table>(table)
      .selectAll()
      .where('id', newestFirst ? '<' : '>', last)
      .where('created_at', '>=', since)
      .orderBy('id', newestFirst ? 'desc' : 'asc')
      .limit(PAGE)
      .execute()
    if (page.length === 0) return
    last = page.at(-1)?.id ?? last
    // The compiler knows no more than that the table is one of them.
    yield page as Selectable<Tables[Name]>[]
    // SQLite answers without a pause, and signals would not be heard.
    await setImmediate()
  }
}

export async function countRows(db: Kysely<Tables>, table: Table, since = ''): Promise<number> {
  const counted = db.selectFrom<Table>(table).select((rows) => rows.fn.countAll<number>().as('count'))
  return (await counted.where('created_at', '>=', since).executeTakeFirstOrThrow()).count
}
