import { type Generated, type Kysely, SqliteAdapter } from 'kysely'

/** How messages reach staff. */
export type Channel = 'mail' | 'webhook'

/** The tables that statements use; times are ISO 8601 in UTC. */
export type Tables = {
  subscribers: {
    id: Generated<number>
    /** The address in lower case. */
    email_key: string
    /** The address as it was typed. */
    email: string
    created_at: string
  }
  enquiries: {
    id: Generated<number>
    /** The visitor's Idempotency-Key, else one made by the server. */
    idempotency_key: string
    first_name: string
    last_name: string
    email: string
    message: string
    created_at: string
  }
  /** One row, written to check that rows can be written. */
  readiness: {
    id: number
    checked_at: string
  }
  /** Messages to staff that are not sent yet, a row for each lead and channel. The row of a sent message is deleted. */
  outbox: {
    id: Generated<number>
    /** A UUID, the same at every attempt. */
    event_id: string
    channel: Channel
    kind: 'subscription' | 'enquiry'
    /** The id of the row in `subscribers` or `enquiries`: no personal data is copied. */
    lead_id: number
    created_at: string
    due_at: string
    /** Until this time a server may be sending it; null if no server is. */
    claimed_until: string | null
    /** How many attempts have failed. */
    attempts: Generated<number>
    /** 'failed' is not retried automatically. */
    state: Generated<'pending' | 'failed'>
    /** A code or a status, never personal data. */
    last_error: string | null
  }
}

/** The rest of a row after all its columns were read: code that forgets a column does not compile. */
export type NoColumns = Record<string, never>

/** How long to wait for a lock, a connection, and the answer to a statement. A `lockMs` of 0 is no limit for locks. */
export type Timeouts = { readonly lockMs: number; readonly connectionMs: number; readonly statementMs: number }

/** A database that may be unavailable for a while, and is used again as soon as it is back. */
export type Database = {
  /** Rejects if the statements fail. Their rows may have been written nevertheless. */
  run<Answer>(statements: (db: Kysely<Tables>) => Promise<Answer>): Promise<Answer>
  close(): Promise<void>
}

export const isSqlite = (db: Kysely<Tables>) => db.getExecutor().adapter instanceof SqliteAdapter
