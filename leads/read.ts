import type { Database, NoColumns, Tables } from '../server/storage/database.ts'
import { UserError } from '../server/user-error.ts'
import type { Format } from './arguments.ts'
import { type Fields, formatCsv, formatJson, formatTable } from './format.ts'
import { printStatus } from './progress.ts'
import { inSnapshot, LEADS, type LeadTable, pages, type Rows, type Table } from './rows.ts'

/** Every column of a table, and whether programs get it; a new column must be listed here to compile. */
export const COLUMNS: { readonly [Name in Table]: Readonly<Record<keyof Tables[Name], boolean>> } = {
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

/** A row as people see it; a new column must be named here to compile. */
const VIEWS: { readonly [Name in Table]: (row: Rows[Name]) => Fields } = {
  subscribers({ id, created_at, email, email_key, request_id, ...forgotten }) {
    forgotten satisfies NoColumns
    return { id: `s${id}`, 'received (UTC)': minute(created_at), email }
  },
  enquiries({ id, created_at, first_name, last_name, email, message, idempotency_key, ...forgotten }) {
    forgotten satisfies NoColumns
    const name = `${first_name} ${last_name}`
    return { id: `e${id}`, 'received (UTC)': minute(created_at), email, name, message }
  },
  outbox({ channel, kind, lead_id, created_at, due_at, attempts, state, last_error, ...rest }) {
    const { id, event_id, lease_until, locked_by, ...forgotten } = rest
    forgotten satisfies NoColumns
    return {
      about: `${LEADS.find((lead) => lead.kind === kind)?.letter}${lead_id}`,
      channel,
      'since (UTC)': minute(created_at),
      state,
      'due (UTC)': state === 'failed' ? 'never' : minute(due_at),
      attempts,
      'last error': last_error,
    }
  },
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
