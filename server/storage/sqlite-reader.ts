import { existsSync, readFileSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Database, Tables } from './database.ts'

/** Opens an existing file for a command that only reads, beside a server or not: it needs no permission to write. */
export function readSqlite(file: string, lockMs: number): Database {
  const hadLog = existsSync(`${file}-wal`)
  const sqlite = new SqliteFile(file, { readonly: true, timeout: lockMs, fileMustExist: true })
  try {
    sqlite.pragma('schema_version')
  } catch (error) {
    sqlite.close()
    if (hadLog || !needsLog(error)) throw error
    return databaseOf(readWhole(file))
  }
  return databaseOf(sqlite, () => {
    if (!hadLog && existsSync(`${file}-wal`)) removeLog(file)
  })
}

/** Makes a file that nobody uses readable where no write-ahead log can be created beside it. */
export function dropLog(file: string) {
  const sqlite = new SqliteFile(file, { fileMustExist: true })
  sqlite.pragma('journal_mode = DELETE')
  sqlite.close()
}

function databaseOf(sqlite: SqliteFile.Database, closed = () => {}): Database {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  return {
    run: (statements) => statements(db),
    async close() {
      sqlite.close()
      closed()
    },
  }
}

/** SQLite can't read a file in WAL mode in place where no log can be created beside it. */
const needsLog = (error: unknown) =>
  error instanceof SqliteFile.SqliteError && /^SQLITE_(CANTOPEN|READONLY)/.test(error.code)

/** Reads a file that nobody writes into memory. */
function readWhole(file: string): SqliteFile.Database {
  const bytes = readFileSync(file)
  // The header's read and write versions: 2 is WAL mode, 1 is not.
  bytes.fill(1, 18, 20)
  return new SqliteFile(bytes, { readonly: true })
}

/** Has SQLite remove the empty log that a reader created but may not delete, unless another process uses it by now. */
function removeLog(file: string) {
  try {
    const sqlite = new SqliteFile(file, { timeout: 0, fileMustExist: true })
    sqlite.pragma('schema_version')
    sqlite.close()
  } catch {
    // An empty log does no harm.
  }
}
