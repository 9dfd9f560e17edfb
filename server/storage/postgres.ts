import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { Timeouts } from '../timeouts.ts'
import type { Database, Schema } from './database.ts'

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
function inTime<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('timeout')), ms)
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
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
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}
