import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { UserError } from '../user-error.ts'

export type Dialect = 'sqlite' | 'postgres'

/** How the tables compare with those of this release; 'absent' if there are none. */
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

/** Servers that start together wait for each other. Throws a UserError, and writes nothing, if the tables are newer. */
export async function migrate<Tables>(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const state = await readSchemaState(db)
  // A role that may not create tables can still use existing ones.
  if (state === 'current') return
  if (state === 'newer') throw newerSchema()
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(dialect) } })
  const { error } = await migrator.migrateToLatest()
  if (!error) return
  // A newer release may have migrated while this one waited for the lock.
  throw (await readSchemaState(db)) === 'newer' ? newerSchema() : error
}

export const newerSchema = () =>
  new UserError(
    "The database's tables are newer than this release: start the release that migrated them, or a later one.",
  )

// An earlier release ran the first three without a transaction on SQLite, so a crash may have left one half done.
const migrations = (dialect: Dialect): Record<string, Migration> => ({
  '0001-leads': {
    async up(db) {
      await withId(db.schema.createTable('subscribers'), dialect)
        .ifNotExists()
        .addColumn('email_key', 'text', (column) => column.notNull().unique())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute()
      await withId(db.schema.createTable('enquiries'), dialect)
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
      await withId(db.schema.createTable('outbox'), dialect)
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
  // Both are nullable: a server of the previous release, running beside this one, writes neither.
  '0004-owners': {
    async up(db) {
      await db.schema.alterTable('subscribers').addColumn('request_id', 'text').execute()
      await db.schema.alterTable('outbox').addColumn('locked_by', 'text').execute()
    },
  },
  '0005-channel': {
    async up(db) {
      await db.schema.alterTable('outbox').renameColumn('way', 'channel').execute()
      // A SQLite file has one server at a time.
      if (dialect === 'sqlite') return
      // Servers of the previous release, running beside this one, insert and query `way`: a trigger keeps both equal.
      await db.schema.alterTable('outbox').addColumn('way', 'text').execute()
      await sql`update outbox set way = channel`.execute(db)
      await sql`create function copy_outbox_channel() returns trigger language plpgsql as $$
        begin
          new.channel := coalesce(new.channel, new.way);
          new.way := new.channel;
          return new;
        end $$`.execute(db)
      await sql`create trigger outbox_channel before insert on outbox
        for each row execute function copy_outbox_channel()`.execute(db)
    },
  },
})

/** Adds the auto-incremented column `id`, which the two databases spell differently. */
const withId = <Name extends string>(table: CreateTableBuilder<Name>, dialect: Dialect) =>
  dialect === 'sqlite'
    ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    : table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
