import type { Generated, Kysely } from 'kysely'

/** What the statements name; times are ISO 8601 in UTC. */
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
}

/** A database that may be away for a while, and is used again as soon as it is back. */
export type Database = {
  /**
   * Runs statements on tables that are up to date. Rejects if that fails, or if a restart would not find what they
   * wrote; whoever tries again must expect that it was written all the same.
   */
  run<Answer>(statements: (db: Kysely<Tables>) => Promise<Answer>): Promise<Answer>
  close(): Promise<void>
}
