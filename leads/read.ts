import { createWriteStream, existsSync, realpathSync, renameSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import type { Database, Tables } from '../server/storage/database.ts'
import { UserError } from '../server/user-error.ts'
import { countRows, inSnapshot, isFile, type Kind, pages, type Table } from './database.ts'
import { type Fields, formatCsv } from './format.ts'
import { progress, removeOnExit } from './progress.ts'

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

const minute = (time: Fields[string]) => `${time}`.slice(0, 16).replace('T', ' ')

/** A row as people see it. */
export const VIEWS: Readonly<Record<Table, (row: Fields) => Fields>> = {
  subscribers: ({ id, created_at, email }) => ({ id: `s${id}`, 'received (UTC)': minute(created_at), email }),
  enquiries: ({ id, created_at, first_name, last_name, email, message }) => ({
    id: `e${id}`,
    'received (UTC)': minute(created_at),
    email,
    name: `${first_name} ${last_name}`,
    message,
  }),
  outbox: ({ channel, kind, lead_id, created_at, due_at, attempts, state, last_error }) => ({
    about: `${kind === 'enquiry' ? 'e' : 's'}${lead_id}`,
    channel,
    'since (UTC)': minute(created_at),
    state,
    'due (UTC)': state === 'failed' ? 'never' : minute(due_at),
    attempts,
    'last error': last_error,
  }),
}

const fieldsOf = (row: Fields, table: Table): Fields =>
  Object.fromEntries(exportedColumns(table).map((column) => [column, row[column] ?? null]))

type Filter = { readonly since?: string; readonly search?: string; readonly limit: number }

/** The newest rows that contain a text, and one more than the limit if there are more. */
export const findRows = (database: Database, table: Table, { since, search = '', limit }: Filter): Promise<Fields[]> =>
  inSnapshot(database, async (db) => {
    const found: Fields[] = []
    // Compared in this process: each database folds case differently, one of them ASCII alone.
    const sought = search.normalize().toLowerCase()
    for await (const page of pages(db, table, since, true)) {
      const rows = page.map((row) => fieldsOf(row, table))
      found.push(
        ...rows.filter((row) => Object.values(row).slice(2).join('\n').normalize().toLowerCase().includes(sought)),
      )
      if (found.length > limit) break
    }
    return found.slice(0, limit + 1)
  })

export async function readRow(database: Database, kind: Kind, id: number): Promise<Fields> {
  const row = await database.run((db) => db.selectFrom<Kind>(kind).selectAll().where('id', '=', id).executeTakeFirst())
  if (!row) throw new UserError(`No row ${id} in ${kind}: "list ${kind}" shows the newest.`)
  return fieldsOf(row, kind)
}

/** Writes CSV to standard output, or to a file that gets its name once it is complete. */
export const exportRows = (database: Database, kind: Kind, since = '', out?: string) =>
  inSnapshot(database, async (db) => {
    const rows = Readable.from(csvPages(db, kind, since))
    if (out === undefined) return pipeline(rows, process.stdout, { end: false })
    if (existsSync(out) && !isFile(out)) {
      throw new UserError(`${out} is not a regular file: omit --out and redirect standard output there.`)
    }
    // Replaces the target of a link, not the link.
    const file = existsSync(out) ? realpathSync(out) : out
    const part = `${file}.${process.pid}.part`
    removeOnExit(part)
    await pipeline(rows, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }))
    renameSync(part, file)
  })

async function* csvPages(db: Kysely<Tables>, kind: Kind, since: string) {
  const report = progress(`Exporting ${kind}`, await countRows(db, kind, since))
  let done = 0
  yield formatCsv([], exportedColumns(kind))
  for await (const page of pages(db, kind, since)) {
    yield formatCsv(page, exportedColumns(kind), false)
    done += page.length
    report(done)
  }
}
