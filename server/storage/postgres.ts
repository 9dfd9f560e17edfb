import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import { ATTEMPT_MS, LOCK_MS } from '../timeouts.ts'
import type { Database, Tables } from './database.ts'

/** How long to wait for a connection, for an answer, and for a lock; a `lockMs` of 0 is no limit. */
export type Timeouts = { readonly connectMs: number; readonly answerMs: number; readonly lockMs: number }

export const HASTY: Timeouts = { connectMs: ATTEMPT_MS, answerMs: ATTEMPT_MS, lockMs: LOCK_MS }

/** A command, and a migration that rewrites a large table or waits for that of another server. */
export const PATIENT: Timeouts = { connectMs: 10_000, answerMs: 30 * 60_000, lockMs: 0 }

/**
 * Connects with the first statement, and anew after each failure: if one connection has failed, the others may have too,
 * and the host's name may lead to another primary by now.
 */
export function openPostgres(url: string, timeouts: Timeouts): Database {
  let current = connect(url, timeouts)
  return {
    async run(statements) {
      const used = current
      try {
        return await inTime(statements(used), timeouts.answerMs)
      } catch (error) {
        if (current === used) {
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

function connect(url: string, { connectMs, answerMs, lockMs }: Timeouts) {
  const pool = new Pool({
    connectionString: url,
    // Row ids stay far below the largest safe integer.
    types: { getTypeParser: (id, format) => (id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)) },
    application_name: 'launching-soon',
    // Enough for one commit of each queue, the mails, and the metrics.
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
