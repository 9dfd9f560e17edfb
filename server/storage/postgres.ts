import { Kysely, PostgresDialect, sql } from 'kysely'
import { DatabaseError, Pool, types } from 'pg'
import { UserError } from '../user-error.ts'
import type { Database, Tables, Timeouts } from './database.ts'
import { type Migrations, migrate } from './migrations.ts'

/**
 * A statement that hangs is given up, and so is the rollback after it. Both are tried once more, because the page waits
 * ten seconds for the answer.
 */
const SERVER_TIMEOUTS: Timeouts = { lockMs: 0, connectionMs: 1000, statementMs: 2000 }

/** A migration may rewrite a large table, and waits for the migration of another server. */
const MIGRATION_TIMEOUTS: Timeouts = { lockMs: 0, connectionMs: 10_000, statementMs: 30 * 60_000 }

/** Connects with the first statement; after a connection has failed, the next statement connects again. */
export function openPostgres(url: string, timeouts = SERVER_TIMEOUTS): Database {
  let current = connect(url, timeouts)
  return {
    async run(statements) {
      const used = current
      try {
        return await statements(used)
      } catch (error) {
        // If one connection has failed, the others may have failed too, and each would need a timeout to show it.
        if (current === used && !isDatabaseAnswer(error)) {
          current = connect(url, timeouts)
          used.destroy().catch(() => {})
        }
        throw error
      }
    },
    close: () => current.destroy(),
  }
}

/**
 * Whether an error is the database's own answer, so that the connection works. An answer that ends the connection, or
 * that the database is read-only, does not count: the host's name may lead to another database by now.
 */
const isDatabaseAnswer = (error: unknown) =>
  error instanceof DatabaseError && !/^(08|57P|25006)/.test(error.code ?? '08')

/** Opens a database for a server. Migrates its tables, and reports that by `tell`. Rejects if it is unavailable. */
export async function servePostgres(
  url: string,
  tell: (line: string) => void,
  migrations?: Migrations,
): Promise<Database> {
  const db = connect(url, MIGRATION_TIMEOUTS)
  try {
    await refuseOtherEncodings(db)
    await db.transaction().execute((transaction) => migrate(transaction, tell, migrations))
  } finally {
    await db.destroy()
  }
  return openPostgres(url)
}

async function refuseOtherEncodings(db: Kysely<Tables>) {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db)
  // A character that the encoding lacks would make a whole commit fail.
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
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** The settings of each connection. */
const settings = (lockMs: number) => `
  set lock_timeout = ${lockMs};
  -- A statement whose client is gone ends, instead of waiting for a lock.
  set client_connection_check_interval = 1000;
  -- An acknowledged row is on the disk, and on that of a synchronous standby, even where the role or database says otherwise.
  select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') not in ('on', 'remote_apply')`
