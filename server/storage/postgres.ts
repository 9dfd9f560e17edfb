import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { DatabaseError, Pool, types } from 'pg'
import { UserError } from '../user-error.ts'
import { type Database, SERVER_TIMEOUTS, type Tables, type Timeouts, UnusableDatabase } from './database.ts'
import { type Migrations, migrate, readSchemaState } from './migrations.ts'

/** A migration may rewrite a large table. While it waits for a lock, visitors wait too. */
const MIGRATION_TIMEOUTS: Timeouts = { ...SERVER_TIMEOUTS, lockMs: 500, statementMs: 30 * 60_000 }

/** The pause between two attempts to migrate: longer than one delays visitors, so that what they sent is stored. */
const RETRY_MS = 2000

/** Connects with the first statement; after a connection has failed, the next statement connects again. */
export function openPostgres(url: string, timeouts = SERVER_TIMEOUTS): Database {
  let current = connect(url, timeouts)
  return {
    async run(statements) {
      const used = current
      const before = used.unconfirmed()
      try {
        const answer = await statements(used.db)
        if (used.unconfirmed() > before)
          throw new UnusableDatabase('The wait for its synchronous standby was cancelled.')
        return answer
      } catch (error) {
        // If one connection has failed, the others may have too, and would each take a timeout to show it.
        if (current === used && !isDatabaseAnswer(error)) {
          current = connect(url, timeouts)
          used.db.destroy().catch(() => {})
        }
        throw error
      }
    },
    close: () => current.db.destroy(),
  }
}

/** Whether an error is the database's own answer, so that the connection works. */
const isDatabaseAnswer = (error: unknown) =>
  error instanceof DatabaseError &&
  // A server that ends the connection, or is read-only, does not count: the host's name may lead to another one by now.
  !/^(08|57P|25006)/.test(error.code ?? '08')

type ServeOptions = { readonly timeouts?: Timeouts; readonly migrations?: Migrations }

/**
 * Opens a database for a server, and migrates its tables once. If it is unavailable at the start, that is done when it
 * is back, and statements are refused until then. Rejects with a UserError if this release can never use the database.
 */
export async function servePostgres(
  url: string,
  { timeouts = SERVER_TIMEOUTS, migrations }: ServeOptions = {},
): Promise<Database> {
  const database = openPostgres(url, timeouts)
  /** Why statements are refused; null once the tables are up to date. */
  let refusal: unknown = null
  let isClosed = false

  async function prepare() {
    try {
      if ((await database.run((db) => readSchemaState(db, migrations))) !== 'current') {
        refusal = new UnusableDatabase('Its tables are being migrated, which waits for exports to end.')
        await migratePostgres(url, migrations)
      }
      refusal = null
    } catch (error) {
      refusal = error
    }
  }

  async function retry() {
    while (refusal !== null && !isClosed) {
      await setTimeout(RETRY_MS, undefined, { ref: false })
      await prepare()
    }
  }

  const served: Database = {
    async run(statements) {
      if (refusal !== null) throw refusal
      return database.run(statements)
    },
    async close() {
      isClosed = true
      await database.close()
    },
  }
  await prepare()
  if (refusal instanceof UserError) {
    await served.close()
    throw refusal
  }
  void retry()
  return served
}

/** Migrates by a connection of its own, with longer timeouts, and waits for programs that read the tables to end. */
export async function migratePostgres(url: string, migrations?: Migrations): Promise<void> {
  const { db } = connect(url, MIGRATION_TIMEOUTS)
  try {
    await refuseOtherEncodings(db)
    return await migrate(db, 'postgres', migrations)
  } catch (error) {
    const isLocked = error instanceof DatabaseError && error.code === '55P03'
    if (!isLocked) throw error
  } finally {
    await db.destroy()
  }
  await setTimeout(RETRY_MS)
  return migratePostgres(url, migrations)
}

async function refuseOtherEncodings(db: Kysely<Tables>) {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db)
  // One character that the encoding lacks would fail a whole commit.
  if (rows[0]?.server_encoding !== 'UTF8') {
    throw new UserError("The database's encoding is not UTF8: create it with encoding 'UTF8' template template0.")
  }
}

function connect(url: string, { lockMs, connectionMs, statementMs }: Timeouts) {
  const pool = new Pool({
    connectionString: url,
    // Row ids stay far below the largest safe integer.
    types: { getTypeParser: (id, format) => (id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)) },
    application_name: 'launching-soon',
    // Enough for one commit at a time, the outbox, and the metrics.
    max: 5,
    connectionTimeoutMillis: connectionMs,
    query_timeout: statementMs,
    keepAlive: true,
    // The pool waits for the settings, and ends a connection that refuses one.
    onConnect: (client) => client.query(settings(lockMs)),
  })
  // The pool replaces a failed connection; without listeners the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), unconfirmed: countUnconfirmed(pool) }
}

/** The settings of each connection. */
const settings = (lockMs: number) => `
  set lock_timeout = ${lockMs};
  -- A statement whose client is gone ends, instead of waiting for a lock.
  set client_connection_check_interval = 1000;
  -- An acknowledged row is on the disk, and on that of a synchronous standby, even where the role or database says otherwise.
  select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') not in ('on', 'remote_apply')`

/**
 * Counts the commits that a synchronous standby has not confirmed, because somebody cancelled the wait for it:
 * PostgreSQL reports such a commit as done, with a notice.
 */
function countUnconfirmed(pool: Pool): () => number {
  let count = 0
  pool.on('connect', (client) =>
    client.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') count += 1
    }),
  )
  return () => count
}
