import { type Generated, type Kysely, SqliteAdapter } from 'kysely'

/** How messages reach staff: by mail only enquiries, by webhook subscriptions too. */
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
    /** The next attempt. While a server is sending it: when another server may take it over. */
    due_at: string
    /** How many attempts have begun. */
    attempts: Generated<number>
    /** 'failed' is not retried automatically. */
    state: Generated<'pending' | 'failed'>
    /** A code or a status, never personal data. */
    last_error: string | null
  }
}

export type Db = Kysely<Tables>

export type LeadTable = 'subscribers' | 'enquiries'

/** The rest of a row after all its columns were read: code that forgets a column does not compile. */
export type NoColumns = Record<string, never>

/** A database that may be unavailable for a while, and is used again as soon as it is back. */
export type Database = {
  /** Rejects if the statements fail or take too long. Their rows may have been written nevertheless. */
  run<Answer>(statements: (db: Db) => Promise<Answer>): Promise<Answer>
  close(): Promise<void>
}

export const isSqlite = (db: Db) => db.getExecutor().adapter instanceof SqliteAdapter
