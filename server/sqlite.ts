import { closeSync, existsSync, fstatSync, linkSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { type Database, SERVER_PATIENCE, type Tables } from './database.ts'
import { migrate } from './migrations.ts'

/** Milliseconds for which the start waits for another process to let go of the file. */
const START_PATIENCE = 5000

/** Milliseconds between two looks at the file while nobody writes. */
const WATCH = 1000

type Connection = {
  readonly sqlite: SqliteFile.Database
  readonly db: Kysely<Tables>
  /** Which files were opened. */
  readonly identity: string
  /** Another handle of the file, to ask what became of it. */
  readonly handle: number
}

/**
 * Opens the file, made on demand, its tables up to date. Throws if it can't be written. When the file is deleted under
 * it, the rows are put back where they were; when another one takes its place, that one is opened; when it is moved
 * away, nothing can be stored until it is back.
 */
export async function openSqlite(file: string, { lock } = SERVER_PATIENCE): Promise<Database> {
  const copy = `${file}-rescued`
  makeFolder(dirname(file))
  if (existsSync(`${file}-wal`) && !existsSync(file) && !existsSync(copy)) {
    throw new Error('its -wal is there without it: put the file back beside it, or move the -wal away')
  }
  if (!existsSync(copy)) makeFile(file)
  let connection: Connection | null = await reconnect(START_PATIENCE)
  let turn: Promise<unknown> = Promise.resolve()

  async function inPlace(): Promise<Connection> {
    if (connection?.identity === identityOf(file)) return connection
    if (connection) await letGo(connection)
    connection = null
    connection = await reconnect(0)
    return connection
  }

  async function letGo(old: Connection) {
    if (!existsSync(file)) {
      if (fstatSync(old.handle).nlink > 0) throw new Error('The database file was moved away.')
      await rescue(old.sqlite)
    }
    // What only the log holds is not left to a log that may be gone, or would be replayed into the copy.
    old.sqlite.pragma('wal_checkpoint(TRUNCATE)')
    await disconnect(old)
  }

  async function rescue(sqlite: SqliteFile.Database) {
    makeFolder(dirname(file))
    makeFile(`${copy}-part`)
    await sqlite.backup(`${copy}-part`)
    renameSync(`${copy}-part`, copy)
  }

  /** A copy keeps its own name until the file is open, also over a crash. */
  async function reconnect(patience: number): Promise<Connection> {
    if (!existsSync(file)) linkSync(copy, file)
    const next = await connect(file, patience, lock)
    if (statSync(copy, { throwIfNoEntry: false })?.ino === fstatSync(next.handle).ino) rmSync(copy)
    return next
  }

  async function write<Answer>(statements: (db: Kysely<Tables>) => Promise<Answer>): Promise<Answer> {
    const { db, identity } = await inPlace()
    if (!mayBeWritten(file)) throw new Error('The database file is read-only.')
    const answer = await statements(db)
    if (identity === identityOf(file)) return answer
    throw new Error('The database file is not the one that was opened.')
  }

  function run<Answer>(statements: (db: Kysely<Tables>) => Promise<Answer>) {
    const answer = turn.then(() => write(statements))
    turn = answer.catch(() => {})
    return answer
  }

  const look = () => run(async () => {}).catch(() => {})
  const watch = setInterval(look, WATCH).unref()
  return {
    run,
    async close() {
      clearInterval(watch)
      await look()
      // A file that was moved away takes with it what only the log holds.
      if (!existsSync(file)) connection?.sqlite.pragma('wal_checkpoint(TRUNCATE)')
      if (connection) await disconnect(connection)
    },
  }
}

async function connect(file: string, patience: number, lock: number): Promise<Connection> {
  const handle = openSync(file, 'r')
  const sqlite = new SqliteFile(file, { timeout: patience, fileMustExist: true })
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  try {
    sqlite.pragma('journal_mode = WAL')
    // An acknowledged row has reached the disk, not only the operating system.
    sqlite.pragma('synchronous = FULL')
    // A file that can't be written is found now, not by the first visitor.
    sqlite.exec('begin immediate; rollback')
    await migrate(db, 'sqlite')
    // From here on waiting for a lock holds up whatever else the process does.
    sqlite.pragma(`busy_timeout = ${lock}`)
    return { sqlite, db, handle, identity: identityOf(file) }
  } catch (error) {
    sqlite.close()
    closeSync(handle)
    throw error
  }
}

async function disconnect({ db, handle }: Connection) {
  await db.destroy()
  // Not before: closing any handle of a file drops the locks that the process has on it.
  closeSync(handle)
}

/** Tells the file and its write-ahead log from others that have their names; a restart reads both. */
function identityOf(file: string): string {
  const numbers = [file, `${file}-wal`].map((path) => {
    const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? { dev: 0, ino: 0 }
    return `${dev}:${ino}`
  })
  return numbers.join(' ')
}

/** A handle that was opened before outlives the permission, and root needs none: what the owner said counts. */
const mayBeWritten = (file: string) => (statSync(file).mode & 0o222) !== 0

/** One folder after the other: where a file system takes none, Node's `recursive` may try for ever. */
function makeFolder(folder: string) {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** For our eyes only; SQLite gives the files that it makes beside it the same mode. */
function makeFile(file: string) {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}
