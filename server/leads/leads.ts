import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
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

/** Lends a database beside whatever servers use it; no file is made, unless that is said. */
export async function withDatabase<Answer>(
  address: DatabaseAddress,
  work: (database: Database) => Promise<Answer>,
  missing?: 'made',
): Promise<Answer> {
  if (address.kind === 'sqlite' && !missing && !existsSync(address.file)) {
    throw new StartError(`There is no database ${address.file}: name the one that the server uses in DATABASE_URL.`)
  }
  const database = await openDatabase(address, PATIENCE)
  return work(database).finally(() => database.close())
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
