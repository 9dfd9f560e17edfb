import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Database, Tables } from './database.ts'
import { type Migrations, migrate } from './migrations.ts'

/** How long a start waits for the lock of the file, which another process may hold. */
const START_LOCK_MS = 5000

/** How long a running server waits for the lock: it blocks the event loop, so the store pauses and tries again. */
const LOCK_MS = 20

/** The most compiled statements that are kept: each size of a group makes another one. */
const MAX_STATEMENTS = 200

/** The length from which a statement is not kept: large groups take much memory, and little compiling for each row. */
const MAX_LENGTH = 4000

/** Opens the file for a server. Migrates its tables, and creates a missing file. Reports both by `tell`. */
export async function serveSqlite(
  file: string,
  tell: (line: string) => void,
  migrations?: Migrations,
): Promise<Database> {
  makeFile(file)
  const { sqlite, db } = connect(file, START_LOCK_MS)
  try {
    if (statSync(file).size === 0) tell(`Made a new, empty database ${file}`)
    // A file, journal or folder that can't be written fails here, not at the first visitor.
    if (unwritablePath(file) !== null) throw new Error('not writable')
    // Locks other writers out.
    sqlite.exec('begin immediate')
    await migrate(db, tell, migrations)
    sqlite.exec('commit')
    sqlite.pragma(`busy_timeout = ${LOCK_MS}`)
    return { run: (statements) => statements(db), close: () => db.destroy() }
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Opens an existing file for a command, while a server may use it. A read-only file is not written to. */
export function openSqlite(file: string, lockMs: number, readonly = false): Database {
  const { db } = connect(file, lockMs, readonly)
  return { run: (statements) => statements(db), close: () => db.destroy() }
}

/**
 * The path that this user may not write although a database needs it: the file, its journal, or the folder, in which
 * SQLite makes the journal; null if there is none. SQLite itself reports a disk that is full or read-only.
 */
export const unwritablePath = (file: string): string | null =>
  [file, `${file}-journal`, dirname(file)].find((path) => existsSync(path) && isForbidden(path, constants.W_OK)) ?? null

/** Whether the rights of a path deny this user the access. */
export function isForbidden(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES'
  }
}

/**
 * Creates a missing file and its folders for the owner alone. With a umask of 0027, which only an operator sets on
 * purpose, the group may read them too. SQLite gives its journal the same mode.
 */
function makeFile(file: string) {
  const isForGroup = (process.umask() & 0o077) === 0o027
  makeFolder(dirname(file), isForGroup ? 0o750 : 0o700)
  if (!existsSync(file)) closeSync(openSync(file, 'a', isForGroup ? 0o640 : 0o600))
}

/** Makes one folder at a time: Node's `recursive` may loop forever on a file system that refuses folders. */
function makeFolder(folder: string, mode: number) {
  if (existsSync(folder)) return
  makeFolder(dirname(folder), mode)
  mkdirSync(folder, { mode })
}

/** Opens a file. After each commit the file alone is whole, and an acknowledged row has reached the disk. */
function connect(file: string, lockMs: number, readonly = false) {
  const sqlite = new SqliteFile(file, { timeout: lockMs, fileMustExist: true, readonly })
  try {
    // The file stores neither setting, so each connection makes both.
    sqlite.pragma('journal_mode = TRUNCATE')
    sqlite.pragma('synchronous = FULL')
    return { sqlite, db: new Kysely<Tables>({ dialect: new SqliteDialect({ database: keepStatements(sqlite) }) }) }
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** The database for Kysely, which without this would compile each statement every time. */
function keepStatements(sqlite: SqliteFile.Database) {
  const statements = new Map<string, SqliteFile.Statement>()
  return {
    prepare(text: string) {
      // SQLite itself rolls back when the disk is full: a second rollback would fail, and hide the reason.
      if (text === 'rollback' && !sqlite.inTransaction) return sqlite.prepare('select 1')
      const statement = statements.get(text) ?? sqlite.prepare(text)
      if (statements.size < MAX_STATEMENTS && text.length < MAX_LENGTH) statements.set(text, statement)
      return statement
    },
    close: () => sqlite.close(),
  }
}
