import { setImmediate } from 'node:timers/promises'
import { type Kysely, type Selectable, SqliteAdapter } from 'kysely'
import type { Database, Tables } from '../server/storage/database.ts'

/** What each kind of lead is called in the outbox, its table, the unique key there, and the letter before its ids. */
export const LEADS = [
  { kind: 'subscription', table: 'subscribers', key: 'email_key', letter: 's' },
  { kind: 'enquiry', table: 'enquiries', key: 'idempotency_key', letter: 'e' },
] as const

export type LeadTable = (typeof LEADS)[number]['table']

export const LEAD_TABLES = LEADS.map(({ table }) => table)

/** The tables that hold data. */
export const TABLES = [...LEAD_TABLES, 'outbox'] as const

export type Table = (typeof TABLES)[number]

export type Rows = { [Name in Table]: Selectable<Tables[Name]> }

/** Rows of one statement: few enough for SQLite's parameters, and for memory. */
export const PAGE_SIZE = 1000

export const isSqlite = (db: Kysely<Tables>) => db.getExecutor().adapter instanceof SqliteAdapter

/** Runs statements on one snapshot of the rows, whatever a server adds meanwhile. */
export const inSnapshot = <Answer>(database: Database, statements: (db: Kysely<Tables>) => Promise<Answer>) =>
  database.run((db) => db.transaction().setIsolationLevel('repeatable read').execute(statements))

/** The rows since a time, page by page, in the order of their ids. */
export async function* pages<Name extends Table>(db: Kysely<Tables>, table: Name, since = '', newestFirst = false) {
  let last = newestFirst ? Number.MAX_SAFE_INTEGER : 0
  for (;;) {
    const page = await db
      .selectFrom<Table>(table)
      .selectAll()
      .where('id', newestFirst ? '<' : '>', last)
      .where('created_at', '>=', since)
      .orderBy('id', newestFirst ? 'desc' : 'asc')
      .limit(PAGE_SIZE)
      .execute()
    if (page.length === 0) return
    last = page.at(-1)?.id ?? last
    // The compiler does not connect the rows with the name of the table.
    yield page as Rows[Name][]
    // SQLite is synchronous: signals are handled between the pages.
    await setImmediate()
  }
}

export async function countRows(db: Kysely<Tables>, table: Table, since = ''): Promise<number> {
  const counted = db.selectFrom<Table>(table).select((rows) => rows.fn.countAll<number>().as('count'))
  return (await counted.where('created_at', '>=', since).executeTakeFirstOrThrow()).count
}
