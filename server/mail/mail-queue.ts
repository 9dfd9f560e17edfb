import { sql } from 'kysely'
import { DAY_MS, type Db, fromNow, isSqlite, now, type StoredEnquiry } from '../storage/database.ts'
import { CLAIM_MS } from '../timeouts.ts'

/** The longest wait between two attempts: a mail that would have to wait longer has failed for good. */
export const MAX_RETRY_MS = DAY_MS

/**
 * Claims the enquiry whose mail is due for longest: until the claim ends, no other server takes it. What is due in more
 * than a day was written under a wrong clock, and counts as due.
 */
export async function claimDue(db: Db): Promise<StoredEnquiry | undefined> {
  const isDue = sql`mail_due_at <= ${now()} or mail_due_at > ${fromNow(MAX_RETRY_MS + CLAIM_MS)}`
  // SQLite has one writer at a time.
  const lock = isSqlite(db) ? sql`` : sql`for update skip locked`
  // Materialized: PostgreSQL may otherwise run a subquery with a limit several times, and claim several.
  const { rows } = await sql<StoredEnquiry>`
    with due as materialized (select id from enquiries where ${isDue} order by mail_due_at limit 1 ${lock})
    update enquiries set mail_due_at = ${fromNow(CLAIM_MS)}, mail_attempts = mail_attempts + 1
    where id in (select id from due) returning *`.execute(db)
  return rows[0]
}

export const recordSent = (db: Db, { id }: StoredEnquiry) =>
  sql`update enquiries set mail_due_at = null, mail_error = null, mail_sent_at = ${now()} where id = ${id}`.execute(db)

/**
 * Records a failed attempt: the mail is due again in `retryMs`, or has failed for good if that is null. Changes nothing
 * if another attempt has begun since, or the mail was sent by one.
 */
export const recordFailure = (db: Db, enquiry: StoredEnquiry, retryMs: number | null, code: string) =>
  sql`update enquiries set mail_due_at = ${retryMs === null ? null : fromNow(retryMs)}, mail_error = ${code}
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
 * Makes failed and waiting mails due now. A mail that is due within the length of a claim is left as it is: perhaps a
 * server is sending it, and otherwise it is sent soon.
 */
export const retryUnsent = (db: Db) =>
  sql`update enquiries set mail_due_at = ${now()}, mail_attempts = 0
    where mail_due_at > ${fromNow(CLAIM_MS)} or (mail_due_at is null and mail_error is not null)`.execute(db)
