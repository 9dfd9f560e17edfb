import { setTimeout } from 'node:timers/promises'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { DatabaseError, Pool, types } from 'pg'
import { UserError } from '../user-error.ts'
import {
  type Database,
  SERVER_TIMEOUTS,
  type ServedDatabase,
  type Tables,
  type Timeouts,
  UnusableDatabase,
} from './database.ts'
import { findWritable } from './find-writable.ts'
import { type Migrations, migrate, NewerSchema, readSchemaState, type SchemaState } from './migrations.ts'
import type { Hosts } from './postgres-hosts.ts'

/** A migration may rewrite a large table. While it waits for a lock, visitors wait too. */
const MIGRATION_TIMEOUTS: Timeouts = { ...SERVER_TIMEOUTS, lockMs: 500, statementMs: 30 * 60_000 }

/** Longer than visitors have waited, so that what they sent is stored meanwhile. */
const LOCK_RETRY_MS = 2000

/**
 * Connects with the first statement, to the host that accepts writes; after a connection has failed, the next statement
 * connects again.
 */
export function openPostgres(hosts: Hosts, timeouts = SERVER_TIMEOUTS): Database {
  let current: ReturnType<typeof connect> | null = null

  const release = (used: typeof current) => used?.then(({ db }) => db.destroy()).catch(() => {})

  return {
    async run(statements) {
      current ??= connect(hosts, timeouts)
      const used = current
      try {
        const { db, unconfirmed } = await used
        const before = unconfirmed()
        const answer = await statements(db)
        if (unconfirmed() > before) throw new UnusableDatabase('The wait for its synchronous standby was cancelled.')
        return answer
      } catch (error) {
        // If one connection has failed, the others may have too, and would each take a timeout to show it.
        if (current === used && !isDatabaseAnswer(error)) {
          current = null
          void release(used)
        }
        throw error
      }
    },
    async close() {
      await release(current)
    },
  }
}

type ServeOptions = { readonly timeouts?: Timeouts; readonly migrations?: Migrations }

/**
 * For a server: migrates the tables once. If the database is unavailable at the start, that is done when it is back, and
 * statements are refused until then. Rejects with a UserError if this release can never use the database.
 */
export async function servePostgres(
  hosts: Hosts,
  { timeouts = SERVER_TIMEOUTS, migrations }: ServeOptions = {},
): Promise<ServedDatabase> {
  const database = openPostgres(hosts, timeouts)
  /** 'absent' until the database has answered, and after a migration has failed. */
  let state: 'absent' | 'migrating' | 'ready' = 'absent'
  let migration = Promise.resolve()
  let refusal: unknown = new UnusableDatabase('Its tables are being migrated, which waits for exports to end.')

  async function migrateOnce() {
    try {
      await migratePostgres(hosts, migrations)
      state = 'ready'
    } catch (error) {
      state = 'absent'
      refusal = error
    }
  }

  /** Rejects while a migration runs, for that may take minutes. */
  async function prepare() {
    const schema = state === 'absent' ? await database.run((db) => checkDatabase(db, migrations)) : null
    if (state === 'absent' && schema === 'current') state = 'ready'
    if (state === 'absent') {
      state = 'migrating'
      migration = migrateOnce()
    }
    if (state !== 'ready') throw refusal
  }

  try {
    await prepare().catch((error) => (state === 'migrating' ? migration.then(prepare) : Promise.reject(error)))
  } catch (error) {
    if (error instanceof UserError) throw error
  }
  return {
    async run(statements) {
      if (state !== 'ready') await prepare()
      return database.run(statements)
    },
    close: () => database.close(),
    fileStatus: () => null,
  }
}

/** Uses a connection of its own, with longer timeouts, and waits for programs that read the tables to end. */
export async function migratePostgres(hosts: Hosts, migrations?: Migrations) {
  const { db } = await connect(hosts, MIGRATION_TIMEOUTS)
  try {
    await checkDatabase(db, migrations)
    while (!(await migrateUnlessLocked(db, migrations))) await setTimeout(LOCK_RETRY_MS)
  } finally {
    await db.destroy()
  }
}

/** False, and nothing is changed, if another program holds a lock: all statements of visitors would wait behind this one. */
async function migrateUnlessLocked(db: Kysely<Tables>, migrations?: Migrations): Promise<boolean> {
  try {
    await migrate(db, 'postgres', migrations)
    return true
  } catch (error) {
    if (error instanceof DatabaseError && error.code === '55P03') return false
    throw error
  }
}

async function connect({ urls, mustWrite }: Hosts, timeouts: Timeouts) {
  const queryTimeout = timeouts.statementMs + 500
  const pool = new Pool({
    connectionString: mustWrite ? await findWritable(urls, timeouts.connectionMs) : urls[0],
    // Row ids stay far below the largest safe integer.
    types: { getTypeParser: (id, format) => (id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)) },
    application_name: `launching-soon ${process.pid}`,
    // Three queues with one commit at a time each, the outbox, and the metrics.
    max: 5,
    connectionTimeoutMillis: timeouts.connectionMs,
    // The database itself cancels what takes too long; if it does not, the connection has failed.
    query_timeout: queryTimeout,
    keepAlive: true,
  })
  // The pool replaces a failed connection; without listeners the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let unconfirmed = 0
  pool.on('connect', (client) =>
    client.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') unconfirmed += 1
    }),
  )
  const dialect = new PostgresDialect({
    pool,
    onCreateConnection: async (connection) => {
      // An acknowledged row is on the disk, and on that of a synchronous standby, even where the role or database is set
      // otherwise. While the standby is away, commits wait without a limit: those that nobody waits for any more are
      // cancelled, or they would use up the connections.
      await connection.executeQuery(
        CompiledQuery.raw(`select set_config('statement_timeout', '${timeouts.statementMs}', false),
          set_config('lock_timeout', '${timeouts.lockMs}', false),
          case when current_setting('synchronous_commit') not in ('on', 'remote_apply')
            then set_config('synchronous_commit', 'on', false) end,
          (select count(pg_cancel_backend(pid)) from pg_stat_activity
            where application_name = current_setting('application_name') and wait_event = 'SyncRep'
              and query_start < now() - interval '${queryTimeout} ms')`),
      )
    },
  })
  return {
    db: new Kysely<Tables>({ dialect }),
    /** How many commits succeeded without confirmation from the standby. */
    unconfirmed: () => unconfirmed,
  }
}

/** Whether an error is the database's own answer, so that the connection works. */
const isDatabaseAnswer = (error: unknown) =>
  error instanceof DatabaseError &&
  // But not if the server ends the connection, or is read-only: the host's name may lead to another server by now.
  !/^(08|57P|25006)/.test(error.code ?? '08')

async function checkDatabase(db: Kysely<Tables>, migrations?: Migrations): Promise<SchemaState> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db)
  // One character that the encoding lacks would fail a whole commit.
  if (rows[0]?.server_encoding !== 'UTF8') {
    throw new UserError("The database's encoding is not UTF8: create it with encoding 'UTF8' template template0.")
  }
  const state = await readSchemaState(db, migrations)
  if (state === 'newer') throw new NewerSchema()
  return state
}
