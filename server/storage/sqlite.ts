import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Database, Tables } from './database.ts'
import { migrate } from './migrations.ts'

/** How long a start and a command wait for the lock of the file, which another process may hold. */
const LOCK_MS = 30_000

/** How long a running server waits for the lock: it blocks the event loop, so the store pauses and tries again. */
const SERVER_LOCK_MS = 20

/** Opens the file for a server. Migrates its tables, and creates a missing file. Reports both by `tell`. */
export async function serveSqlite(
  file: string,
  tell: (line: string) => void,
  migrations?: Parameters<typeof migrate>[2],
): Promise<Database> {
  makeFile(file)
  const { sqlite, database } = connect(file)
  try {
    if (statSync(file).size === 0) tell(`Made a new, empty database ${file}`)
    // Locks other writers out; a file or folder that can't be written fails here, not at the first visitor.
    sqlite.exec('begin immediate')
    await database.run((db) => migrate(db, tell, migrations))
    sqlite.exec('commit')
    sqlite.pragma(`busy_timeout = ${SERVER_LOCK_MS}`)
    return database
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Opens an existing file for a command, while a server may use it. */
export function openSqlite(file: string): Database {
  // VACUUM needs room for a second file; in a container no other folder can be written.
  process.env.SQLITE_TMPDIR = dirname(file)
  return connect(file).database
}

/** Creates a missing file and its folders for the owner alone. SQLite gives its journal the same mode. */
function makeFile(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

/** Opens a file. After each commit the file alone is whole, and an acknowledged row has reached the disk. */
function connect(file: string) {
  const sqlite = new SqliteFile(file, { timeout: LOCK_MS, fileMustExist: true })
  try {
    // The file stores neither setting, so each connection makes both.
    sqlite.pragma('journal_mode = TRUNCATE')
    sqlite.pragma('synchronous = FULL')
  } catch (error) {
    sqlite.close()
    throw error
  }
  const prepare = keepStatements(sqlite)
  const dialect = new SqliteDialect({
    database: {
      // SQLite itself rolls back when the disk is full: a second rollback would fail, and hide the reason.
      prepare: (text) => prepare(text === 'rollback' && !sqlite.inTransaction ? 'select 1' : text),
      close: () => sqlite.close(),
    },
  })
  const db = new Kysely<Tables>({ dialect })
  const database: Database = { run: (statements) => statements(db), close: () => db.destroy() }
  return { sqlite, database }
}

/** Prepares each statement once: that takes longer than running it. Each size of a batch is a statement of its own. */
function keepStatements(sqlite: SqliteFile.Database) {
  const kept = new Map<string, SqliteFile.Statement>()
  return (text: string) => {
    const statement = kept.get(text) ?? sqlite.prepare(text)
    if (kept.size >= 100) kept.clear()
    kept.set(text, statement)
    return statement
  }
}
