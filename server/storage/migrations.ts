import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { UserError } from '../user-error.ts'

export type Dialect = 'sqlite' | 'postgres'

/** How the tables compare with those of this release; 'absent' if there are none. */
export type SchemaState = 'absent' | 'older' | 'current' | 'newer'

/** Compares the tables with those of this release, and only reads. */
export async function readSchemaState<Tables>(db: Kysely<Tables>, migrations = MIGRATIONS): Promise<SchemaState> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return 'absent'
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const applied = rows.map(({ name }) => name)
  const known = Object.keys(migrations('sqlite'))
  if (applied.some((name) => !known.includes(name))) return 'newer'
  return known.every((name) => applied.includes(name)) ? 'current' : 'older'
}

/**
 * Brings the tables up to date. Servers that start together wait for each other. Throws a UserError, and writes
 * nothing, if the tables are newer.
 */
export async function migrate<Tables>(db: Kysely<Tables>, dialect: Dialect, migrations = MIGRATIONS): Promise<void> {
  const state = await readSchemaState(db, migrations)
  // A role that may not create tables can still use existing ones.
  if (state === 'current') return
  if (state === 'newer') throw new NewerSchema()
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(dialect) } })
  const { error } = await migrator.migrateToLatest()
  if (!error) return
  // A newer release may have migrated while this one waited for the lock.
  throw (await readSchemaState(db, migrations)) === 'newer' ? new NewerSchema() : error
}

/** Says that a later release has migrated the tables. */
export class NewerSchema extends UserError {
  constructor(database = 'the database') {
    super(
      `The tables of ${database} are newer than this release: start the release that migrated them, or a later one. In development, delete it, or set DATABASE_URL to another one.`,
    )
  }
}

/** The changes of the tables in their order, by name. A released one never changes. */
export type Migrations = (dialect: Dialect) => Record<string, Migration>

export const MIGRATIONS: Migrations = (dialect) => ({
  '0001-tables': {
    async up(db) {
      await withId(db.schema.createTable('subscribers'), dialect)
        .addColumn('email_key', 'text', (column) => column.notNull().unique())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('request_id', 'text', (column) => column.notNull())
        .execute()
      await withId(db.schema.createTable('enquiries'), dialect)
        .addColumn('idempotency_key', 'text', (column) => column.notNull().unique())
        .addColumn('first_name', 'text', (column) => column.notNull())
        .addColumn('last_name', 'text', (column) => column.notNull())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('message', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('readiness')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('checked_at', 'text', (column) => column.notNull())
        .execute()
      await withId(db.schema.createTable('outbox'), dialect)
        .addColumn('event_id', 'text', (column) => column.notNull().unique())
        .addColumn('channel', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('lead_id', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('due_at', 'text', (column) => column.notNull())
        .addColumn('lease_until', 'text')
        .addColumn('locked_by', 'text')
        .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('state', 'text', (column) => column.notNull().defaultTo('pending'))
        .addColumn('last_error', 'text')
        .execute()
      await db.schema.createIndex('outbox_due').on('outbox').columns(['state', 'channel', 'due_at']).execute()
    },
  },
})

/** Adds the auto-incremented column `id`, which the two databases spell differently. */
const withId = <Name extends string>(table: CreateTableBuilder<Name>, dialect: Dialect) =>
  dialect === 'sqlite'
    ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    : table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
