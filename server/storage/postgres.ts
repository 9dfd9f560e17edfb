import { Kysely, PostgresDialect, sql } from 'kysely'
import { DatabaseError, Pool, types } from 'pg'
import { ATTEMPT_MS, LOCK_MS } from '../timeouts.ts'
import { UserError } from '../user-error.ts'
import type { Database, Tables } from './database.ts'
import { migrate } from './migrations.ts'

/** How long to wait for a connection, for an answer, and for a lock; a `lockMs` of 0 is no limit. */
export type Timeouts = { readonly connectMs: number; readonly answerMs: number; readonly lockMs: number }

const SERVER: Timeouts = { connectMs: ATTEMPT_MS, answerMs: ATTEMPT_MS, lockMs: LOCK_MS }

/** A command, and a migration that rewrites a large table or waits for that of another server. */
export const PATIENT: Timeouts = { connectMs: 10_000, answerMs: 30 * 60_000, lockMs: 0 }

/** Connects with the first statement; after a connection has failed, the next statement connects again. */
export function openPostgres(url: string, timeouts = SERVER): Database {
  let current = connect(url, timeouts)
  return {
    async run(statements) {
      const used = current
      try {
        return await inTime(statements(used), timeouts.answerMs)
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

/** The limit is for all statements together: without it each would have its own, and the rollback after them too. */
function inTime<Answer>(work: Promise<Answer>, ms: number): Promise<Answer> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('timeout')), ms)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
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
  migrations?: Parameters<typeof migrate>[2],
): Promise<Database> {
  const db = connect(url, PATIENT)
  try {
    const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db)
    // A character that the encoding lacks would make a whole commit fail.
    if (rows[0]?.server_encoding !== 'UTF8') {
      throw new UserError("The database's encoding is not UTF8: create it with encoding 'UTF8' template template0.")
    }
    await db.transaction().execute((transaction) => migrate(transaction, tell, migrations))
  } finally {
    await db.destroy()
  }
  return openPostgres(url)
}

function connect(url: string, { connectMs, answerMs, lockMs }: Timeouts) {
  const pool = new Pool({
    connectionString: url,
    // Row ids stay far below the largest safe integer.
    types: { getTypeParser: (id, format) => (id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)) },
    application_name: 'launching-soon',
    // Enough for one commit at a time, the mails, and the metrics.
    max: 5,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    // An acknowledged row is on the disk, even where the role or the database says otherwise. There is no
    // statement_timeout: it would turn the wait for a synchronous standby into a success.
    options: `-c synchronous_commit=on -c lock_timeout=${lockMs}`,
  })
  // The pool replaces a failed connection; without listeners the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
