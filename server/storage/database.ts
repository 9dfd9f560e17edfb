import type { Generated, Kysely } from 'kysely'

/** How the people who receive the leads are told of one. */
export type Way = 'mail' | 'webhook'

/** What the statements name; times are ISO 8601 in UTC. */
export type Tables = {
  subscribers: {
    id: Generated<number>
    /** The address in lower case. */
    email_key: string
    /** The address as it was typed. */
    email: string
    created_at: string
    /** A UUID of the call that stored it; null in rows of a release that made none. */
    request_id: string | null
  }
  enquiries: {
    id: Generated<number>
    /** The visitor's Idempotency-Key, else one that was made here. */
    idempotency_key: string
    first_name: string
    last_name: string
    email: string
    message: string
    created_at: string
  }
  /** One row, written to find out whether rows can be written. */
  readiness: {
    id: number
    checked_at: string
  }
  /** What is still to be sent, a row for each event and way; what was sent is no longer here. */
  outbox: {
    id: Generated<number>
    /** A UUID, the same at every try. */
    event_id: string
    way: Way
    kind: 'subscription' | 'enquiry'
    /** The number of the row in `subscribers` or `enquiries`: nothing of a visitor is copied. */
    lead_id: number
    created_at: string
    due_at: string
    /** Until when a server that sends it may be at it. */
    lease_until: string | null
    /** The UUID of the outbox that holds the lease; null in leases of a release that made none. */
    locked_by: string | null
    /** How many have failed. */
    attempts: Generated<number>
    /** 'failed' is not tried again by itself. */
    state: Generated<'pending' | 'failed'>
    /** A code or a status, never personal data. */
    last_error: string | null
  }
}

/** Milliseconds that a database gets before it counts as away: for the lock of its file, to connect, and to answer. */
export type Patience = { readonly lock: number; readonly connection: number; readonly statement: number }

/** Visitors wait: the group commit tries again instead. */
export const SERVER_PATIENCE: Patience = { lock: 0, connection: 1000, statement: 2000 }

/** Why a database can't be used now, in fixed words that hold nothing of a visitor. */
export class UnusableDatabase extends Error {}

/** It can't be used again before a restart; `onLoss` has told so. */
export class LostDatabase extends UnusableDatabase {}

/** A database that may be away for a while, and is used again as soon as it is back. */
export type Database = {
  /**
   * Rejects if the statements fail, or if a restart would not find what they wrote; whoever tries again must expect
   * that it was written all the same.
   */
  run<Answer>(statements: (db: Kysely<Tables>) => Promise<Answer>): Promise<Answer>
  close(): Promise<void>
}

/** One that a server uses. */
export type ServedDatabase = Database & {
  /**
   * `tell` gets a line for the log when a file is lost, another if its rows could be saved only later, and one at once
   * if those of an earlier loss are still there.
   */
  onLoss(tell: (line: string) => void): void
}
