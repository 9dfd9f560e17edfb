import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Insertable, type Selectable, sql } from 'kysely'
import { beforeEach, inject } from 'vitest'
import { readSettings } from '../../../server/settings.ts'
import { type Database, type Tables, VISITOR_TABLES, type VisitorTable } from '../../../server/storage/database.ts'
import { openDatabase, withDatabase } from '../../../server/storage/open-database.ts'
import { createStore, type Store } from '../../../server/storage/store.ts'
import { anEnquiry, columnsOf } from '../enquiries.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'
import { query } from './postgres.ts'

type Row<Name extends VisitorTable> = Insertable<Tables[Name]>
type Rows = { readonly [Name in VisitorTable]?: readonly Row<Name>[] }
type TestDatabase = Awaited<ReturnType<typeof makeDatabase>>

/** Makes a database as a server opens it, in a SQLite file or in the PostgreSQL that the tests share. */
export async function makeDatabase(kind: 'sqlite' | 'postgres' = 'sqlite') {
  const folder = mkdtempSync(join(tmpdir(), 'leads-'))
  const file = join(folder, 'data', 'leads.db')
  const name = `leads_${crypto.randomUUID().replaceAll('-', '')}`
  if (kind === 'postgres') await query(inject('postgresUrl'), `create database ${name}`)
  const url = kind === 'sqlite' ? `sqlite:${file}` : new URL(name, inject('postgresUrl')).href
  const open = () => openDatabase(readSettings({ DATABASE_URL: url }).DATABASE_URL, { info() {}, warn() {} })
  const server = await open()
  // A busy disk must not delay tests.
  if (kind === 'sqlite') await server.run((db) => sql`pragma synchronous = off`.execute(db))
  return {
    ...server,
    /** The value for DATABASE_URL. */
    url,
    /** The path of the SQLite file. */
    file,
    /** Opens the database as another server does. */
    open,
    async add(rows: Rows) {
      for (const table of VISITOR_TABLES) {
        const values = rows[table]
        if (values) await server.run((db) => db.insertInto(table).values(values).execute())
      }
    },
    rows: <Name extends keyof Tables>(table: Name) => readTable(url, table),
    async remove() {
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** A database with these rows for each test. */
export function databaseWith(rows: Rows = {}, kind: 'sqlite' | 'postgres' = 'sqlite') {
  const database = {} as TestDatabase
  beforeEach(async () => {
    Object.assign(database, await makeDatabase(kind))
    await database.add(rows)
    return database.remove
  })
  return database
}

const timeOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString()

export const subscriber = (email: string, daysAgo = 0): Row<'subscribers'> => ({
  email,
  email_key: email.toLowerCase(),
  created_at: timeOf(daysAgo),
})

export const enquiry = (fields: Partial<Row<'enquiries'>> = {}, daysAgo = 0): Row<'enquiries'> => ({
  ...columnsOf(anEnquiry()),
  idempotency_key: crypto.randomUUID(),
  created_at: timeOf(daysAgo),
  ...fields,
})

/** The rows of a table in the order of their ids, read over a new connection. */
export const readTable = <Name extends keyof Tables>(url: string, table: Name): Promise<Selectable<Tables[Name]>[]> =>
  withDatabase(readSettings({ DATABASE_URL: url }).DATABASE_URL, async (db) => {
    const select = sql<Selectable<Tables[Name]>>`select * from ${sql.table(table)} order by id`
    return (await select.execute(db)).rows
  })

/** A store that retries a failed commit for so long that a busy machine makes no test fail. */
export const makeStore = (database: Database, mail = false): Store =>
  createStore(database, () => {}, mail, WAIT_TIMEOUT)
