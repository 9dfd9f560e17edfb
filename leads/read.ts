import type { Database, Tables } from '../server/storage/database.ts'
import { UserError } from '../server/user-error.ts'
import type { Format } from './arguments.ts'
import { type Fields, formatCsv, formatJson, formatTable } from './format.ts'
import { printStatus } from './progress.ts'
import { inSnapshot, LEADS, type LeadTable, pages, type Rows, type Table } from './rows.ts'

/** Every column of a table, and whether programs get it; a new column must be listed here to compile. */
const COLUMNS: { readonly [Name in Table]: Readonly<Record<keyof Tables[Name], boolean>> } = {
  subscribers: { id: true, created_at: true, email: true, email_key: false, request_id: false },
  enquiries: {
    id: true,
    created_at: true,
    first_name: true,
    last_name: true,
    email: true,
    message: true,
    idempotency_key: false,
  },
  outbox: {
    id: true,
    event_id: true,
    channel: true,
    kind: true,
    lead_id: true,
    created_at: true,
    due_at: true,
    attempts: true,
    state: true,
    last_error: true,
    lease_until: false,
    locked_by: false,
  },
}

/** The columns that programs get, in this order. */
export const exportedColumns = (table: Table): string[] =>
  Object.entries(COLUMNS[table]).flatMap(([column, isExported]) => (isExported ? [column] : []))

const minute = (time: string) => time.slice(0, 16).replace('T', ' ')

/** A row as people see it. */
const VIEWS: { readonly [Name in Table]: (row: Rows[Name]) => Fields } = {
  subscribers: (row) => ({ id: `s${row.id}`, 'received (UTC)': minute(row.created_at), email: row.email }),
  enquiries: (row) => ({
    id: `e${row.id}`,
    'received (UTC)': minute(row.created_at),
    email: row.email,
    name: `${row.first_name} ${row.last_name}`,
    message: row.message,
  }),
  outbox: (row) => ({
    about: `${LEADS.find(({ kind }) => kind === row.kind)?.letter}${row.lead_id}`,
    channel: row.channel,
    'since (UTC)': minute(row.created_at),
    state: row.state,
    'due (UTC)': row.state === 'failed' ? 'never' : minute(row.due_at),
    attempts: row.attempts,
    'last error': row.last_error,
  }),
}

const fieldsOf = (row: Fields, table: Table): Fields =>
  Object.fromEntries(exportedColumns(table).map((column) => [column, row[column]]))

export type Filter = { readonly since?: string; readonly search?: string; readonly limit: number }

/** The newest rows that contain a text, and one more than the limit if there are more. */
export const findRows = <Name extends Table>(
  database: Database,
  table: Name,
  { since, search = '', limit }: Filter,
): Promise<Rows[Name][]> =>
  inSnapshot(database, async (db) => {
    const found: Rows[Name][] = []
    // Compared in this process: each database folds case differently, one of them ASCII alone.
    const fold = (text: string) => text.normalize().toLowerCase()
    const needle = fold(search)
    for await (const page of pages(db, table, since, true)) {
      found.push(
        ...page.filter((row) => fold(Object.values(fieldsOf(row, table)).slice(2).join('\n')).includes(needle)),
      )
      if (found.length > limit) break
    }
    return found.slice(0, limit + 1)
  })

export function printRows<Name extends Table>(
  table: Name,
  rows: readonly Rows[Name][],
  { json, csv, limit }: Format & Filter,
) {
  const newest = rows.slice(0, limit)
  const fields = newest.map((row) => fieldsOf(row, table))
  if (json) process.stdout.write(formatJson(fields))
  else if (csv) process.stdout.write(formatCsv(fields, exportedColumns(table)))
  else if (newest.length > 0) process.stdout.write(formatTable(newest.map(VIEWS[table])))
  else printStatus('No rows.')
  if (rows.length > limit) printStatus(`Only the newest ${limit} are shown: see --limit.`)
}

export async function readRow(database: Database, table: LeadTable, id: number): Promise<Fields> {
  const [row] = await database.run((db) => db.selectFrom<LeadTable>(table).selectAll().where('id', '=', id).execute())
  if (!row) throw new UserError(`No row ${id} in ${table}: "list ${table}" shows the newest.`)
  return fieldsOf(row, table)
}
