import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { DatabaseError, Pool, types } from 'pg'
import { StartError } from '../configuration.ts'
import {
  type Database,
  type Patience,
  SERVER_PATIENCE,
  type ServedDatabase,
  type Tables,
  UnusableDatabase,
} from './database.ts'
import { migrate, newerSchema, readSchemaState, type SchemaState } from './migrations.ts'
import { findWritable, type Hosts } from './postgres-hosts.ts'

/** A migration may rewrite a large table, or wait for another server that does. */
const MIGRATION_PATIENCE: Patience = { ...SERVER_PATIENCE, statement: 30 * 60_000 }

/**
 * Opens nothing yet: connections are made by the first statements, to the host that accepts writes, and made anew after
 * one of them has failed.
 */
export function openPostgres(hosts: Hosts, patience = SERVER_PATIENCE): Database {
  let connections: ReturnType<typeof connect> | null = null

  const letGo = (used: typeof connections) => used?.then(({ db }) => db.destroy()).catch(() => {})

  return {
    async run(statements) {
      connections ??= connect(hosts, patience)
      const used = connections
      try {
        const { db, unconfirmed } = await used
        const before = unconfirmed()
        const answer = await statements(db)
        if (unconfirmed() > before) throw new UnusableDatabase('Somebody ended the wait for its synchronous standby.')
        return answer
      } catch (error) {
        // Where one connection has failed, the others may be as dead, and would each take their time to show it.
        if (connections === used && !isAnswer(error)) {
          connections = null
          void letGo(used)
        }
        throw error
      }
    },
    async close() {
      await letGo(connections)
    },
  }
}

/**
 * The same for a server, which brings the tables up to date once in its life. Where the database is away at the start,
 * that is done when it is back; statements are refused until then. Rejects with a StartError if this release can never
 * use it.
 */
export async function servePostgres(hosts: Hosts, patience = SERVER_PATIENCE): Promise<ServedDatabase> {
  const database = openPostgres(hosts, patience)
  let isReady = false
  let migration: Promise<void> | null = null
  let failure: unknown = new UnusableDatabase('Its tables are being updated: calls are taken when that is done.')

  /** Rejects while a migration runs, which may take minutes. */
  async function prepare() {
    if (!migration && (await database.run(checkDatabase)) === 'current') {
      isReady = true
      return
    }
    migration ??= migratePostgres(hosts)
      .catch((error) => {
        failure = error
      })
      .finally(() => {
        migration = null
      })
    throw failure
  }

  try {
    await prepare().catch((error) => (migration ? migration.then(prepare) : Promise.reject(error)))
  } catch (error) {
    if (error instanceof StartError) throw error
  }
  return {
    async run(statements) {
      if (!isReady) await prepare()
      return database.run(statements)
    },
    close: () => database.close(),
    onLoss() {},
  }
}

/** Brings the tables up to date over a connection of its own, which waits as long as that takes. */
export async function migratePostgres(hosts: Hosts) {
  const { db } = await connect(hosts, MIGRATION_PATIENCE)
  await checkDatabase(db)
    .then(() => migrate(db, 'postgres'))
    .finally(() => db.destroy())
}

async function connect({ urls, mustWrite }: Hosts, patience: Patience) {
  const queryTimeout = patience.statement + 500
  const pool = new Pool({
    connectionString: mustWrite ? await findWritable(urls, patience.connection) : urls[0],
    // Row numbers stay far below what a number holds.
    types: { getTypeParser: (id, format) => (id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)) },
    application_name: `launching-soon ${process.pid}`,
    // Each kind of row has one commit at a time, the outbox and the figures one statement.
    max: 5,
    // Milliseconds after which a host that says nothing counts as away.
    connectionTimeoutMillis: patience.connection,
    // The database ends what takes too long, and the connection stays; only if it does not, the connection has failed.
    query_timeout: queryTimeout,
    keepAlive: true,
  })
  // A connection that ends is replaced by the next statement, in use or not; without listeners it would end the process.
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
      // An acknowledged row has reached the disk, that of a synchronous standby too, also where role or database say that
      // it need not. While such a standby is away commits wait, beyond any limit: those that were given up are ended, or
      // they would take all connections.
      await connection.executeQuery(
        CompiledQuery.raw(`select set_config('statement_timeout', '${patience.statement}', false),
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
    /** How many commits are told as done though nobody knows whether the standby has them. */
    unconfirmed: () => unconfirmed,
  }
}

/** Whether the database has said why a statement fails, so that the connection it came over is sound. */
const isAnswer = (error: unknown) =>
  error instanceof DatabaseError &&
  // It ends the connection, or can't be written: then its name may lead to another by now.
  !/^(08|57P|25006)/.test(error.code ?? '08')

async function checkDatabase(db: Kysely<Tables>): Promise<SchemaState> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db)
  // A letter that the database can't hold would fail all rows of its commit.
  if (rows[0]?.server_encoding !== 'UTF8') {
    throw new StartError("Its encoding is not UTF8: create it with encoding 'UTF8' template template0.")
  }
  const state = await readSchemaState(db)
  if (state === 'newer') throw newerSchema()
  return state
}
