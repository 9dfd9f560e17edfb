import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { UserError } from '../errors.ts'
import { type Database, type Db, isSqlite, type Tables } from './database.ts'
import { databaseAdvice } from './database-errors.ts'

/**
 * Opens an existing file. After each commit the file alone is whole, and an acknowledged row has reached the disk. A
 * wait for the lock of the file, which another process may hold, blocks the event loop for up to `lockMs`.
 */
export function openSqlite(file: string, lockMs: number): Database {
  // VACUUM needs room for a second file; in a container no other folder can be written.
  process.env.SQLITE_TMPDIR = dirname(file)
  const sqlite = new SqliteFile(file, { timeout: lockMs, fileMustExist: true })
  // The file stores neither setting, so each connection makes both.
  sqlite.pragma('journal_mode = TRUNCATE')
  sqlite.pragma('synchronous = FULL')
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  return { run: (statements) => statements(db), close: () => db.destroy() }
}

/** Makes a file with its folders, for the owner alone. SQLite gives its journal the same mode. */
export function makeSqliteFile(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

/**
 * Rewrites a SQLite file, so that no text of deleted rows is left in it: overwriting them would not be enough, because
 * index pages keep copies of earlier rows. Does nothing on PostgreSQL.
 */
export async function vacuum(db: Db): Promise<void> {
  if (!isSqlite(db)) return
  await sql`vacuum`.execute(db).catch((error) => {
    const advice = databaseAdvice(error)
    throw new UserError(`The text of deleted rows is still in the file. ${advice} Then run leads housekeeping.`)
  })
}
