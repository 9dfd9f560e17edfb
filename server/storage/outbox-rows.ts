import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely'
import type { Channel, Tables } from './database.ts'

/** What is sent: a lead as it is stored, or a test message. `id` is the same at every attempt. */
export type LeadEvent = { readonly id: string } & (
  | { readonly kind: 'subscription'; readonly lead: Selectable<Tables['subscribers']> }
  | { readonly kind: 'enquiry'; readonly lead: Selectable<Tables['enquiries']> }
  | { readonly kind: 'test'; readonly lead: { readonly created_at: string } }
)

type Db = Kysely<Tables>

export type OutboxRow = Selectable<Tables['outbox']>

export type LeadKind = OutboxRow['kind']

/** What an attempt leaves: without a `retry` the row is deleted, for its event was delivered or its lead is gone. */
export type Attempt = Pick<OutboxRow, 'id'> & {
  readonly retry: Pick<OutboxRow, 'attempts' | 'state' | 'due_at' | 'last_error'> | null
}

/** Which outbox may send an event, and until when. */
export type Lease = { readonly lease_until: string; readonly locked_by: string }

/**
 * Inserts a row for each new lead and channel. Without leads it still queries the database: the time of an
 * answer must not reveal whether its lead was new.
 */
export async function addEvents(
  db: Db,
  kind: LeadKind,
  leads: readonly { id: number }[],
  channels: readonly Channel[],
) {
  const created_at = new Date().toISOString()
  const rows = leads.flatMap(({ id: lead_id }) =>
    channels.map((channel) => ({ event_id: randomUUID(), channel, kind, lead_id, created_at, due_at: created_at })),
  )
  await (rows.length > 0
    ? db.insertInto('outbox').values(rows)
    : db.selectFrom('outbox').select('id').limit(0)
  ).execute()
}

/** A lease that ends after `latestLease` counts as ended. */
type Times = { readonly now: string; readonly latestLease: string }

/** Leases up to `max` events that are due: until the lease ends no other outbox gets them. */
export async function claim(
  db: Db,
  channel: Channel,
  max: number,
  { now, latestLease }: Times,
  lease: Lease,
): Promise<OutboxRow[]> {
  const isFree = (row: ExpressionBuilder<Tables, 'outbox'>) =>
    row.and([
      row('state', '=', 'pending'),
      row('channel', '=', channel),
      row('due_at', '<=', now),
      row.or([row('lease_until', 'is', null), row('lease_until', '<=', now), row('lease_until', '>', latestLease)]),
    ])
  const due = await db
    .selectFrom('outbox')
    .select('id')
    .where(isFree)
    .orderBy('due_at')
    .orderBy('id')
    .limit(max)
    .execute()
  if (due.length === 0) return []
  // By id, because PostgreSQL would run a subquery again for each waiting row. The condition is checked again, because
  // another server may have claimed some meanwhile.
  const ids = due.map(({ id }) => id)
  return db.updateTable('outbox').set(lease).where('id', 'in', ids).where(isFree).returningAll().execute()
}

/** Each row with its event, or null if the lead is no longer stored. */
export async function withLeads(db: Db, rows: readonly OutboxRow[]): Promise<[OutboxRow, LeadEvent | null][]> {
  // No row has the id 0, and SQL has no empty list.
  const ids = (kind: LeadKind) => [0, ...rows.filter((row) => row.kind === kind).map((row) => row.lead_id)]
  const subscribers = await db.selectFrom('subscribers').selectAll().where('id', 'in', ids('subscription')).execute()
  const enquiries = await db.selectFrom('enquiries').selectAll().where('id', 'in', ids('enquiry')).execute()
  return rows.map((row) => {
    const { event_id: id, kind, lead_id } = row
    if (kind === 'subscription') {
      const lead = subscribers.find((lead) => lead.id === lead_id)
      return [row, lead ? { id, kind, lead } : null]
    }
    const lead = enquiries.find((lead) => lead.id === lead_id)
    return [row, lead ? { id, kind, lead } : null]
  })
}

/** Changes no row that another outbox has taken over, or whose attempt was recorded meanwhile. */
export async function renewLeases(db: Db, ids: number[], { lease_until, locked_by }: Lease): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ lease_until })
    .where('id', 'in', ids)
    .where('locked_by', '=', locked_by)
    .execute()
}

/** Ends all leases of an outbox, so that another one sends its events at once. */
export async function releaseLeases(db: Db, locked_by: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ lease_until: null, locked_by: null })
    .where('locked_by', '=', locked_by)
    .execute()
}

/** Deletes what needs no other attempt, whoever holds its lease by now; only the holder may schedule a retry. */
export async function recordAttempt(db: Db, { id, retry }: Attempt, locked_by: string): Promise<void> {
  await (retry
    ? db
        .updateTable('outbox')
        .set({ ...retry, lease_until: null, locked_by: null })
        .where('id', '=', id)
        .where('locked_by', '=', locked_by)
    : db.deleteFrom('outbox').where('id', '=', id)
  ).execute()
}

/** How many rows are pending and failed in each channel, and when the oldest of them was created. */
export const countEvents = (db: Db) =>
  db
    .selectFrom('outbox')
    .select((row) => [
      'channel',
      'state',
      row.fn.countAll<number>().as('events'),
      row.fn.min('created_at').as('oldest'),
    ])
    .groupBy(['channel', 'state'])
    .execute()

/** Makes everything that failed or waits for a retry due now; returns how many rows that are. */
export async function retryAll(db: Db): Promise<number> {
  const due_at = new Date().toISOString()
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'pending', attempts: 0, due_at, lease_until: null, locked_by: null })
    .where((row) => row.or([row('state', '=', 'failed'), row('due_at', '>', due_at)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
