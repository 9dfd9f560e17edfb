import { randomInt } from 'node:crypto'
import { statSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { type Database, SERVER_TIMEOUTS, type ServedDatabase, type Tables, UnusableDatabase } from './database.ts'
import { refuseFileWithoutLog, refuseLogWithoutFile, refuseMarked } from './loss-marker.ts'
import { type Migrations, migrate } from './migrations.ts'
import { makeFile } from './private-files.ts'
import { serialize } from './serialize.ts'
import { watchFile } from './sqlite-watch.ts'

/** At the start: another process may still hold the lock of the file. */
const START_LOCK_MS = 5000

/** Between two checks of the file while nothing is written. */
const CHECK_INTERVAL_MS = 1000

/** Compiled statements that are kept: the size of a group makes another one. */
const MAX_STATEMENTS = 200

/** Characters of a statement that is kept: those of large groups take much memory, and less time for each row. */
const MAX_LENGTH = 4000

/**
 * Opens the file for a server: creates it if it is missing, and migrates its tables. Throws if it can't be written, or was
 * lost before. Once it is deleted, moved, replaced or overwritten, or loses its log, all statements are refused with a
 * LostDatabase, and `report` gets one line about it. The connection then stays open, because closing it would delete the
 * log by its name.
 */
export async function serveSqlite(
  file: string,
  report: (line: string) => void,
  migrations?: Migrations,
): Promise<ServedDatabase> {
  refuseMarked(file)
  refuseLogWithoutFile(file)
  makeFile(file)
  refuseFileWithoutLog(file)
  const connection = connect(file, START_LOCK_MS)
  const { sqlite, db } = connection
  try {
    await migrateSqlite(connection, migrations)
    sqlite.pragma('journal_mode = WAL')
    // The first statement creates the log and its index.
    sqlite.exec('begin immediate; rollback')
  } catch (error) {
    sqlite.close()
    throw error
  }
  // From here on waiting for a lock would block the event loop.
  sqlite.pragma(`busy_timeout = ${SERVER_TIMEOUTS.lockMs}`)
  const watch = watchFile(sqlite, file, report)
  const inSequence = serialize()

  async function write<Answer>(statements: (db: Kysely<Tables>) => Promise<Answer>): Promise<Answer> {
    watch.check()
    // An open handle outlives the permission, and root needs none: the file's mode is the owner's decision.
    if ((statSync(file).mode & 0o222) === 0) throw new UnusableDatabase('The database file is read-only.')
    const answer = await statements(db)
    watch.check()
    return answer
  }

  const run: Database['run'] = (statements) => inSequence(() => write(statements))
  const checkFile = () => run(async () => {}).catch(() => {})
  const timer = setInterval(checkFile, CHECK_INTERVAL_MS).unref()
  return {
    run,
    fileStatus: watch.status,
    async close() {
      await checkFile()
      if (watch.status().isLost) return
      clearInterval(timer)
      sqlite.close()
      watch.close()
    },
  }
}

/** Opens an existing file for a command, beside a server or not. Reading needs no permission to write. */
export function openSqlite(file: string, access: 'read' | 'write', lockMs: number): Database {
  const { sqlite, db } = connect(file, lockMs, access === 'read')
  return { run: (statements) => statements(db), close: async () => void sqlite.close() }
}

/** Creates a file with empty tables. */
export async function makeSqlite(file: string, lockMs: number): Promise<void> {
  makeFile(file)
  const connection = connect(file, lockMs)
  try {
    await migrateSqlite(connection)
    connection.sqlite.pragma('journal_mode = WAL')
  } finally {
    connection.sqlite.close()
  }
}

/** Makes a file that nobody uses readable where no write-ahead log can be created beside it. */
export function dropLog(file: string) {
  const sqlite = new SqliteFile(file, { fileMustExist: true })
  sqlite.pragma('journal_mode = DELETE')
  sqlite.close()
}

type Connection = { readonly sqlite: SqliteFile.Database; readonly db: Kysely<Tables> }

function connect(file: string, lockMs: number, readonly = false): Connection {
  const sqlite = new SqliteFile(file, { timeout: lockMs, fileMustExist: true, readonly })
  // An acknowledged row has reached the disk, not only the operating system.
  sqlite.pragma('synchronous = FULL')
  return { sqlite, db: new Kysely<Tables>({ dialect: new SqliteDialect({ database: keepStatements(sqlite) }) }) }
}

/** The database as Kysely uses it, which would compile each statement every time. */
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

/** In one transaction, which excludes other writers. */
async function migrateSqlite({ sqlite, db }: Connection, migrations?: Migrations) {
  // A file that can't be written fails here, not at the first visitor.
  sqlite.exec('begin immediate')
  try {
    await migrate(db, 'sqlite', migrations)
    // By this number the file is recognised, whatever is written to it.
    if (sqlite.pragma('application_id', { simple: true }) === 0)
      sqlite.pragma(`application_id = ${randomInt(1, 2 ** 31)}`)
    sqlite.exec('commit')
  } finally {
    if (sqlite.inTransaction) sqlite.exec('rollback')
  }
}
