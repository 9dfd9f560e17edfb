import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Database, Tables } from './database.ts'
import { migrate } from './migrations.ts'

/** Milliseconds for which the start waits for another process to let go of the file. */
const START_PATIENCE = 5000

type Connection = {
  readonly sqlite: SqliteFile.Database
  readonly db: Kysely<Tables>
  /** Which files were opened. */
  readonly identity: string
}

/**
 * Opens the file, made on demand, its tables up to date. Throws if it can't be written. When the file is deleted under
 * it, the rows are put back where it was; when another one takes its place, that one is opened.
 */
export async function openSqlite(file: string): Promise<Database> {
  let connection: Connection | null = await connect(file, START_PATIENCE)
  let turn: Promise<unknown> = Promise.resolve()

  async function inPlace(): Promise<Connection> {
    if (connection && connection.identity === identityOf(file)) return connection
    if (connection) await letGo(connection)
    connection = null
    connection = await connect(file, 0)
    return connection
  }

  async function letGo({ sqlite, db }: Connection) {
    const copy = existsSync(file) ? null : await rescue(sqlite)
    // What only the log holds is not left to a log that may be gone, or would be replayed into the copy.
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
    if (copy) renameSync(copy, file)
    await db.destroy()
  }

  async function rescue(sqlite: SqliteFile.Database): Promise<string> {
    const copy = `${file}-rescued`
    makeFolder(dirname(file))
    makeFile(copy)
    await sqlite.backup(copy)
    return copy
  }

  async function write<Answer>(statements: (db: Kysely<Tables>) => Promise<Answer>): Promise<Answer> {
    const { db, identity } = await inPlace()
    if (!mayBeWritten(file)) throw new Error('The database file is read-only.')
    const answer = await statements(db)
    if (identity === identityOf(file)) return answer
    throw new Error('The database file is not the one that was opened.')
  }

  return {
    run(statements) {
      const answer = turn.then(() => write(statements))
      turn = answer.catch(() => {})
      return answer
    },
    async close() {
      await turn
      await connection?.db.destroy()
    },
  }
}

async function connect(file: string, patience: number): Promise<Connection> {
  makeFolder(dirname(file))
  makeFile(file)
  const sqlite = new SqliteFile(file, { timeout: patience })
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  try {
    sqlite.pragma('journal_mode = WAL')
    // An acknowledged row has reached the disk, not only the operating system.
    sqlite.pragma('synchronous = FULL')
    // A file that can't be written is found now, not by the first visitor.
    sqlite.exec('begin immediate; rollback')
    await migrate(db, 'sqlite')
    // From here on waiting for a lock would hold up every visitor: the group commit tries again instead.
    sqlite.pragma('busy_timeout = 0')
    return { sqlite, db, identity: identityOf(file) }
  } catch (error) {
    sqlite.close()
    throw error
  }
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
