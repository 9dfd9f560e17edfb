import { Client } from 'pg'
import { SERVER_TIMEOUTS } from './database.ts'
import type { DatabaseAddress } from './database-url.ts'

/** PostgreSQL ends a session that has said nothing for so long: a server that hangs loses its lock. */
const SILENCE_MS = 10_000

/** The lock that one of the servers on a database holds: the one that sends the messages. */
export type SenderLock = {
  /** Asks for the lock, or tells the database that its holder is alive. To be called each second. Never rejects. */
  keep(): Promise<void>
  isHeld(): boolean
  release(): void
}

/** On SQLite there is one server, which needs no lock. */
export const senderLock = (address: DatabaseAddress): SenderLock =>
  address.kind === 'sqlite'
    ? { keep: async () => {}, isHeld: () => true, release: () => {} }
    : advisoryLock(address.url)

// The lock's number is that of the table, so that another installation in the same database has a lock of its own.
const ASK = `select set_config('idle_session_timeout', '${SILENCE_MS}', false),
  case when pg_is_in_recovery() then false else pg_try_advisory_lock('outbox'::regclass::oid::bigint) end as taken`

/** A lock of a session, which ends with its connection. */
function advisoryLock(url: string): SenderLock {
  let session: Client | null = null
  /** By `performance.now`: a server that goes on after a long halt knows at once that it may have lost the lock. */
  let heldUntil = 0

  function drop(ended: Client) {
    if (session !== ended) return
    session = null
    heldUntil = 0
    ended.end().catch(() => {})
  }

  function open() {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: SERVER_TIMEOUTS.connectionMs,
      query_timeout: SERVER_TIMEOUTS.statementMs + 500,
      keepAlive: true,
    })
    return client.on('error', () => drop(client))
  }

  return {
    async keep() {
      const isNew = session === null
      const client = session ?? open()
      session = client
      const asked = performance.now()
      try {
        if (isNew) await client.connect()
        // A held lock is not asked for again, because PostgreSQL counts how often a session has it.
        if (heldUntil > 0) await client.query('select 1')
        else if (!(await client.query<{ taken: boolean }>(ASK)).rows[0]?.taken) return
        if (session === client) heldUntil = asked + SILENCE_MS
      } catch {
        drop(client)
      }
    },
    isHeld: () => performance.now() < heldUntil,
    release() {
      if (session) drop(session)
    },
  }
}
