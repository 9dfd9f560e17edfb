import { sql } from 'kysely'
import { LOCK_MS } from '../timeouts.ts'
import { type Db, isSqlite } from './database.ts'

/** Parts of statements that the databases spell differently. */
type Spelling = {
  /** The auto-incremented column `id`. */
  readonly id: string
  /** A text that is compared byte by byte, whatever the locale of the database, which an update of it may change. */
  readonly key: string
}

/** The statements of a migration. */
export type Migrations = readonly ((spelling: Spelling) => readonly string[])[]

/**
 * The changes of the tables in their order. A released migration never changes. Each migration only adds tables, and
 * columns that are null or have a default: so the previous release runs on newer tables, and an update can be undone.
 */
export const MIGRATIONS: Migrations = [
  ({ id, key }) => [
    `create table subscribers (${id}, email_key ${key} not null unique, email text not null, created_at text not null)`,
    `create table enquiries (${id}, idempotency_key ${key} not null unique, first_name text not null,
      last_name text not null, email text not null, message text not null, created_at text not null,
      mail_due_at ${key}, mail_attempts integer not null default 0, mail_error text, mail_sent_at text)`,
    // The rows of sent mails are in neither index.
    'create index mail_due on enquiries (mail_due_at) where mail_due_at is not null',
    'create index mail_error on enquiries (mail_error) where mail_error is not null',
    `create table times (id ${key} primary key, time text not null)`,
  ],
]

/** Servers that start together on PostgreSQL take this lock one after the other; on SQLite they lock the file. */
const LOCK = 8_122_026

/** How many migrations the tables have had; 0 if there are none. */
export async function schemaVersion(db: Db): Promise<number> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'schema_version')) return 0
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(db)
  return rows[0]?.version ?? 0
}

/** Brings the tables up to date, in a transaction of the caller. Newer tables are left as they are. */
export async function migrate(db: Db, tell: (line: string) => void, migrations = MIGRATIONS): Promise<void> {
  // A role that may not create tables can still use those that are there.
  if ((await schemaVersion(db)) >= migrations.length) return
  if (!isSqlite(db)) {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db)
    // While a migration waits for a program that reads the tables, the calls of visitors wait for the migration.
    await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(db)
  }
  const version = await schemaVersion(db)
  if (version >= migrations.length) return
  if (version > 0) tell(`Migrating the tables from version ${version} to ${migrations.length}; this may take minutes`)
  else await sql`create table schema_version (version integer not null)`.execute(db)
  const spelling = isSqlite(db)
    ? { id: 'id integer primary key autoincrement', key: 'text' }
    : { id: 'id bigserial primary key', key: 'text collate "C"' }
  for (const statement of migrations.slice(version).flatMap((migration) => migration(spelling))) {
    await sql.raw(statement).execute(db)
  }
  await sql`delete from schema_version`.execute(db)
  await sql`insert into schema_version values (${migrations.length})`.execute(db)
  if (version > 0) tell('Migrated the tables')
}
