import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { Kysely, type RawBuilder, SqliteDialect, sql } from 'kysely'
import { UserError } from '../errors.ts'
import { type Database, type Db, isSqlite, type Tables, type VisitorTable } from './database.ts'
import { databaseAdvice } from './database-errors.ts'
import { showStep } from './progress.ts'

/**
 * Opens an existing file. After each commit all rows are in the file itself, on the disk, and the journal is empty. If
 * another process has locked the file, a statement blocks the event loop for up to `lockMs`.
 */
export function openSqlite(file: string, lockMs: number): Database {
  // VACUUM needs room for a second file; in a container no other folder can be written.
  process.env.SQLITE_TMPDIR = dirname(file)
  const sqlite = new SqliteFile(file, { timeout: lockMs, fileMustExist: true })
  // SQLite does not save these two settings in the file, so each connection sets them.
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

/** Deletes rows of visitors. Returns their number. A SQLite file holds their text until `vacuum` has rewritten it. */
export const deleteRows = (db: Db, table: VisitorTable, condition: RawBuilder<boolean>): Promise<bigint> =>
  db.transaction().execute(async (transaction) => {
    const deletion = transaction.deleteFrom<VisitorTable>(table).where(condition)
    const { numDeletedRows } = await deletion.executeTakeFirstOrThrow()
    if (isSqlite(db) && numDeletedRows > 0n) await setRewriteDue(transaction, true)
    return numDeletedRows
  })

// SQLite keeps `user_version` for programs: 1 says that the file still has text of deleted rows.

async function isRewriteDue(db: Db): Promise<boolean> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  return rows[0]?.user_version !== 0
}

const setRewriteDue = (db: Db, isDue: boolean) => sql`pragma user_version = ${sql.lit(Number(isDue))}`.execute(db)

/**
 * Rewrites a SQLite file from which rows were deleted since the last time, so that none of their text is left in it.
 * Overwriting the rows would not be enough, because index pages keep copies of earlier rows. Does nothing on PostgreSQL.
 */
export async function vacuum(db: Db): Promise<void> {
  if (!isSqlite(db) || !(await isRewriteDue(db))) return
  showStep('Rewriting the file without the text of deleted rows')
  try {
    await sql`vacuum`.execute(db)
    await setRewriteDue(db, false)
  } catch (error) {
    const advice = databaseAdvice(error)
    throw new UserError(`The text of deleted rows is still in the file. ${advice} Then run leads housekeeping.`)
  }
}
