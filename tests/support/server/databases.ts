import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import type { Selectable } from 'kysely'
import { beforeEach, inject } from 'vitest'
import type { Channel, Database, Tables } from '../../../server/storage/database.ts'
import { parseDatabaseUrl } from '../../../server/storage/database-url.ts'
import { openDatabase } from '../../../server/storage/open-database.ts'
import { createStore, type Store, type StoreEvents } from '../../../server/storage/store.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'
import { createDatabase, query } from './postgres.ts'

export const DATABASES = ['sqlite', 'postgres'] as const

export type TestDatabase = Awaited<ReturnType<typeof makeDatabase>>

/** A new and empty database, on disk or in the PostgreSQL that the project's tests share. */
export async function makeDatabase(kind: (typeof DATABASES)[number]) {
  const folder = mkdtempSync(join(tmpdir(), 'leads-'))
  const file = join(folder, 'data', 'leads.db')
  const url = kind === 'sqlite' ? `sqlite:${file}` : await createDatabase(inject('postgresUrl'))
  return {
    /** What DATABASE_URL would say. */
    url,
    /** Of SQLite. */
    file,
    open: () => openDatabase(parseDatabaseUrl('DATABASE_URL', url), () => {}),
    /** What a table holds, read as another process would, in the order of coming. */
    rows: async <Name extends keyof Tables>(table: Name): Promise<Selectable<Tables[Name]>[]> =>
      kind === 'sqlite' ? readTable(file, table) : query(url, `select * from ${table} order by id`),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

/** A new database for each test of a group, beside it as a server has it open. */
export function openDatabases(kind: (typeof DATABASES)[number]): [TestDatabase, Database] {
  const [sandbox, database] = [{} as TestDatabase, {} as Database]
  beforeEach(async () => {
    Object.assign(sandbox, await makeDatabase(kind))
    Object.assign(database, await sandbox.open())
    return async () => {
      await database.close()
      await sandbox.remove()
    }
  })
  return [sandbox, database]
}

/** What a file holds. */
export function readTable<Name extends keyof Tables>(databaseFile: string, table: Name): Selectable<Tables[Name]>[] {
  const database = new SqliteFile(databaseFile, { readonly: true })
  try {
    return database.prepare<[], Selectable<Tables[Name]>>(`select * from ${table} order by id`).all()
  } finally {
    database.close()
  }
}

/** For stores of which only the answers matter. */
export const ignoredEvents: StoreEvents = { committed() {}, refused() {} }

type Options = {
  readonly channels?: readonly Channel[]
  readonly events?: StoreEvents
  /** For how long a failed commit is tried again; unless a test is about that, no busy machine reaches it. */
  readonly retryMs?: number
}

export const makeStore = (
  database: Database,
  { channels = [], events = ignoredEvents, retryMs = WAIT_TIMEOUT }: Options = {},
): Store => createStore(database, { events, channels, retryMs })
