import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Channel, Tables } from './database.ts'
import { addMessages } from './outbox-rows.ts'

type Db = Kysely<Tables>

type SubscriberRow = Insertable<Tables['subscribers']>

export type EnquiryRow = Omit<Selectable<Tables['enquiries']>, 'id'>

/** What waits for a commit. */
export type Item =
  | { readonly kind: 'subscriber'; readonly row: SubscriberRow }
  | { readonly kind: 'enquiry'; readonly row: EnquiryRow }
  | { readonly kind: 'readiness' }

/** What the tables hold, once a commit is durable, at the keys of its items. */
export type Stored = {
  /** The request ids of the calls that stored the subscribers. */
  readonly requestIds: ReadonlySet<string>
  readonly enquiries: ReadonlyMap<string, EnquiryRow>
}

/**
 * Stores items in one transaction. A known address takes the statements of a new one. A retry reads back what was
 * stored although its commit seemed to fail.
 */
export async function storeItems(
  db: Db,
  items: readonly Item[],
  isRetry: boolean,
  channels: readonly Channel[],
): Promise<Stored> {
  const subscribers = items.filter((item) => item.kind === 'subscriber').map(({ row }) => row)
  const enquiries = items.filter((item) => item.kind === 'enquiry').map(({ row }) => row)
  const newSubscribers = await insertSubscribers(db, subscribers)
  const newEnquiries = await insertEnquiries(db, enquiries)
  // Messages come after both tables of leads, in the order of an erasure: otherwise each might wait for the other. Mail
  // is for enquiries alone.
  const notMail = channels.filter((channel) => channel !== 'mail')
  if (subscribers.length > 0) await addMessages(db, 'subscription', newSubscribers, notMail)
  if (enquiries.length > 0) await addMessages(db, 'enquiry', newEnquiries, channels)
  if (items.some(({ kind }) => kind === 'readiness')) await writeReadiness(db)
  const storedBefore = isRetry ? await readRequestIds(db, subscribers) : []
  return {
    requestIds: new Set([...newSubscribers, ...storedBefore].map((row) => row.request_id)),
    enquiries: await readEnquiries(db, enquiries),
  }
}

/**
 * As the condition of an upsert, it locks a known row and changes nothing. PostgreSQL writes the lock to its log, so
 * the commit of what is known waits for the disk, and for a standby, like that of what is new. SQLite writes its last
 * row number in both cases.
 */
const LOCK_EXISTING = sql<boolean>`false`

/** Inserts the first row of each address; returns those that were new. */
export async function insertSubscribers(db: Db, rows: readonly SubscriberRow[]) {
  if (rows.length === 0) return []
  return db
    .insertInto('subscribers')
    .values(firstOfEach(rows, 'email_key'))
    .onConflict((on) => on.column('email_key').doUpdateSet({ email_key: sql`excluded.email_key` }).where(LOCK_EXISTING))
    .returning(['id', 'request_id'])
    .execute()
}

function readRequestIds(db: Db, rows: readonly SubscriberRow[]) {
  if (rows.length === 0) return []
  const keys = rows.map((row) => row.email_key)
  return db.selectFrom('subscribers').select('request_id').where('email_key', 'in', keys).execute()
}

/** Inserts the first row of each key; returns the ids of those that were new. */
async function insertEnquiries(db: Db, rows: readonly EnquiryRow[]): Promise<{ id: number }[]> {
  if (rows.length === 0) return []
  const key = 'idempotency_key'
  return db
    .insertInto('enquiries')
    .values(firstOfEach(rows, key))
    .onConflict((on) =>
      on
        .column(key)
        .doUpdateSet({ [key]: sql`excluded.idempotency_key` })
        .where(LOCK_EXISTING),
    )
    .returning('id')
    .execute()
}

async function readEnquiries(db: Db, rows: readonly EnquiryRow[]): Promise<Stored['enquiries']> {
  if (rows.length === 0) return new Map()
  const keys = rows.map((row) => row.idempotency_key)
  const stored = await db.selectFrom('enquiries').selectAll().where('idempotency_key', 'in', keys).execute()
  return new Map(stored.map((row) => [row.idempotency_key, row]))
}

async function writeReadiness(db: Db) {
  const row = { id: 1, checked_at: new Date().toISOString() }
  await db
    .insertInto('readiness')
    .values(row)
    .onConflict((on) => on.column('id').doUpdateSet(row))
    .execute()
  // A table that is missing or unreadable takes no rows either.
  for (const table of ['subscribers', 'enquiries'] as const) await db.selectFrom(table).select('id').limit(1).execute()
}

/**
 * The first row of each key, because PostgreSQL refuses a statement that would lock a row it has just inserted. They
 * are in the order of the keys, because servers that lock their rows in one order can't deadlock.
 */
function firstOfEach<Key extends string, Row extends Readonly<Record<Key, string>>>(rows: readonly Row[], key: Key) {
  const first = new Map(rows.toReversed().map((row) => [row[key], row]))
  return [...first.values()].toSorted((one, other) => (one[key] < other[key] ? -1 : 1))
}
