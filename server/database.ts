import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/** What the statements name; times are ISO 8601 in UTC. */
export type Tables = {
  subscribers: {
    /** The address in lower case. */
    email_key: string
    /** The address as it was typed. */
    email: string
    created_at: string
  }
  enquiries: {
    /** The visitor's Idempotency-Key, else one that was made here. */
    idempotency_key: string
    first_name: string
    last_name: string
    email: string
    message: string
    created_at: string
  }
}

/** Milliseconds for which the start waits for another process to let go of the file. */
const START_PATIENCE = 5000

/** Opens the file, made on demand, its tables up to date. Throws if it can't be written. */
export async function openSqlite(file: string): Promise<Kysely<Tables>> {
  makeFolder(dirname(file))
  makeFile(file)
  const database = new Database(file, { timeout: START_PATIENCE })
  database.pragma('journal_mode = WAL')
  // An acknowledged row has reached the disk, not only the operating system.
  database.pragma('synchronous = FULL')
  // A file that can't be written is found now, not by the first visitor.
  database.exec('begin immediate; rollback')
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  await migrate(db)
  // From here on waiting for a lock would hold up every visitor: the group commit tries again instead.
  database.pragma('busy_timeout = 0')
  return db
}

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

// Each can run again after a crash: SQLite does not undo half a migration.
const MIGRATIONS: Record<string, Migration> = {
  '0001-leads': {
    async up(db) {
      await db.schema
        .createTable('subscribers')
        .ifNotExists()
        .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
        .addColumn('email_key', 'text', (column) => column.notNull().unique())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('enquiries')
        .ifNotExists()
        .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
        .addColumn('idempotency_key', 'text', (column) => column.notNull().unique())
        .addColumn('first_name', 'text', (column) => column.notNull())
        .addColumn('last_name', 'text', (column) => column.notNull())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('message', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute()
    },
  },
}

async function migrate(db: Kysely<Tables>) {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
