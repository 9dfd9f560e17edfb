import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { type Selectable, sql } from 'kysely'
import { beforeEach, inject, onTestFinished, vi } from 'vitest'
import { readSettings } from '../../../server/settings.ts'
import type { Database, Tables } from '../../../server/storage/database.ts'
import { openDatabase } from '../../../server/storage/open-database.ts'
import { createStore, type Store } from '../../../server/storage/store.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'
import { createDatabase, query } from './postgres.ts'

export const DATABASES = ['sqlite', 'postgres'] as const

export type TestDatabase = Awaited<ReturnType<typeof makeDatabase>>

/** Makes an empty database, in a SQLite file or in the PostgreSQL that the tests share. */
export async function makeDatabase(kind: (typeof DATABASES)[number]) {
  const folder = mkdtempSync(join(tmpdir(), 'leads-'))
  const file = join(folder, 'data', 'leads.db')
  const url = kind === 'sqlite' ? `sqlite:${file}` : await createDatabase(inject('postgresUrl'))
  return {
    /** The value for DATABASE_URL. */
    url,
    /** The path of the SQLite file. */
    file,
    open: () => openDatabase(readSettings({ DATABASE_URL: url }).DATABASE_URL, () => {}),
    /** The rows of a table in the order of their ids, read over a connection of its own. */
    rows: async <Name extends keyof Tables>(table: Name): Promise<Selectable<Tables[Name]>[]> =>
      kind === 'sqlite' ? readTable(file, table) : query(url, `select * from ${table} order by id`),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

/** An empty database for each test of a file or a group, and the same database as a server opens it. */
export function openDatabases(kind: (typeof DATABASES)[number]): [TestDatabase, Database] {
  const [sandbox, database] = [{} as TestDatabase, {} as Database]
  beforeEach(async () => {
    Object.assign(sandbox, await makeDatabase(kind))
    Object.assign(database, await sandbox.open())
    // A busy disk must not delay tests.
    if (kind === 'sqlite') await database.run((db) => sql`pragma synchronous = off`.execute(db))
    return () => database.close().then(sandbox.remove)
  })
  return [sandbox, database]
}

/** The rows of a table in a SQLite file. */
export function readTable<Name extends keyof Tables>(databaseFile: string, table: Name): Selectable<Tables[Name]>[] {
  const database = new SqliteFile(databaseFile, { readonly: true })
  try {
    return database.prepare<[], Selectable<Tables[Name]>>(`select * from ${table} order by id`).all()
  } finally {
    database.close()
  }
}

type Options = Partial<Parameters<typeof createStore>[1]>

/** A store that retries a failed commit for longer than a busy machine takes, unless a test sets `retryMs`. */
export const makeStore = (
  database: Database,
  { onRefused = () => {}, retryMs = WAIT_TIMEOUT, ...options }: Options = {},
): Store => createStore(database, { onRefused, retryMs, ...options })

const HOUR_MS = 3_600_000

/** A store that gives up after its first attempt, however slow the machine is: its time passes only with attempts. */
export function makeHastyStore(database: Database, onRefused: Options['onRefused'] = () => {}): Store {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const run: Database['run'] = (statements) => database.run(statements).finally(() => vi.advanceTimersByTime(HOUR_MS))
  return createStore({ ...database, run }, { onRefused, retryMs: HOUR_MS })
}
