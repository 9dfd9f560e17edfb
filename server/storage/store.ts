import { setImmediate, setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Enquiry } from '../../src/domain/enquiry.ts'
import { type Channel, type Database, isSqlite, type NoColumns, type Tables } from './database.ts'
import { addMessages } from './outbox-rows.ts'

/** How many calls may wait, and how many one commit takes: its statements stay below the databases' limits. */
const MAX_WAITING = 4000
const MAX_BATCH = 1000

/** How long a commit that fails is tried again, and the pause between two attempts. The page waits ten seconds. */
const RETRY_MS = 5000
const RETRY_PAUSE_MS = 50

type Item =
  | { readonly kind: 'subscriber'; readonly row: SubscriberRow }
  | { readonly kind: 'enquiry'; readonly row: EnquiryRow }
  | { readonly kind: 'readiness' }

type SubscriberRow = Omit<Selectable<Tables['subscribers']>, 'id'>
type EnquiryRow = Omit<Selectable<Tables['enquiries']>, 'id'>

/**
 * The result that all calls of a commit share. `newKeys`: the keys of the subscribers that it added; the call that is
 * answered 'added' removes its key. `enquiries`: the stored enquiries, by key.
 */
type Stored = { readonly newKeys: Set<string>; readonly enquiries: ReadonlyMap<string, EnquiryRow> }

type Waiting = { readonly item: Item; readonly answer: (stored: Stored | 'unavailable') => void }

/** Events for logs and metrics. */
export type StoreEvents = {
  committed(): void
  /** `calls` were answered 'unavailable', because of `error`, or because too many wait. */
  refused(calls: number, error: unknown): void
}

type Options = {
  readonly events: StoreEvents
  /** Each new lead gets a message to staff for each of these channels. Mail is only for enquiries. */
  readonly channels?: readonly Channel[]
  readonly retryMs?: number
}

export type Store = ReturnType<typeof createStore>

/**
 * Stores leads, and messages to staff about new leads. Calls that arrive together share a commit. Every answer but
 * 'unavailable' comes only after the acknowledged data is durable. No call rejects.
 */
export function createStore(database: Database, { events, channels = [], retryMs = RETRY_MS }: Options) {
  const waiting: Waiting[] = []
  let committing = 0
  let commitLoop: Promise<void> | null = null

  async function add(item: Item) {
    if (waiting.length >= MAX_WAITING) {
      events.refused(1, null)
      return 'unavailable'
    }
    const { promise, resolve: answer } = Promise.withResolvers<Stored | 'unavailable'>()
    waiting.push({ item, answer })
    commitLoop ??= commitAll()
    return promise
  }

  async function commitAll() {
    while (waiting.length > 0) {
      // The calls that arrive in the same turn share the commit.
      await setImmediate()
      const batch = waiting.splice(0, MAX_BATCH)
      committing = batch.length
      try {
        const stored = await commit(batch.map(({ item }) => item))
        for (const { answer } of batch) answer(stored)
        events.committed()
      } catch (error) {
        // The calls behind this batch would wait too long for their own commit.
        const refused = [...batch, ...waiting.splice(0)]
        for (const { answer } of refused) answer('unavailable')
        events.refused(refused.length, error)
      }
      committing = 0
    }
    commitLoop = null
  }

  /**
   * A failed commit may have stored everything nevertheless. The unique keys make the next attempt harmless: its only
   * effect is that a new address may be answered as known.
   */
  async function commit(items: readonly Item[]): Promise<Stored> {
    const store = (db: Kysely<Tables>) => storeItems(db, items, channels)
    // A single insert is a transaction of its own, in two round trips less.
    const isOneInsert = channels.length === 0 && items.every(({ kind }) => kind === 'subscriber')
    const deadline = performance.now() + retryMs
    for (;;) {
      try {
        return await database.run((db) =>
          isOneInsert ? store(db) : db.transaction().execute((transaction) => store(transaction)),
        )
      } catch (error) {
        if (performance.now() > deadline) throw error
        await setTimeout(RETRY_PAUSE_MS)
      }
    }
  }

  return {
    /** Adds an address, without regard to case. Of the calls for one address at most one is answered 'added'. */
    async addSubscriber(email: string) {
      const email_key = normalizeEmail(email)
      const stored = await add({ kind: 'subscriber', row: { email_key, email, created_at: now() } })
      if (stored === 'unavailable') return stored
      // The first call of a commit takes the key.
      return stored.newKeys.delete(email_key) ? 'added' : 'present'
    },
    /** Stores an enquiry with a key once, however often it is sent. 'key-reused': the key belongs to another enquiry. */
    async addEnquiry(enquiry: Enquiry, key: string | null) {
      const idempotency_key = key?.toLowerCase() ?? crypto.randomUUID()
      const row = { idempotency_key, ...columnsOf(enquiry), created_at: now() }
      const stored = await add({ kind: 'enquiry', row })
      if (stored === 'unavailable') return stored
      return isSameEnquiry(row, stored.enquiries.get(idempotency_key)) ? 'stored' : 'key-reused'
    },
    /** Writes a row durably, to find out whether one can be written. */
    checkReadiness: async () => ((await add({ kind: 'readiness' })) === 'unavailable' ? 'unavailable' : 'ready'),
    /** How many calls wait for an answer. */
    pending: () => waiting.length + committing,
    /** Stores the calls that still wait, then closes the database. */
    async close() {
      await commitLoop
      await database.close()
    },
  }
}

async function storeItems(db: Kysely<Tables>, items: readonly Item[], channels: readonly Channel[]): Promise<Stored> {
  const subscribers = sortedBy(
    items.filter((item) => item.kind === 'subscriber').map(({ row }) => row),
    'email_key',
  )
  const enquiries = sortedBy(
    items.filter((item) => item.kind === 'enquiry').map(({ row }) => row),
    'idempotency_key',
  )
  const newSubscribers = subscribers.length > 0 ? await insertSubscribers(db, subscribers) : []
  const newEnquiries = enquiries.length > 0 ? await insertEnquiries(db, enquiries) : []
  // Messages come after both tables of leads, as in an erasure: with another order each might wait for the other.
  // Mail is only for enquiries.
  const notMail = channels.filter((channel) => channel !== 'mail')
  await addMessages(db, 'subscription', newSubscribers, notMail)
  await addMessages(db, 'enquiry', newEnquiries, channels)
  if (items.some(({ kind }) => kind === 'readiness')) await writeReadiness(db)
  const isAllNew = newSubscribers.length + newEnquiries.length === subscribers.length + enquiries.length
  if (!isAllNew && !isSqlite(db)) await waitForStandby(db)
  return {
    newKeys: new Set(newSubscribers.map((row) => row.email_key)),
    enquiries: enquiries.length > 0 ? await readEnquiries(db, enquiries) : new Map(),
  }
}

/**
 * Makes the commit wait for PostgreSQL's synchronous standby. A transaction that writes nothing does not wait, and the
 * rows that it found may be on the primary alone.
 */
const waitForStandby = (db: Kysely<Tables>) => sql`select pg_logical_emit_message(true, 'known', '')`.execute(db)

/** Returns the rows that were new. */
const insertSubscribers = (db: Kysely<Tables>, rows: readonly SubscriberRow[]) =>
  db
    .insertInto('subscribers')
    .values(rows)
    .onConflict((on) => on.column('email_key').doNothing())
    .returning(['id', 'email_key'])
    .execute()

/** Returns the ids of the rows that were new. */
const insertEnquiries = (db: Kysely<Tables>, rows: readonly EnquiryRow[]) =>
  db
    .insertInto('enquiries')
    .values(rows)
    .onConflict((on) => on.column('idempotency_key').doNothing())
    .returning('id')
    .execute()

/** The stored enquiries with the keys of these rows. */
async function readEnquiries(db: Kysely<Tables>, rows: readonly EnquiryRow[]): Promise<Stored['enquiries']> {
  const keys = rows.map((row) => row.idempotency_key)
  const stored = await db.selectFrom('enquiries').selectAll().where('idempotency_key', 'in', keys).execute()
  return new Map(stored.map((row) => [row.idempotency_key, row]))
}

async function writeReadiness(db: Kysely<Tables>) {
  const row = { id: 1, checked_at: now() }
  const insert = db.insertInto('readiness').values(row)
  await insert.onConflict((on) => on.column('id').doUpdateSet(row)).execute()
  // The tables of leads have to exist and be readable.
  for (const table of ['subscribers', 'enquiries'] as const) await db.selectFrom(table).select('id').limit(1).execute()
}

/** Sorts rows by a key, and keeps the order within one key: servers that lock rows in one order can't deadlock. */
const sortedBy = <Key extends string, Row extends Readonly<Record<Key, string>>>(rows: readonly Row[], key: Key) =>
  rows.toSorted((one, other) => (one[key] < other[key] ? -1 : one[key] > other[key] ? 1 : 0))

/** The same text for all spellings that count as one address. */
export const normalizeEmail = (email: string): string => email.toLowerCase()

const now = () => new Date().toISOString()

/** The columns of a sent enquiry. A forgotten field or column does not compile. */
function columnsOf(enquiry: Enquiry): Omit<EnquiryRow, 'idempotency_key' | 'created_at'> {
  const { first, last, email, message, ...forgotten } = enquiry
  forgotten satisfies NoColumns
  return { first_name: first, last_name: last, email, message }
}

/** Whether a sent enquiry equals the stored one. A column of a later release does not matter. */
const isSameEnquiry = ({ created_at, ...sent }: EnquiryRow, stored: EnquiryRow | undefined) =>
  isDeepStrictEqual({ ...stored, ...sent }, { ...stored })
