import { sql } from 'kysely'
import { DAY_MS, type Db, fromNow, isSqlite, now, type StoredEnquiry } from '../storage/database.ts'
import { CLAIM_MS } from '../timeouts.ts'

/** The longest wait between two attempts. A mail that would have to wait longer has failed permanently. */
export const MAX_RETRY_MS = DAY_MS

/**
 * Claims the enquiry whose mail has been due for the longest time. Until the claim ends, no other server takes this
 * enquiry. A due time that is more than a day ahead comes from a wrong clock, so such a mail counts as due.
 *
 * | state   | mail_due_at          | mail_error                           | mail_sent_at     |
 * |---------|----------------------|--------------------------------------|------------------|
 * | pending | when the mail is due | null, or why the last attempt failed | null             |
 * | claimed | when the claim ends  | as before the claim                  | null             |
 * | sent    | null                 | null                                 | when it was sent |
 * | failed  | null                 | why the last attempt failed          | null             |
 *
 * `countUnsent` counts a claimed mail as pending. If no mail was configured when an enquiry was stored, all three columns
 * are null.
 */
export async function claimDue(db: Db): Promise<StoredEnquiry | undefined> {
  const isDue = sql`mail_due_at <= ${now()} or mail_due_at > ${fromNow(MAX_RETRY_MS + CLAIM_MS)}`
  // SQLite needs no lock, because it has only one writer at a time.
  const lock = isSqlite(db) ? sql`` : sql`for update skip locked`
  // Without `materialized`, PostgreSQL may run the subquery several times, and claim several enquiries.
  const { rows } = await sql<StoredEnquiry>`
    with due as materialized (select id from enquiries where ${isDue} order by mail_due_at limit 1 ${lock})
    update enquiries set mail_due_at = ${fromNow(CLAIM_MS)}, mail_attempts = mail_attempts + 1
    where id in (select id from due) returning *`.execute(db)
  return rows[0]
}

export const recordSent = (db: Db, { id }: StoredEnquiry) =>
  sql`update enquiries set mail_due_at = null, mail_error = null, mail_sent_at = ${now()} where id = ${id}`.execute(db)

/**
 * Records a failed attempt. The mail is due again in `retryMs`; if `retryMs` is null, the mail has failed permanently.
 * Changes nothing if another server has begun an attempt or sent the mail meanwhile.
 */
export const recordFailure = (db: Db, enquiry: StoredEnquiry, retryMs: number | null, code: string) =>
  sql`update enquiries set mail_due_at = ${retryMs === null ? null : fromNow(retryMs)}, mail_error = ${code}
    where id = ${enquiry.id} and mail_attempts = ${enquiry.mail_attempts} and mail_sent_at is null`.execute(db)

export const selectUnsent = (db: Db) =>
  db.selectFrom('enquiries').where(sql<boolean>`mail_due_at is not null or mail_error is not null`)

export async function countUnsent(db: Db): Promise<{ readonly pending: number; readonly failed: number }> {
  const { pending, all } = await selectUnsent(db)
    .select(({ fn }) => [fn.count<number>('mail_due_at').as('pending'), fn.countAll<number>().as('all')])
    .executeTakeFirstOrThrow()
  return { pending, failed: all - pending }
}

/**
 * Makes failed and waiting mails due now. A mail that is due in less than CLAIM_MS does not change. Either a server is
 * sending it now, or it is due soon.
 */
export const retryUnsent = (db: Db) =>
  sql`update enquiries set mail_due_at = ${now()}, mail_attempts = 0
    where mail_due_at > ${fromNow(CLAIM_MS)} or (mail_due_at is null and mail_error is not null)`.execute(db)
