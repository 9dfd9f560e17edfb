import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StartError } from '../configuration.ts'

export type Dialect = 'sqlite' | 'postgres'

/** How the tables of a database compare with what this release knows; 'absent' if it has none of them. */
export type SchemaState = 'absent' | 'older' | 'current' | 'newer'

/** Only reads. */
export async function readSchemaState<Tables>(db: Kysely<Tables>): Promise<SchemaState> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return 'absent'
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const applied = rows.map(({ name }) => name)
  const known = Object.keys(migrations('sqlite'))
  if (applied.some((name) => !known.includes(name))) return 'newer'
  return known.every((name) => applied.includes(name)) ? 'current' : 'older'
}

/**
 * Brings the tables up to date. Servers that start together do it one after the other. Throws a StartError, and writes
 * nothing, if a newer release has done so already.
 */
export async function migrate<Tables>(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const state = await readSchemaState(db)
  // A role that may not make tables can still use those that are there.
  if (state === 'current') return
  if (state === 'newer') throw newerSchema()
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(dialect) } })
  const { error } = await migrator.migrateToLatest()
  if (!error) return
  // A newer release may have been at it while this one waited for the lock.
  throw (await readSchemaState(db)) === 'newer' ? newerSchema() : error
}

export const newerSchema = () =>
  new StartError(
    "The database's tables are newer than this release: start the release that updated them, or a later one.",
  )

// A release before ran them outside a transaction on SQLite: of the first three, a crash may have left a half.
const migrations = (dialect: Dialect): Record<string, Migration> => ({
  '0001-leads': {
    async up(db) {
      await numbered(db.schema.createTable('subscribers'), dialect)
        .ifNotExists()
        .addColumn('email_key', 'text', (column) => column.notNull().unique())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute()
      await numbered(db.schema.createTable('enquiries'), dialect)
        .ifNotExists()
        .addColumn('idempotency_key', 'text', (column) => column.notNull().unique())
        .addColumn('first_name', 'text', (column) => column.notNull())
        .addColumn('last_name', 'text', (column) => column.notNull())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('message', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '0002-readiness': {
    async up(db) {
      await db.schema
        .createTable('readiness')
        .ifNotExists()
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('checked_at', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '0003-outbox': {
    async up(db) {
      await numbered(db.schema.createTable('outbox'), dialect)
        .ifNotExists()
        .addColumn('event_id', 'text', (column) => column.notNull().unique())
        .addColumn('way', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('lead_id', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('due_at', 'text', (column) => column.notNull())
        .addColumn('lease_until', 'text')
        .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('state', 'text', (column) => column.notNull().defaultTo('pending'))
        .addColumn('last_error', 'text')
        .execute()
      await db.schema.createIndex('outbox_due').ifNotExists().on('outbox').columns(['state', 'way', 'due_at']).execute()
    },
  },
  // Both may be null: a server of the release before writes neither.
  '0004-owners': {
    async up(db) {
      await db.schema.alterTable('subscribers').addColumn('request_id', 'text').execute()
      await db.schema.alterTable('outbox').addColumn('locked_by', 'text').execute()
    },
  },
})

/** A column `id` that counts up; the one thing that the two databases spell differently. */
const numbered = <Name extends string>(table: CreateTableBuilder<Name>, dialect: Dialect) =>
  dialect === 'sqlite'
    ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    : table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
