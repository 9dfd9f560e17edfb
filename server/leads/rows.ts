import { setTimeout } from 'node:timers/promises'
import type { Kysely, Selectable } from 'kysely'
import type { Tables } from '../storage/database.ts'

export type Db = Kysely<Tables>

/** The kinds of leads: the name in the outbox, the table, and the letter before an id. */
export const LEADS = [
  { kind: 'subscription', table: 'subscribers', letter: 's' },
  { kind: 'enquiry', table: 'enquiries', letter: 'e' },
] as const

export type LeadTable = (typeof LEADS)[number]['table']

export const LEAD_TABLES = LEADS.map(({ table }) => table)

export type Table = LeadTable | 'outbox'

export type Rows = { [Name in Table]: Selectable<Tables[Name]> }

/** The columns for programs, in this order. */
export const EXPORTED: { readonly [Name in Table]: readonly (keyof Tables[Name])[] } = {
  subscribers: ['id', 'created_at', 'email'],
  enquiries: ['id', 'created_at', 'first_name', 'last_name', 'email', 'message'],
  outbox: ['id', 'event_id', 'channel', 'kind', 'lead_id', 'created_at', 'due_at', 'attempts', 'state', 'last_error'],
}

/** The most rows of one statement: few enough for its parameters, for memory, and for a server that waits. */
export const PAGE_SIZE = 1000

/** A pause after each statement, for a server's turn at a SQLite file: reading it keeps others from committing. */
export const pause = () => setTimeout(5)

/** All rows, page by page, by their ids. A page takes milliseconds; between two of them rows may come and go. */
export async function* pages<Name extends Table>(db: Db, table: Name, order: 'asc' | 'desc' = 'asc') {
  for (let lastId = order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER; ; await pause()) {
    const page = await db
      .selectFrom<Table>(table)
      .selectAll()
      .where('id', order === 'asc' ? '>' : '<', lastId)
      .orderBy('id', order)
      .limit(PAGE_SIZE)
      .execute()
    const lastRow = page.at(-1)
    if (!lastRow) return
    // The compiler does not connect the rows with the name of the table.
    yield page as Rows[Name][]
    lastId = lastRow.id
  }
}
