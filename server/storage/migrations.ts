import { sql } from 'kysely'
import { UserError } from '../errors.ts'
import { LOCK_MS } from '../timeouts.ts'
import { type Db, isSqlite } from './database.ts'

/** The column types that have different names on SQLite and PostgreSQL. */
type ColumnTypes = { readonly rowId: string; readonly key: string }

const ON_SQLITE: ColumnTypes = { rowId: 'integer primary key autoincrement', key: 'text' }
// Keys are compared byte by byte, because an update of PostgreSQL may change how text is sorted.
const ON_POSTGRES: ColumnTypes = { rowId: 'bigserial primary key', key: 'text collate "C"' }

/**
 * The changes of the tables in their order, each a list of statements. A released migration never changes. A migration
 * only adds tables, or columns that may be null or have a default. So the previous release runs on newer tables, and an
 * update can be undone.
 */
export type Migrations = readonly ((types: ColumnTypes) => readonly string[])[]

export const MIGRATIONS: Migrations = [
  ({ rowId, key }) => [
    `create table subscribers (id ${rowId}, email_key ${key} not null unique, email text not null,
      created_at text not null)`,
    `create table enquiries (id ${rowId}, idempotency_key ${key} not null unique, first_name text not null,
      last_name text not null, email text not null, message text not null, created_at text not null,
      mail_due_at ${key}, mail_attempts integer not null default 0, mail_error text, mail_sent_at text)`,
    // The rows of sent mails are in neither index.
    'create index mail_due on enquiries (mail_due_at) where mail_due_at is not null',
    'create index mail_error on enquiries (mail_error) where mail_error is not null',
  ],
  // Some installations from before the first release have this table already.
  ({ key }) => [`create table if not exists readiness (id ${key} primary key, time text not null)`],
]

/** On PostgreSQL, servers that start together take this lock one after the other. On SQLite they lock the file. */
const LOCK = 8_122_026

/** How many migrations the tables have had; 0 if there are none. */
export async function schemaVersion(db: Db): Promise<number> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'schema_version')) return 0
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(db)
  return rows[0]?.version ?? 0
}

/**
 * Brings the tables up to date in one transaction, and leaves newer tables alone. Returns how many migrations the tables
 * had before. If it fails, `database` must be closed.
 */
export const migrate = (database: Db, report: (line: string) => void, migrations: Migrations): Promise<number> =>
  database.connection().execute(async (db) => {
    // On SQLite this statement locks other writers out. It fails at once if the file or its folder can't be written.
    await sql.raw(isSqlite(db) ? 'begin immediate' : 'begin').execute(db)
    const version = await schemaVersion(db)
    // Do nothing if the tables are up to date: the database role may have no right to create tables.
    if (version < migrations.length) await upgrade(db, report, migrations)
    await sql`commit`.execute(db)
    return version
  })

async function upgrade(db: Db, report: (line: string) => void, migrations: Migrations) {
  if (!isSqlite(db)) {
    const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db)
    // A commit has rows of several visitors. One character that the encoding lacks would make all of them fail.
    if (rows[0]?.server_encoding !== 'UTF8') {
      throw new UserError(
        "The database does not use UTF8. Create it again: create database NAME encoding 'UTF8' template template0",
      )
    }
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db)
    // The wait is short: while a migration waits for a program that reads the tables, the calls of visitors wait too.
    await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(db)
  }
  // Another server may have migrated meanwhile.
  const version = await schemaVersion(db)
  if (version >= migrations.length) return
  if (version > 0) report(`Migrating the tables to version ${migrations.length}; this may take minutes`)
  else await sql`create table schema_version (version integer not null)`.execute(db)
  const types = isSqlite(db) ? ON_SQLITE : ON_POSTGRES
  const statements = migrations.slice(version).flatMap((migration) => migration(types))
  for (const statement of statements) await sql.raw(statement).execute(db)
  await sql`delete from schema_version`.execute(db)
  await sql`insert into schema_version values (${migrations.length})`.execute(db)
}
