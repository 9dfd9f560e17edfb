import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { type Database, SERVER_TIMEOUTS, type ServedDatabase, type Tables, UnusableDatabase } from './database.ts'
import { type Migrations, migrate } from './migrations.ts'
import { refuseIncomplete } from './sqlite-file.ts'
import { watchFile } from './sqlite-watch.ts'

/** At the start: another process may still hold the lock of the file. */
const START_LOCK_MS = 5000

/** Between two checks of the file while nothing is written. */
const CHECK_INTERVAL_MS = 1000

/** Compiled statements that are kept: the size of a group makes another one. */
const MAX_STATEMENTS = 200

/** Characters of a statement that is kept: those of large groups take much memory, and less time for each row. */
const MAX_LENGTH = 4000

/** Gets a line when the file is made, and one if it is lost. */
export type FileLog = { info(line: string): void; error(line: string): void }

/**
 * Opens the file for a server: creates it if it is missing, and migrates its tables. Throws if it can't be written, or is
 * not what a server left. Once it is deleted, moved, replaced or overwritten, or loses its log, all statements are refused
 * with a LostDatabase, and the log gets one line about it. The connection then stays open, because closing it would delete
 * the file's log by its name.
 */
export async function serveSqlite(file: string, log: FileLog, migrations?: Migrations): Promise<ServedDatabase> {
  refuseIncomplete(file, 'write')
  makeFile(file)
  if (statSync(file).size === 0) log.info(`Made a new, empty database ${file}`)
  const connection = connect(file, START_LOCK_MS)
  const { sqlite } = connection
  try {
    await migrateSqlite(connection, migrations)
    sqlite.pragma('journal_mode = WAL')
    // The first statement creates the file's log and its index.
    sqlite.exec('begin immediate; rollback')
    return serveOpened(connection, file, log)
  } catch (error) {
    closeWithoutLog(sqlite)
    throw error
  }
}

function serveOpened({ sqlite, db }: Connection, file: string, log: FileLog): ServedDatabase {
  const watch = watchFile(sqlite, file, (line) => log.error(line))
  // From here on waiting for a lock would block the event loop.
  sqlite.pragma(`busy_timeout = ${SERVER_TIMEOUTS.lockMs}`)
  let last: Promise<unknown> = Promise.resolve()

  async function write<Answer>(statements: (db: Kysely<Tables>) => Promise<Answer>): Promise<Answer> {
    watch.check()
    // An open handle outlives the permission, and root needs none: the file's mode is the owner's decision.
    if ((statSync(file).mode & 0o222) === 0) throw new UnusableDatabase('The database file is read-only.')
    const answer = await statements(db)
    watch.check()
    return answer
  }

  /** One after the other, also after one has failed: there is one connection. */
  const run: Database['run'] = (statements) => {
    const answer = last.then(() => write(statements))
    last = answer.catch(() => {})
    return answer
  }
  const checkFile = () => run(async () => {}).catch(() => {})
  const timer = setInterval(checkFile, CHECK_INTERVAL_MS).unref()
  return {
    run,
    fileStatus: watch.status,
    async close() {
      await checkFile()
      if (watch.status().isLost) return
      clearInterval(timer)
      closeWithoutLog(sqlite)
      watch.close()
    },
  }
}

/** Opens an existing file for a command, beside a server or not. Reading needs no permission to write. */
export function openSqlite(file: string, access: 'read' | 'write', lockMs: number): Database {
  refuseIncomplete(file, access)
  const { sqlite, db } = connect(file, lockMs, access === 'read')
  return {
    run: (statements) => statements(db),
    close: async () => (access === 'read' ? void sqlite.close() : closeWithoutLog(sqlite)),
  }
}

/** Creates a file with empty tables. */
export async function makeSqlite(file: string, lockMs: number): Promise<void> {
  makeFile(file)
  const connection = connect(file, lockMs)
  await migrateSqlite(connection).finally(() => connection.sqlite.close())
}

/** Creates a missing file and its folders, for the owner alone; SQLite gives its other files the same mode. */
function makeFile(file: string) {
  makeFolder(dirname(file))
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

/** One folder at a time: Node's `recursive` may loop forever on a file system that refuses folders. */
function makeFolder(folder: string) {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** Writes the log into the file, which then is no longer in use. While another program uses the file, the log stays. */
function closeWithoutLog(sqlite: SqliteFile.Database) {
  try {
    sqlite.pragma('busy_timeout = 0')
    sqlite.pragma('journal_mode = DELETE')
  } catch {
    // The log belongs to the file, and the next start needs it.
  } finally {
    sqlite.close()
  }
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
    // Before the file uses a log: a mark without a log would say that the log is missing.
    if (sqlite.pragma('journal_mode', { simple: true }) === 'delete') sqlite.pragma('application_id = 0')
    sqlite.exec('commit')
  } finally {
    if (sqlite.inTransaction) sqlite.exec('rollback')
  }
}
