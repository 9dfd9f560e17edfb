import { existsSync, readFileSync, statSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { type Dialect, Kysely, SqliteDialect } from 'kysely'
import { type Database, SERVER_TIMEOUTS, type ServedDatabase, type Tables, UnusableDatabase } from './database.ts'
import { migrate } from './migrations.ts'
import { makeFile } from './private-files.ts'
import { serialize } from './serialize.ts'
import { assertNoOrphans, watchFile } from './sqlite-loss.ts'

/** At the start: another process may still hold the lock of the file. */
const START_LOCK_MS = 5000

/** Between two checks of the file while nothing is written. */
const CHECK_INTERVAL_MS = 1000

/**
 * Opens the file for a server: creates it if it is missing, and migrates its tables. Throws if it can't be written, or if
 * files beside a missing one hold its rows. Once the file or its write-ahead log is deleted, moved or replaced, all
 * statements are refused, and its rows are saved in a new file beside it; nothing is restored or reopened.
 */
export async function serveSqlite(file: string, { lockMs } = SERVER_TIMEOUTS): Promise<ServedDatabase> {
  assertNoOrphans(file)
  makeFile(file)
  const connection = connect(file, START_LOCK_MS)
  const { sqlite, db } = connection
  try {
    await migrateSqlite(connection)
    sqlite.pragma('journal_mode = WAL')
    // The first statement creates the log and its index.
    sqlite.exec('begin immediate; rollback')
  } catch (error) {
    sqlite.close()
    throw error
  }
  // From here on waiting for a lock would block the event loop.
  sqlite.pragma(`busy_timeout = ${lockMs}`)
  const watch = watchFile(sqlite, file)
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

  async function checkFile() {
    await run(async () => {}).catch(() => {})
    return watch.isLost()
  }
  const timer = setInterval(checkFile, CHECK_INTERVAL_MS).unref()
  return {
    run,
    onLoss: watch.onLoss,
    async close() {
      clearInterval(timer)
      if (!(await checkFile())) connection.close()
    },
  }
}

/** Opens an existing file for a command, beside a server or not. Reading needs no permission to write. */
export function openSqlite(file: string, access: 'read' | 'write', lockMs: number): Database {
  const { db, close } = access === 'read' ? connectToRead(file, lockMs) : connect(file, lockMs)
  return { run: (statements) => statements(db), close: async () => close() }
}

/** Creates a file with empty tables. */
export async function makeSqlite(file: string, lockMs: number): Promise<void> {
  makeFile(file)
  const connection = connect(file, lockMs)
  try {
    await migrateSqlite(connection)
    connection.sqlite.pragma('journal_mode = WAL')
  } finally {
    connection.close()
  }
}

/** Makes a file that nobody uses readable where no write-ahead log can be created beside it. */
export function dropLog(file: string) {
  const sqlite = new SqliteFile(file, { fileMustExist: true })
  sqlite.pragma('journal_mode = DELETE')
  sqlite.close()
}

type Connection = { readonly sqlite: SqliteFile.Database; readonly db: Kysely<Tables>; close(): void }

function connect(file: string, lockMs: number): Connection {
  const sqlite = new SqliteFile(file, { timeout: lockMs, fileMustExist: true })
  // An acknowledged row has reached the disk, not only the operating system.
  sqlite.pragma('synchronous = FULL')
  return connectionOf(sqlite, () => sqlite.close())
}

function connectToRead(file: string, lockMs: number): Connection {
  const hadLog = existsSync(`${file}-wal`)
  const sqlite = new SqliteFile(file, { readonly: true, timeout: lockMs, fileMustExist: true })
  try {
    sqlite.pragma('schema_version')
  } catch (error) {
    sqlite.close()
    if (hadLog || !needsLog(error)) throw error
    return readWhole(file)
  }
  return connectionOf(sqlite, () => {
    sqlite.close()
    if (!hadLog && existsSync(`${file}-wal`)) removeLog(file)
  })
}

const connectionOf = (sqlite: SqliteFile.Database, close: () => void): Connection => ({
  sqlite,
  db: new Kysely<Tables>({ dialect: dialectOf(sqlite) }),
  close,
})

/** SQLite itself rolls back when the disk is full: a second rollback would fail, and hide the reason. */
function dialectOf(sqlite: SqliteFile.Database): Dialect {
  const dialect = new SqliteDialect({ database: sqlite })
  const createDriver = () => {
    const driver = dialect.createDriver()
    const rollback = driver.rollbackTransaction.bind(driver)
    driver.rollbackTransaction = async (connection) => {
      if (sqlite.inTransaction) await rollback(connection)
    }
    return driver
  }
  return {
    createDriver,
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  }
}

/** SQLite can't read a file in WAL mode in place where no log can be created beside it. */
const needsLog = (error: unknown) =>
  error instanceof SqliteFile.SqliteError && /^SQLITE_(CANTOPEN|READONLY)/.test(error.code)

/** Reads a file that nobody writes into memory. */
function readWhole(file: string): Connection {
  const bytes = readFileSync(file)
  // The header's read and write versions: 2 is WAL mode, 1 is not.
  bytes.fill(1, 18, 20)
  const sqlite = new SqliteFile(bytes, { readonly: true })
  return connectionOf(sqlite, () => sqlite.close())
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

/** In one transaction, which excludes other writers. */
async function migrateSqlite({ sqlite, db }: Connection) {
  // A file that can't be written fails here, not at the first visitor.
  sqlite.exec('begin immediate')
  try {
    await migrate(db, 'sqlite')
    sqlite.exec('commit')
  } finally {
    if (sqlite.inTransaction) sqlite.exec('rollback')
  }
}
