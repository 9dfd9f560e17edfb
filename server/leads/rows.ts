import { setTimeout } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import type { Kysely, Selectable } from 'kysely'
import type { Tables } from '../storage/database.ts'
import { progress } from './terminal.ts'

export type Db = Kysely<Tables>

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

/** Reads a row as people name it: s12 is subscriber 12, and e7 enquiry 7. */
export function readId(text: string): [LeadTable, number] {
  const lead = LEADS.find(({ letter }) => text.startsWith(letter))
  if (lead && /^.\d{1,15}$/.test(text)) return [lead.table, Number(text.slice(1))]
  throw new InvalidArgumentError('Must be like s12 for subscriber 12, or e7 for enquiry 7.')
}

/** The columns that programs get, in this order. */
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
export async function* pages<Name extends Table>(db: Db, table: Name, newestFirst = false) {
  const report = progress(`Reading ${table}`)
  let read = 0
  for (let last = newestFirst ? Number.MAX_SAFE_INTEGER : 0; ; ) {
    const page = await db
      .selectFrom<Table>(table)
      .selectAll()
      .where('id', newestFirst ? '<' : '>', last)
      .orderBy('id', newestFirst ? 'desc' : 'asc')
      .limit(PAGE_SIZE)
      .execute()
    if (page.length === 0) return
    last = page.at(-1)?.id ?? last
    // The compiler does not connect the rows with the name of the table.
    yield page as Rows[Name][]
    read += page.length
    report(read)
    await pause()
  }
}
