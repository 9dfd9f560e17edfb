import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { Timeouts } from '../timeouts.ts'
import type { Database, Tables } from './database.ts'

/**
 * Connects at the first statement. After a failed statement all connections are replaced: the others may be broken too,
 * and the name of the host may lead to another primary now.
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

/** Limits the time of all statements together, with their rollback. The driver's limit is for each single statement. */
function inTime<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('timeout')), ms)
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
}

function connect(url: string, { connectMs, answerMs, lockMs }: Timeouts) {
  const pool = new Pool({
    connectionString: url,
    // By default the driver returns int8 as text. Row ids stay far below the largest safe integer.
    types: { getTypeParser: (id, format) => (id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)) },
    application_name: 'launching-soon',
    // One connection for each of the three queues, one for mails, one for metrics.
    max: 5,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    // synchronous_commit=on: a row is on the disk before its answer, even if role or database are set otherwise.
    // No statement_timeout: when it ends the wait for a synchronous standby, PostgreSQL reports a success.
    options: `-c synchronous_commit=on -c lock_timeout=${lockMs}`,
  })
  // An error without a listener would end the process. The pool itself replaces the failed connection.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
