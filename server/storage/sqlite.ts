import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { UserError } from '../user-error.ts'
import type { Database, Tables } from './database.ts'
import { type Migrations, migrate } from './migrations.ts'

/** How long a start waits for the lock of the file, which another process may still hold. */
const START_LOCK_MS = 5000

/**
 * How long a running server waits for the lock. It blocks the event loop, and lets a command end its page of rows; the
 * group commit retries after it.
 */
const LOCK_MS = 20

/** The most compiled statements that are kept: each size of a group makes another one. */
const MAX_STATEMENTS = 200

/** The length from which a statement is not kept: large groups take much memory, and little compiling for each row. */
const MAX_LENGTH = 4000

/** Opens the file for a server, and migrates its tables. A missing file is created, which `tell` is told. */
export async function serveSqlite(
  file: string,
  tell: (line: string) => void,
  migrations?: Migrations,
): Promise<Database> {
  makeFile(file)
  const { sqlite, db } = connect(file, START_LOCK_MS)
  let lock: SqliteFile.Database | null = null
  async function close() {
    sqlite.close()
    lock?.close()
  }
  try {
    lock = lockOutOtherServers(file)
    if (statSync(file).size === 0) tell(`Made a new, empty database ${file}`)
    await migrateSqlite({ sqlite, db }, migrations)
    sqlite.pragma(`busy_timeout = ${LOCK_MS}`)
    return { run: (statements) => statements(db), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Locks other servers out until it is closed or the process ends, by an empty file beside the database: a second server
 * would send each message to staff again. Throws a UserError while another one has the lock.
 */
export function lockOutOtherServers(file: string): SqliteFile.Database {
  const lockFile = `${realpathSync(file)}-lock`
  makeFile(lockFile)
  const lock = new SqliteFile(lockFile, { timeout: 0 })
  try {
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (!(error instanceof SqliteFile.SqliteError && error.code === 'SQLITE_BUSY')) throw error
    throw new UserError(`Another server runs on ${file}, which only one can: stop it, or use PostgreSQL for several.`)
  }
}

/** Opens an existing file for a command, beside a server or not. It writes, to undo what a killed server left. */
export function openSqlite(file: string, lockMs: number): Database {
  const { db } = connect(file, lockMs)
  return { run: (statements) => statements(db), close: () => db.destroy() }
}

/** Opens a file that this process may only read, beside a server or not, and writes nothing. */
export function openSqliteReadonly(file: string, lockMs: number): Database {
  const sqlite = new SqliteFile(file, { timeout: lockMs, readonly: true, fileMustExist: true })
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  const run: Database['run'] = (statements) =>
    statements(db).catch((error) => {
      // Only who may write can undo what a killed server left.
      const isLeft = error instanceof SqliteFile.SqliteError && error.code === 'SQLITE_READONLY_ROLLBACK'
      if (!isLeft) throw error
      throw new UserError('The server was killed amid a write: start it first, which puts the file in order.')
    })
  return { run, close: () => db.destroy() }
}

/** Copies a file while a server writes to it, in one step: a copy of several begins anew after each of its commits. */
export async function backupSqlite(file: string, target: string, lockMs: number): Promise<void> {
  const { sqlite } = connect(file, lockMs)
  try {
    const { totalPages } = await sqlite.backup(target, { progress: () => 2 ** 31 - 1 })
    // The library reports a file that stays locked in this way.
    if (totalPages === 0) throw new UserError(`${file} is locked by another program: try again when that has ended.`)
  } finally {
    sqlite.close()
  }
}

/**
 * Creates a missing file and its folders for the owner alone. With a umask of 0027, which only who means it sets, the
 * group may read them too. SQLite gives its journal the same mode.
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

type Connection = { readonly sqlite: SqliteFile.Database; readonly db: Kysely<Tables> }

/** Opens a file. After each commit it is whole by itself, and an acknowledged row has reached the disk. */
function connect(file: string, lockMs: number): Connection {
  const hasLog = existsSync(`${realpathSync(file)}-wal`)
  const sqlite = new SqliteFile(file, { timeout: lockMs, fileMustExist: true })
  try {
    if (!hasLog) refuseLostLog(sqlite, file)
    // The file stores neither setting, so each connection makes both. The first also converts a file that an earlier
    // release left in WAL mode.
    sqlite.pragma('journal_mode = TRUNCATE')
    sqlite.pragma('synchronous = FULL')
    return { sqlite, db: new Kysely<Tables>({ dialect: new SqliteDialect({ database: keepStatements(sqlite) }) }) }
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/**
 * Servers of the release before kept rows in a log beside the file, and a negative number in its header while they ran.
 * SQLite would convert a file whose log is missing in silence, without those rows. The release after the next may drop
 * this.
 */
function refuseLostLog(sqlite: SqliteFile.Database, file: string) {
  const isMarked = Number(sqlite.pragma('application_id', { simple: true })) < 0
  if (!isMarked || sqlite.pragma('journal_mode', { simple: true }) !== 'wal') return
  throw new UserError(`${file} lacks its log ${file}-wal, which holds rows: put it back, or restore a backup.`)
}

/** Migrates in one transaction, which excludes other writers; closing the connection undoes one that fails. */
async function migrateSqlite({ sqlite, db }: Connection, migrations?: Migrations) {
  // A file that can't be written fails here, not at the first visitor.
  sqlite.exec('begin immediate')
  await migrate(db, 'sqlite', migrations)
  sqlite.exec('commit')
}

/** The database for Kysely, which by itself would compile each statement every time. */
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
