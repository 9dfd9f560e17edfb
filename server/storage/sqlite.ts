import { existsSync, readFileSync, statSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { type Dialect, Kysely, SqliteDialect } from 'kysely'
import { type Database, SERVER_PATIENCE, type ServedDatabase, type Tables, UnusableDatabase } from './database.ts'
import { migrate } from './migrations.ts'
import { makeFile } from './private-files.ts'
import { assertNoOrphans, guardFile } from './sqlite-loss.ts'

/** Milliseconds for which the start waits for another process to let go of the file. */
const START_PATIENCE = 5000

/** Milliseconds between two looks at the file while nobody writes. */
const WATCH = 1000

/**
 * Opens the file for a server, made on demand, its tables up to date. Throws if it can't be written, or if rows that
 * were in it lie beside it. When it is deleted, moved or replaced, or its log is, all statements are refused from then
 * on, and its rows are saved in a new file beside it; nothing is put back, and nothing opened again.
 */
export async function serveSqlite(file: string, { lock } = SERVER_PATIENCE): Promise<ServedDatabase> {
  assertNoOrphans(file)
  makeFile(file)
  const connection = connect(file, START_PATIENCE)
  const { sqlite, db } = connection
  try {
    await migrateSqlite(connection)
    sqlite.pragma('journal_mode = WAL')
    // The log and its index are made by the first statement.
    sqlite.exec('begin immediate; rollback')
  } catch (error) {
    sqlite.close()
    throw error
  }
  // From here on waiting for a lock holds up whatever else the process does.
  sqlite.pragma(`busy_timeout = ${lock}`)
  const guard = guardFile(sqlite, file)
  let turn: Promise<unknown> = Promise.resolve()

  async function write<Answer>(statements: (db: Kysely<Tables>) => Promise<Answer>): Promise<Answer> {
    guard.check()
    // A handle that was opened before outlives the permission, and root needs none: what the owner said counts.
    if ((statSync(file).mode & 0o222) === 0) throw new UnusableDatabase('The database file is read-only.')
    const answer = await statements(db)
    guard.check()
    return answer
  }

  function run<Answer>(statements: (db: Kysely<Tables>) => Promise<Answer>) {
    const answer = turn.then(() => write(statements))
    turn = answer.catch(() => {})
    return answer
  }

  async function look() {
    await run(async () => {}).catch(() => {})
    return guard.isLost()
  }
  const watch = setInterval(look, WATCH).unref()
  return {
    run,
    onLoss: guard.onLoss,
    async close() {
      clearInterval(watch)
      if (!(await look())) connection.close()
    },
  }
}

/** Opens a file that is there for commands beside a server; only those that may write need the right to. */
export function openSqlite(file: string, access: 'read' | 'write', lock: number): Database {
  const { db, close } = access === 'read' ? connectToRead(file, lock) : connect(file, lock)
  return { run: (statements) => statements(db), close: async () => close() }
}

/** Makes a file with empty tables. */
export async function makeSqlite(file: string, lock: number): Promise<void> {
  makeFile(file)
  const connection = connect(file, lock)
  try {
    await migrateSqlite(connection)
    connection.sqlite.pragma('journal_mode = WAL')
  } finally {
    connection.close()
  }
}

/** Has a file that nobody uses go without a log, so that it can be read where no other file can be made beside it. */
export function dropLog(file: string) {
  const sqlite = new SqliteFile(file, { fileMustExist: true })
  sqlite.pragma('journal_mode = DELETE')
  sqlite.close()
}

type Connection = { readonly sqlite: SqliteFile.Database; readonly db: Kysely<Tables>; close(): void }

function connect(file: string, lock: number): Connection {
  const sqlite = new SqliteFile(file, { timeout: lock, fileMustExist: true })
  // An acknowledged row has reached the disk, not only the operating system.
  sqlite.pragma('synchronous = FULL')
  return connectionOf(sqlite, () => sqlite.close())
}

function connectToRead(file: string, lock: number): Connection {
  const hadLog = existsSync(`${file}-wal`)
  const sqlite = new SqliteFile(file, { readonly: true, timeout: lock, fileMustExist: true })
  try {
    sqlite.pragma('schema_version')
  } catch (error) {
    sqlite.close()
    if (hadLog || !wantsLog(error)) throw error
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

/** SQLite ends a transaction itself when the disk is full: to undo it again would fail, and hide why. */
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

/** Where no log can be made beside a file that has had one, SQLite does not read it in place. */
const wantsLog = (error: unknown) =>
  error instanceof SqliteFile.SqliteError && /^SQLITE_(CANTOPEN|READONLY)/.test(error.code)

/** Takes all of a file that nobody writes into memory. */
function readWhole(file: string): Connection {
  const bytes = readFileSync(file)
  // The versions that say of its header that it has a log: 2, and 1 that it has none.
  bytes.fill(1, 18, 20)
  const sqlite = new SqliteFile(bytes, { readonly: true })
  return connectionOf(sqlite, () => sqlite.close())
}

/** Has SQLite remove the empty log that a reader has made and may not remove, unless another uses it by now. */
function removeLog(file: string) {
  try {
    const sqlite = new SqliteFile(file, { timeout: 0, fileMustExist: true })
    sqlite.pragma('schema_version')
    sqlite.close()
  } catch {
    // It harms nobody.
  }
}

/** All or nothing, and while no other process writes. */
async function migrateSqlite({ sqlite, db }: Connection) {
  // A file that can't be written is found now, not by the first visitor.
  sqlite.exec('begin immediate')
  try {
    await migrate(db, 'sqlite')
    sqlite.exec('commit')
  } finally {
    if (sqlite.inTransaction) sqlite.exec('rollback')
  }
}
