import { randomUUID } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import type { Channel, Tables } from './database.ts'

/** What staff are told: a lead as it is stored, or a test. `id` is the same at every attempt. */
export type Message = { readonly id: string } & (
  | { readonly kind: 'subscription'; readonly lead: Selectable<Tables['subscribers']> }
  | { readonly kind: 'enquiry'; readonly lead: Selectable<Tables['enquiries']> }
  | { readonly kind: 'test'; readonly lead: { readonly created_at: string } }
)

type Db = Kysely<Tables>

export type OutboxRow = Selectable<Tables['outbox']>
export type LeadKind = OutboxRow['kind']

/** What an attempt that failed changes in its row. */
export type Retry = Pick<OutboxRow, 'attempts' | 'state' | 'due_at' | 'last_error'>

/**
 * Inserts a row for each new lead and channel. Without leads it still queries the database: the time of an
 * answer must not reveal whether its lead was new.
 */
export async function addMessages(
  db: Db,
  kind: LeadKind,
  leads: readonly { id: number }[],
  channels: readonly Channel[],
) {
  if (channels.length === 0) return
  const created_at = new Date().toISOString()
  const rows = leads.flatMap(({ id: lead_id }) =>
    channels.map((channel) => ({ event_id: randomUUID(), channel, kind, lead_id, created_at, due_at: created_at })),
  )
  await (rows.length > 0
    ? db.insertInto('outbox').values(rows)
    : db.selectFrom('outbox').select('id').limit(0)
  ).execute()
}

/** Up to `max` rows that are due, the longest due first, each with its message, or null if its lead was erased. */
export async function readDue(db: Db, channel: Channel, now: string, max: number) {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('state', '=', 'pending')
    .where('channel', '=', channel)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(max)
    .execute()
  const due: { readonly row: OutboxRow; readonly message: Message | null }[] = []
  for (const row of rows) due.push({ row, message: await readMessage(db, row) })
  return due
}

async function readMessage(db: Db, { event_id: id, kind, lead_id }: OutboxRow): Promise<Message | null> {
  if (kind === 'subscription') {
    const lead = await db.selectFrom('subscribers').selectAll().where('id', '=', lead_id).executeTakeFirst()
    return lead ? { id, kind, lead } : null
  }
  const lead = await db.selectFrom('enquiries').selectAll().where('id', '=', lead_id).executeTakeFirst()
  return lead ? { id, kind, lead } : null
}

/** Updates the row after a failed attempt. Without a `retry` it is deleted: it was delivered, or its lead is gone. */
export async function recordAttempt(db: Db, id: number, retry: Retry | null): Promise<void> {
  if (retry) await db.updateTable('outbox').set(retry).where('id', '=', id).execute()
  else await db.deleteFrom('outbox').where('id', '=', id).execute()
}

/** How many messages are pending and failed on each channel, and when the oldest of them was created. */
export const countMessages = (db: Db) =>
  db
    .selectFrom('outbox')
    .select(({ fn }) => ['channel', 'state', fn.countAll<number>().as('messages'), fn.min('created_at').as('oldest')])
    .groupBy(['channel', 'state'])
    .execute()

/** Makes everything that failed or waits for a retry due now; returns how many rows that are. */
export async function retryAll(db: Db): Promise<number> {
  const due_at = new Date().toISOString()
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'pending', attempts: 0, due_at })
    .where((row) => row.or([row('state', '=', 'failed'), row('due_at', '>', due_at)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
