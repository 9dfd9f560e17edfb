import { createWriteStream, existsSync, realpathSync, renameSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import { StartError } from '../server/configuration.ts'
import type { Database, Tables } from '../server/storage/database.ts'
import { countRows, inSnapshot, isFile, type Kind, pages, type Table } from './leads.ts'
import { progress, removeAtEnd } from './progress.ts'
import { csvOf, type Fields } from './text.ts'

/** What programs get of a row: not the keys that the server tells repeats by. */
export const COLUMNS: Readonly<Record<Table, readonly string[]>> = {
  subscribers: ['id', 'created_at', 'email'],
  enquiries: ['id', 'created_at', 'first_name', 'last_name', 'email', 'message'],
  outbox: ['id', 'event_id', 'way', 'kind', 'lead_id', 'created_at', 'due_at', 'attempts', 'state', 'last_error'],
}

const minute = (time: Fields[string]) => `${time}`.slice(0, 16).replace('T', ' ')

/** What people get of a row. */
export const VIEWS: Readonly<Record<Table, (row: Fields) => Fields>> = {
  subscribers: ({ id, created_at, email }) => ({ id: `s${id}`, 'received (UTC)': minute(created_at), email }),
  enquiries: ({ id, created_at, first_name, last_name, email, message }) => ({
    id: `e${id}`,
    'received (UTC)': minute(created_at),
    email,
    name: `${first_name} ${last_name}`,
    message,
  }),
  outbox: ({ way, kind, lead_id, created_at, due_at, attempts, state, last_error }) => ({
    about: `${kind === 'enquiry' ? 'e' : 's'}${lead_id}`,
    way,
    'since (UTC)': minute(created_at),
    state,
    'due (UTC)': state === 'failed' ? 'never' : minute(due_at),
    tries: attempts,
    'last error': last_error,
  }),
}

const fieldsOf = (row: Fields, table: Table): Fields =>
  Object.fromEntries(COLUMNS[table].map((column) => [column, row[column] ?? null]))

type Filter = { readonly since?: string; readonly search?: string; readonly limit: number }

/** The newest rows that hold a text, and one more than the limit if there are more. */
export const findRows = (database: Database, table: Table, { since, search = '', limit }: Filter): Promise<Fields[]> =>
  inSnapshot(database, async (db) => {
    const found: Fields[] = []
    // Folded here, for databases do it otherwise, and one of them for ASCII alone.
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
  if (!row) throw new StartError(`None of the ${kind} has the number ${id}: "list ${kind}" shows those that there are.`)
  return fieldsOf(row, kind)
}

/** Writes CSV to a file, which has its name only when it is whole, or else to standard output. */
export const exportRows = (database: Database, kind: Kind, since = '', out?: string) =>
  inSnapshot(database, async (db) => {
    const rows = Readable.from(csvPages(db, kind, since))
    if (out === undefined) return pipeline(rows, process.stdout, { end: false })
    if (existsSync(out) && !isFile(out)) {
      throw new StartError(`${out} is no file that could be replaced: leave --out away, and send the output there.`)
    }
    // A link stays one.
    const file = existsSync(out) ? realpathSync(out) : out
    const part = `${file}.${process.pid}.part`
    removeAtEnd(part)
    await pipeline(rows, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }))
    renameSync(part, file)
  })

async function* csvPages(db: Kysely<Tables>, kind: Kind, since: string) {
  const tell = progress(`Exporting ${kind}`, await countRows(db, kind, since))
  let done = 0
  yield csvOf([], COLUMNS[kind])
  for await (const page of pages(db, kind, since)) {
    yield csvOf(page, COLUMNS[kind], false)
    done += page.length
    tell(done)
  }
}
