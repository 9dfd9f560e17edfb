import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely'
import type { Tables, Way } from './database.ts'

/** What is told: a lead as it is stored, or that somebody tries the way. `id` stays the same at every try. */
export type Notice = { readonly id: string } & (
  | { readonly kind: 'subscription'; readonly lead: Selectable<Tables['subscribers']> }
  | { readonly kind: 'enquiry'; readonly lead: Selectable<Tables['enquiries']> }
  | { readonly kind: 'test'; readonly lead: { readonly created_at: string } }
)

type Db = Kysely<Tables>

export type Event = Selectable<Tables['outbox']>

export type Kind = Event['kind']

/** What becomes of an event after a try: deleted when it was taken, changed when it was not. */
export type Settlement = Pick<Event, 'id'> & {
  readonly change: Pick<Event, 'attempts' | 'state' | 'due_at' | 'last_error'> | null
}

/** Until when a server may be at an event, and which. */
export type Lease = { readonly lease_until: string; readonly locked_by: string }

/**
 * Writes the events of new leads, one for each way that tells of their kind. Without leads it asks the database all the
 * same: the time of an answer must not tell whether one was new.
 */
export async function addEvents(db: Db, kind: Kind, leads: readonly { id: number }[], ways: readonly Way[]) {
  const created_at = new Date().toISOString()
  const rows = leads.flatMap(({ id: lead_id }) =>
    ways.map((way) => ({ event_id: randomUUID(), way, kind, lead_id, created_at, due_at: created_at })),
  )
  await (rows.length > 0
    ? db.insertInto('outbox').values(rows)
    : db.selectFrom('outbox').select('id').limit(0)
  ).execute()
}

/** Takes up to `most` events that are due: nobody else does before the lease ends. */
export async function claim(db: Db, way: Way, most: number, now: string, lease: Lease): Promise<Event[]> {
  const isFree = (row: ExpressionBuilder<Tables, 'outbox'>) =>
    row.and([
      row('state', '=', 'pending'),
      row('way', '=', way),
      row('due_at', '<=', now),
      row.or([row('lease_until', 'is', null), row('lease_until', '<=', now)]),
    ])
  const due = await db
    .selectFrom('outbox')
    .select('id')
    .where(isFree)
    .orderBy('due_at')
    .orderBy('id')
    .limit(most)
    .execute()
  if (due.length === 0) return []
  // By number, for PostgreSQL would look for them anew at each row that waits; and each is asked again, for another server
  // may have taken it.
  const ids = due.map(({ id }) => id)
  return db.updateTable('outbox').set(lease).where('id', 'in', ids).where(isFree).returningAll().execute()
}

/** Each event with what it tells of, or null if that is no longer there. */
export async function withLeads(db: Db, events: readonly Event[]): Promise<[Event, Notice | null][]> {
  // No row has the number 0, and an empty list is none in SQL.
  const ids = (kind: Kind) => [0, ...events.filter((event) => event.kind === kind).map((event) => event.lead_id)]
  const subscribers = await db.selectFrom('subscribers').selectAll().where('id', 'in', ids('subscription')).execute()
  const enquiries = await db.selectFrom('enquiries').selectAll().where('id', 'in', ids('enquiry')).execute()
  return events.map((event) => {
    const { event_id: id, kind, lead_id } = event
    if (kind === 'subscription') {
      const lead = subscribers.find((row) => row.id === lead_id)
      return [event, lead ? { id, kind, lead } : null]
    }
    const lead = enquiries.find((row) => row.id === lead_id)
    return [event, lead ? { id, kind, lead } : null]
  })
}

/** Changes nothing of an event that another has taken over, or that was settled meanwhile. */
export async function renew(db: Db, ids: number[], { lease_until, locked_by }: Lease): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ lease_until })
    .where('id', 'in', ids)
    .where('locked_by', '=', locked_by)
    .execute()
}

/** Deletes what was taken, whoever is at it by now; what failed is only changed by the one that holds its lease. */
export async function settle(db: Db, settlements: readonly Settlement[], locked_by: string): Promise<void> {
  const taken = settlements.filter(({ change }) => change === null).map(({ id }) => id)
  if (taken.length > 0) await db.deleteFrom('outbox').where('id', 'in', taken).execute()
  for (const { id, change } of settlements) {
    if (change)
      await db
        .updateTable('outbox')
        .set({ ...change, lease_until: null, locked_by: null })
        .where('id', '=', id)
        .where('locked_by', '=', locked_by)
        .execute()
  }
}

/** How many events wait, and how many are no longer tried, by way, and when the first of them was made. */
export const countEvents = (db: Db) =>
  db
    .selectFrom('outbox')
    .select((row) => ['way', 'state', row.fn.countAll<number>().as('events'), row.fn.min('created_at').as('oldest')])
    .groupBy(['way', 'state'])
    .execute()

/** Makes what is no longer tried, or only later, due now, and tells how many that are. */
export async function retryAll(db: Db): Promise<number> {
  const due_at = new Date().toISOString()
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'pending', attempts: 0, due_at })
    .where((row) => row.or([row('state', '=', 'failed'), row('due_at', '>', due_at)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
