import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Enquiry } from '../../src/domain/enquiry.ts'
import type { Channel, Database, NoColumns, Tables } from './database.ts'
import { type CommitEvents, groupCommit, type Limits } from './group-commit.ts'
import { addMessages } from './outbox-rows.ts'
import type { Store } from './store.ts'

type Db = Kysely<Tables>

type SubscriberRow = Insertable<Tables['subscribers']>

type EnquiryRow = Omit<Selectable<Tables['enquiries']>, 'id'>

/** What waits for a commit. */
type Item =
  | { readonly kind: 'subscriber'; readonly row: SubscriberRow }
  | { readonly kind: 'enquiry'; readonly row: EnquiryRow }
  | { readonly kind: 'readiness' }

/** What the tables hold, once a commit is durable, at the keys of its items. */
type Stored = {
  /** Those of the calls that stored the subscribers. */
  readonly requestIds: ReadonlySet<string>
  readonly enquiries: ReadonlyMap<string, EnquiryRow>
}

/** 1,000 rows a statement stay far below the 32,766 parameters that SQLite takes. The page waits ten seconds. */
export const LIMITS: Limits = { maxQueue: 4000, maxBatch: 1000, timeoutMs: 5000, retryDelayMs: 50 }

/** A store whose statements SQLite and PostgreSQL both take. New leads are notified on `channels`. It closes the database. */
export function sqlStore(
  database: Database,
  events: CommitEvents,
  channels: readonly Channel[] = [],
  limits = LIMITS,
): Store {
  const queue = groupCommit<Item, Stored>(
    (items) => database.run((db) => db.transaction().execute((db) => store(db, items, channels))),
    limits,
    events,
  )
  return {
    async addSubscriber(email) {
      const row = { email_key: normalizeEmail(email), email, created_at: now(), request_id: randomUUID() }
      const stored = await queue.add({ kind: 'subscriber', row })
      if (stored === 'unavailable') return stored
      return stored.requestIds.has(row.request_id) ? 'added' : 'present'
    },
    async addEnquiry(enquiry, key) {
      const idempotency_key = key?.toLowerCase() ?? randomUUID()
      const row = { idempotency_key, ...columnsOf(enquiry), created_at: now() }
      const stored = await queue.add({ kind: 'enquiry', row })
      if (stored === 'unavailable') return stored
      return isSameEnquiry(row, stored.enquiries.get(idempotency_key)) ? 'stored' : 'key-reused'
    },
    async checkReadiness() {
      const stored = await queue.add({ kind: 'readiness' })
      return stored === 'unavailable' ? stored : 'ready'
    },
    pending: queue.length,
    async close() {
      await queue.idle()
      await database.close()
    },
  }
}

/** The same for all spellings that count as one address. */
export const normalizeEmail = (email: string): string => email.toLowerCase()

const now = () => new Date().toISOString()

/** What a visitor sent; a field or a column that is forgotten does not compile. */
function columnsOf(enquiry: Enquiry): Omit<EnquiryRow, 'idempotency_key' | 'created_at'> {
  const { first, last, email, message, ...forgotten } = enquiry
  forgotten satisfies NoColumns
  return { first_name: first, last_name: last, email, message }
}

/** Whether what was sent is what is stored; a column of a later release does not matter. */
const isSameEnquiry = ({ created_at, ...sent }: EnquiryRow, stored: EnquiryRow | undefined) =>
  isDeepStrictEqual({ ...stored, ...sent }, { ...stored })

/**
 * One transaction. What is new is inserted, and what is stored is read back whether or not it is new: so a commit that was
 * stored although it seemed to fail may be repeated, and what is known takes the statements of what is new.
 */
async function store(db: Db, items: readonly Item[], channels: readonly Channel[]): Promise<Stored> {
  const subscribers = items.filter((item) => item.kind === 'subscriber').map(({ row }) => row)
  const enquiries = items.filter((item) => item.kind === 'enquiry').map(({ row }) => row)
  const newSubscribers = await insertSubscribers(db, subscribers)
  const newEnquiries = await insertEnquiries(db, enquiries)
  // After both tables of leads, in the order of an erasure, which might wait for this commit in a circle otherwise.
  // Mail is for enquiries alone.
  const notMail = channels.filter((channel) => channel !== 'mail')
  if (subscribers.length > 0) await addMessages(db, 'subscription', newSubscribers, notMail)
  if (enquiries.length > 0) await addMessages(db, 'enquiry', newEnquiries, channels)
  if (items.some(({ kind }) => kind === 'readiness')) await writeReadiness(db)
  return { requestIds: await readRequestIds(db, subscribers), enquiries: await readEnquiries(db, enquiries) }
}

/**
 * As the condition of an upsert, it locks a known row and changes nothing. PostgreSQL writes the lock to its log: so the
 * commit of what is known waits for the disk, and for a standby, like that of what is new. SQLite writes its last row number
 * in both cases.
 */
const LOCK_EXISTING = sql<boolean>`false`

/** Inserts the first row of each address; returns the ids of those that were new. */
export async function insertSubscribers(db: Db, rows: readonly SubscriberRow[]): Promise<{ id: number }[]> {
  if (rows.length === 0) return []
  return db
    .insertInto('subscribers')
    .values(firstOfEach(rows, 'email_key'))
    .onConflict((on) => on.column('email_key').doUpdateSet({ email_key: sql`excluded.email_key` }).where(LOCK_EXISTING))
    .returning('id')
    .execute()
}

async function readRequestIds(db: Db, rows: readonly SubscriberRow[]): Promise<Stored['requestIds']> {
  if (rows.length === 0) return new Set()
  const keys = rows.map((row) => row.email_key)
  const stored = await db.selectFrom('subscribers').select('request_id').where('email_key', 'in', keys).execute()
  return new Set(stored.map((row) => row.request_id))
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
  const row = { id: 1, checked_at: now() }
  await db
    .insertInto('readiness')
    .values(row)
    .onConflict((on) => on.column('id').doUpdateSet(row))
    .execute()
  // A table that is missing or unreadable takes no rows either.
  for (const table of ['subscribers', 'enquiries'] as const) await db.selectFrom(table).select('id').limit(1).execute()
}

/**
 * The first row of each key, because PostgreSQL refuses a statement that would lock a row it has just inserted; in the order
 * of the keys, because servers that lock their rows in one order can't deadlock.
 */
function firstOfEach<Key extends string, Row extends Readonly<Record<Key, string>>>(rows: readonly Row[], key: Key) {
  const first = new Map(rows.toReversed().map((row) => [row[key], row]))
  return [...first.values()].toSorted((one, other) => (one[key] < other[key] ? -1 : 1))
}
