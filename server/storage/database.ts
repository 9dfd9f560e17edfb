import { setTimeout } from 'node:timers/promises'
import { type Generated, type Kysely, type Selectable, SqliteAdapter } from 'kysely'
import type { FieldName } from '../../src/domain/enquiry-fields.ts'

/** The column of each field of an enquiry, in the table and in its exports. A field without a column does not compile. */
export const FIELD_COLUMNS = {
  first: 'first_name',
  last: 'last_name',
  email: 'email',
  message: 'message',
} as const satisfies Record<FieldName, string>

export type EnquiryColumns = Record<(typeof FIELD_COLUMNS)[keyof typeof FIELD_COLUMNS], string>

/** The tables and columns that our SQL uses. Times are ISO 8601 in UTC. */
export type Tables = {
  subscribers: {
    id: Generated<number>
    /** The address in lower case. */
    email_key: string
    /** The address as it was typed. */
    email: string
    created_at: string
  }
  enquiries: EnquiryColumns & {
    id: Generated<number>
    /** The visitor's Idempotency-Key, else one made by the server. */
    idempotency_key: string
    created_at: string
    /** When the mail is due. `claimDue` lists the states of a mail. */
    mail_due_at: string | null
    /** How many attempts have begun. */
    mail_attempts: Generated<number>
    /** Why the last attempt failed: a code or a status, never personal data. Null once the mail is sent. */
    mail_error: Generated<string | null>
    mail_sent_at: Generated<string | null>
  }
  /** One row, which is written only to find out whether rows can be written. */
  readiness: {
    id: string
    time: string
  }
}

export type StoredEnquiry = Selectable<Tables['enquiries']>

export type Db = Kysely<Tables>

export const VISITOR_TABLES = ['subscribers', 'enquiries'] as const

export type VisitorTable = (typeof VISITOR_TABLES)[number]

export const DAY_MS = 86_400_000

/** The time `ms` milliseconds from now, or before now if `ms` is negative, in the form that the tables have. */
export const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString()

export const now = (): string => fromNow(0)

/** A connection to a database. If it breaks, the next `run` connects again. */
export type Database = {
  /** Rejects if the statements fail or take too long. Their rows may have been written nevertheless. */
  run<Answer>(statements: (db: Db) => Promise<Answer>): Promise<Answer>
  close(): Promise<void>
}

export const isSqlite = (db: Db) => db.getExecutor().adapter instanceof SqliteAdapter

/** Tries again and again until `deadline`, a time of `performance.now()`. Then it rejects with the last error. */
export async function tryUntil<Answer>(deadline: number, attempt: () => Promise<Answer>): Promise<Answer> {
  let failure: unknown = new Error('timeout')
  while (performance.now() < deadline) {
    try {
      return await attempt()
    } catch (error) {
      failure = error
      await setTimeout(50)
    }
  }
  throw failure
}
