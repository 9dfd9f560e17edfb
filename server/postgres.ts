import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, types } from 'pg'
import { StartError } from './configuration.ts'
import { type Database, type Patience, SERVER_PATIENCE, type Tables } from './database.ts'
import { migrate } from './migrations.ts'

type Connections = {
  readonly db: Kysely<Tables>
  /** When the tables are up to date. */
  readonly ready: Promise<void>
}

/** Opens nothing yet: connections are made by the first statements, and made anew by the next after any failure. */
export function openPostgres(url: string, patience = SERVER_PATIENCE): Database {
  let connections: Connections | null = null

  return {
    async run(statements) {
      connections ??= connect(url, patience)
      const used = connections
      try {
        await used.ready
        return await statements(used.db)
      } catch (error) {
        // Whatever it was: fresh connections know nothing of it, and find the tables up to date or make them so.
        if (connections === used) {
          connections = null
          used.db.destroy().catch(() => {})
        }
        throw error
      }
    },
    async close() {
      await connections?.db.destroy()
    },
  }
}

function connect(url: string, patience: Patience): Connections {
  const pool = new Pool({
    connectionString: url,
    // Row numbers stay far below what a number holds.
    types: { getTypeParser: (id, format) => (id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)) },
    application_name: 'launching-soon',
    // Each kind of row has one commit at a time, the outbox and the figures one statement.
    max: 5,
    // Milliseconds after which a host that says nothing counts as away.
    connectionTimeoutMillis: patience.connection,
    query_timeout: patience.statement,
    keepAlive: true,
  })
  // A connection that ends is replaced by the next statement, in use or not; without listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const dialect = new PostgresDialect({
    pool,
    onCreateConnection: async (connection) => {
      // An acknowledged row has reached the disk, also where role or database say that it need not.
      await connection.executeQuery(
        CompiledQuery.raw(`select set_config('synchronous_commit', 'on', false)
          where current_setting('synchronous_commit') in ('off', 'local')`),
      )
    },
  })
  const db = new Kysely<Tables>({ dialect })
  const ready = wantUtf8(db).then(() => migrate(db, 'postgres'))
  return { db, ready }
}

/** A letter that the database can't hold would fail all rows of its commit. */
async function wantUtf8(db: Kysely<Tables>) {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db)
  if (rows[0]?.server_encoding === 'UTF8') return
  throw new StartError("Its encoding is not UTF8: create it with encoding 'UTF8' template template0.")
}
