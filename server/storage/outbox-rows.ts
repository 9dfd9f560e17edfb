import { randomUUID } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { type Channel, isSqlite, type Tables } from './database.ts'

/** A message to staff: a lead as it is stored, or a test of `leads notify-test`. `id` is the same at every attempt. */
export type Message = { readonly id: string } & (
  | { readonly kind: 'subscription'; readonly lead: Selectable<Tables['subscribers']> }
  | { readonly kind: 'enquiry'; readonly lead: Selectable<Tables['enquiries']> }
  | { readonly kind: 'test'; readonly lead: { readonly created_at: string } }
)

type Db = Kysely<Tables>

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
  if (channels.length === 0 || leads.length === 0) return
  const created_at = fromNow(0)
  const rows = leads.flatMap(({ id: lead_id }) =>
    channels.map((channel) => ({ event_id: randomUUID(), channel, kind, lead_id, created_at, due_at: created_at })),
  )
  await db.insertInto('outbox').values(rows).execute()
}

/**
 * Claims up to `max` rows that are due, the longest due first: for `claimMs` no other server claims them. A row with a
 * time in the future, written under a wrong clock, counts as due. Each row comes with its message, or null if its lead
 * was erased.
 */
export async function claimDue(db: Db, channel: Channel, claimMs: number, max: number) {
  const now = fromNow(0)
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'pending')
    .where('channel', '=', channel)
    .where((row) =>
      row.or([row('due_at', '<=', now), row('due_at', '>', fromNow(MAX_DELAY_MS)), row('created_at', '>', now)]),
    )
    .where((row) =>
      row.or([
        row('claimed_until', 'is', null),
        row('claimed_until', '<=', now),
        // Clocks of servers differ, and a server that waited for a lock compares with an old time.
        row('claimed_until', '>', fromNow(2 * claimMs)),
      ]),
    )
    .orderBy('due_at')
    .limit(max)
    // SQLite has one writer at a time.
    .$if(!isSqlite(db), (query) => query.forUpdate().skipLocked())
  const rows = await db
    // Materialized: PostgreSQL may otherwise run a subquery with a limit several times, and claim more.
    .with(
      (cte) => cte('due').materialized(),
      () => due,
    )
    .updateTable('outbox')
    .set({ claimed_until: fromNow(claimMs) })
    .where('id', 'in', (query) => query.selectFrom('due').select('due.id'))
    .returningAll()
    .execute()
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
 * nothing if another server has claimed the message since.
 */
export async function recordFailure(db: Db, row: OutboxRow, delayMs: number | null, last_error: string): Promise<void> {
  const now = fromNow(0)
  await db
    .updateTable('outbox')
    .set({
      attempts: row.attempts + 1,
      state: delayMs === null ? 'failed' : 'pending',
      due_at: fromNow(delayMs ?? 0),
      // A time in the future would make the row due again at once.
      created_at: row.created_at < now ? row.created_at : now,
      claimed_until: null,
      last_error,
    })
    .where('id', '=', row.id)
    .where('claimed_until', '=', row.claimed_until)
    .execute()
}

/** How many messages are pending and failed on each channel. */
export const countMessages = (db: Db) =>
  db
    .selectFrom('outbox')
    .select(({ fn }) => ['channel', 'state', fn.countAll<number>().as('messages')])
    .groupBy(['channel', 'state'])
    .execute()

/** Makes all failed and waiting messages due now. Returns their number. A message in flight stays claimed. */
export async function retryAll(db: Db): Promise<number> {
  const due_at = fromNow(0)
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'pending', attempts: 0, due_at })
    .where((row) => row.or([row('state', '=', 'failed'), row('due_at', '>', due_at)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
