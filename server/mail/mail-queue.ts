import { sql } from 'kysely'
import { DAY_MS, type Db, fromNow, isSqlite, type StoredEnquiry } from '../storage/database.ts'
import { CLAIM_MS } from '../timeouts.ts'

/** The longest pause between two attempts: a mail that would have to wait longer is not retried automatically. */
export const MAX_PAUSE_MS = DAY_MS

/**
 * Claims up to `max` enquiries whose mail is due, the longest due first: until the claim ends, no other server takes
 * them. What is due in more than a day was written under a wrong clock, and counts as due.
 */
export async function claimDue(db: Db, max: number): Promise<StoredEnquiry[]> {
  const isDue = sql`mail_due_at <= ${fromNow(0)} or mail_due_at > ${fromNow(MAX_PAUSE_MS + CLAIM_MS)}`
  // SQLite has one writer at a time.
  const lock = isSqlite(db) ? sql`` : sql`for update skip locked`
  // Materialized: PostgreSQL may otherwise run a subquery with a limit several times, and claim more.
  const { rows } = await sql<StoredEnquiry>`
    with due as materialized (select id from enquiries where ${isDue} order by mail_due_at limit ${max} ${lock})
    update enquiries set mail_due_at = ${fromNow(CLAIM_MS)}, mail_attempts = mail_attempts + 1
    where id in (select id from due) returning *`.execute(db)
  return rows
}

export const recordSent = (db: Db, { id }: StoredEnquiry) =>
  sql`update enquiries set mail_due_at = null, mail_error = null, mail_sent_at = ${fromNow(0)} where id = ${id}`.execute(
    db,
  )

/**
 * Records a failed attempt: the mail is due again in `pauseMs`, or has failed for good if that is null. Changes nothing
 * if another attempt has begun since, or the mail was sent by one.
 */
export const recordFailure = (db: Db, enquiry: StoredEnquiry, pauseMs: number | null, code: string) =>
  sql`update enquiries set mail_due_at = ${pauseMs === null ? null : fromNow(pauseMs)}, mail_error = ${code}
    where id = ${enquiry.id} and mail_attempts = ${enquiry.mail_attempts} and mail_sent_at is null`.execute(db)

/** The enquiries whose mail is pending, or has failed for good. */
export const selectUnsent = (db: Db) =>
  db.selectFrom('enquiries').where(sql<boolean>`mail_due_at is not null or mail_error is not null`)

/** How many mails are pending, and how many have failed for good. */
export async function countUnsent(db: Db): Promise<{ readonly pending: number; readonly failed: number }> {
  const { pending, all } = await selectUnsent(db)
    .select(({ fn }) => [fn.count<number>('mail_due_at').as('pending'), fn.countAll<number>().as('all')])
    .executeTakeFirstOrThrow()
  return { pending, failed: all - pending }
}

/**
 * Makes failed and waiting mails due now. Returns their number. It leaves out what is due within a claim anyway: a
 * server may be sending it.
 */
export async function retryUnsent(db: Db): Promise<bigint> {
  const { numAffectedRows = 0n } = await sql`update enquiries set mail_due_at = ${fromNow(0)}, mail_attempts = 0
    where mail_due_at > ${fromNow(CLAIM_MS)} or (mail_due_at is null and mail_error is not null)`.execute(db)
  return numAffectedRows
}
