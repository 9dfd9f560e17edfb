import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { CLAIM_MS } from '../timeouts.ts'
import { type Channel, type Db, isSqlite, type Tables } from './database.ts'

/** A message to staff: a lead as it is stored, or a test of `leads notify-test`. `id` is the same at every attempt. */
export type Message = { readonly id: string } & (
  | { readonly kind: 'subscription'; readonly lead: Selectable<Tables['subscribers']> }
  | { readonly kind: 'enquiry'; readonly lead: Selectable<Tables['enquiries']> }
  | { readonly kind: 'test'; readonly lead: { readonly created_at: string } }
)

export type OutboxRow = Selectable<Tables['outbox']>
export type LeadKind = OutboxRow['kind']

/** The longest pause between two attempts: a message that would have to wait longer is not retried automatically. */
export const MAX_DELAY_MS = 86_400_000

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Inserts a row for each new lead and channel. */
export async function addMessages(
  db: Db,
  kind: LeadKind,
  leads: readonly { id: number }[],
  channels: readonly Channel[],
) {
  const now = fromNow(0)
  const rows = leads.flatMap(({ id: lead_id }) =>
    channels.map((channel) => ({ event_id: randomUUID(), channel, kind, lead_id, created_at: now, due_at: now })),
  )
  if (rows.length > 0) await db.insertInto('outbox').values(rows).execute()
}

/**
 * Claims up to `max` rows that are due, the longest due first: until the claim ends, no other server takes them. A row
 * that is due in more than a day was written under a wrong clock, and counts as due. Each row comes with its message,
 * or null if its lead was erased.
 */
export async function claimDue(db: Db, channel: Channel, max: number) {
  const isDue = sql`due_at <= ${fromNow(0)} or due_at > ${fromNow(MAX_DELAY_MS + CLAIM_MS)}`
  // SQLite has one writer at a time.
  const lock = isSqlite(db) ? sql`` : sql`for update skip locked`
  // Materialized: PostgreSQL may otherwise run a subquery with a limit several times, and claim more.
  const { rows } = await sql<OutboxRow>`
    with due as materialized (
      select id from outbox where state = 'pending' and channel = ${channel} and (${isDue})
      order by due_at limit ${max} ${lock}
    )
    update outbox set due_at = ${fromNow(CLAIM_MS)}, attempts = attempts + 1
    where id in (select id from due) returning *`.execute(db)
  const claimed: { readonly row: OutboxRow; readonly message: Message | null }[] = []
  for (const row of rows) claimed.push({ row, message: await readMessage(db, row) })
  return claimed
}

async function readMessage(db: Db, { event_id: id, kind, lead_id }: OutboxRow): Promise<Message | null> {
  if (kind === 'subscription') {
    const lead = await db.selectFrom('subscribers').selectAll().where('id', '=', lead_id).executeTakeFirst()
    return lead ? { id, kind, lead } : null
  }
  const lead = await db.selectFrom('enquiries').selectAll().where('id', '=', lead_id).executeTakeFirst()
  return lead ? { id, kind, lead } : null
}

/** Deletes the row of a message that was delivered, or whose lead is gone. */
export async function deleteMessage(db: Db, { id }: OutboxRow): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).execute()
}

/**
 * Records a failed attempt: the message is due again in `delayMs`, or has failed for good if that is null. Changes
 * nothing if another attempt has begun since.
 */
export async function recordFailure(db: Db, row: OutboxRow, delayMs: number | null, last_error: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ state: delayMs === null ? 'failed' : 'pending', due_at: fromNow(delayMs ?? 0), last_error })
    .where('id', '=', row.id)
    .where('attempts', '=', row.attempts)
    .execute()
}

/** How many messages are pending and failed on each channel. */
export const countMessages = (db: Db) =>
  db
    .selectFrom('outbox')
    .select(({ fn }) => ['channel', 'state', fn.countAll<number>().as('messages')])
    .groupBy(['channel', 'state'])
    .execute()

/**
 * Makes failed and waiting messages due now. Returns their number. It leaves out what is due within a claim anyway: a
 * server may be sending it.
 */
export async function retryAll(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'pending', attempts: 0, due_at: fromNow(0) })
    .where((row) => row.or([row('state', '=', 'failed'), row('due_at', '>', fromNow(CLAIM_MS))]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
