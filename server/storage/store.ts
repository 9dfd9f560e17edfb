import { setImmediate, setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Selectable } from 'kysely'
import type { Enquiry } from '../../src/domain/enquiry.ts'
import { RETRY_MS } from '../timeouts.ts'
import type { Channel, Database, Db, NoColumns, Tables } from './database.ts'
import { addMessages } from './outbox-rows.ts'

/** How many calls may wait, and how many one commit takes: its statements stay below the databases' limits. */
const MAX_WAITING = 4000
const MAX_BATCH = 1000

/** The pause between two attempts of a commit. */
const RETRY_PAUSE_MS = 50

type SubscriberRow = Omit<Selectable<Tables['subscribers']>, 'id'>
type EnquiryRow = Omit<Selectable<Tables['enquiries']>, 'id'>

type Item =
  | { readonly kind: 'subscriber'; readonly row: SubscriberRow }
  | { readonly kind: 'enquiry'; readonly row: EnquiryRow }
  | { readonly kind: 'readiness' }

/** What became of an item. 'key-reused': its key belongs to another enquiry. */
type Result = 'added' | 'present' | 'stored' | 'key-reused' | 'ready'

type Waiting = {
  readonly item: Item
  readonly since: number
  readonly answer: (result: Result | 'unavailable') => void
}

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
  let committing: readonly Waiting[] = []
  let commitLoop: Promise<void> | null = null

  async function add(item: Item) {
    if (waiting.length >= MAX_WAITING) {
      events.refused(1, null)
      return 'unavailable'
    }
    const { promise, resolve: answer } = Promise.withResolvers<Result | 'unavailable'>()
    waiting.push({ item, since: performance.now(), answer })
    commitLoop ??= commitAll()
    return promise
  }

  async function commitAll() {
    while (waiting.length > 0) {
      // The calls that arrive in the same turn share the commit.
      await setImmediate()
      committing = waiting.splice(0, MAX_BATCH)
      try {
        const results = await commit(committing)
        for (const [i, { answer }] of committing.entries()) answer(results[i] ?? 'unavailable')
        events.committed()
      } catch (error) {
        // The calls behind this batch would wait too long for their own commit.
        const refused = [...committing, ...waiting.splice(0)]
        for (const { answer } of refused) answer('unavailable')
        events.refused(refused.length, error)
      }
      committing = []
    }
    commitLoop = null
  }

  /**
   * Tries until `retryMs` after the arrival of the first call. A failed commit may have stored everything nevertheless.
   * The unique keys make the next attempt harmless: its only effect is that a new address may be answered as known.
   */
  async function commit(batch: readonly Waiting[]): Promise<Result[]> {
    const items = batch.map(({ item }) => item)
    const deadline = (batch[0]?.since ?? 0) + retryMs
    let failure: unknown = new Error('timeout')
    while (performance.now() < deadline) {
      try {
        return await database.run((db) => db.transaction().execute((db) => storeItems(db, items, channels)))
      } catch (error) {
        failure = error
        await setTimeout(RETRY_PAUSE_MS)
      }
    }
    throw failure
  }

  return {
    /** Adds an address, without regard to case. Of the calls for one address at most one is answered 'added'. */
    addSubscriber: (email: string) =>
      add({ kind: 'subscriber', row: { email_key: normalizeEmail(email), email, created_at: now() } }),
    /** Stores an enquiry with a key once, however often it is sent. */
    addEnquiry: (enquiry: Enquiry, key: string | null) =>
      add({
        kind: 'enquiry',
        row: { idempotency_key: key?.toLowerCase() ?? crypto.randomUUID(), ...columnsOf(enquiry), created_at: now() },
      }),
    /** Writes a row durably, to find out whether one can be written. */
    checkReadiness: () => add({ kind: 'readiness' }),
    /** How many calls wait for an answer. */
    pending: () => waiting.length + committing.length,
    /** Stores the calls that still wait, then closes the database. */
    async close() {
      await commitLoop
      await database.close()
    },
  }
}

/** Stores all items, and returns what became of each. */
async function storeItems(db: Db, items: readonly Item[], channels: readonly Channel[]): Promise<Result[]> {
  const newKeys = await storeSubscribers(
    db,
    items.flatMap((item) => (item.kind === 'subscriber' ? item.row : [])),
    // Mail is only for enquiries.
    channels.filter((channel) => channel !== 'mail'),
  )
  const enquiries = await storeEnquiries(
    db,
    items.flatMap((item) => (item.kind === 'enquiry' ? item.row : [])),
    channels,
  )
  if (items.some(({ kind }) => kind === 'readiness')) await writeReadiness(db)
  return items.map((item) => {
    if (item.kind === 'readiness') return 'ready'
    // The first call for an address takes its key.
    if (item.kind === 'subscriber') return newKeys.delete(item.row.email_key) ? 'added' : 'present'
    return isSameEnquiry(item.row, enquiries.get(item.row.idempotency_key)) ? 'stored' : 'key-reused'
  })
}

/** Returns the keys of the addresses that were new. */
async function storeSubscribers(db: Db, rows: readonly SubscriberRow[], channels: readonly Channel[]) {
  if (rows.length === 0) return new Set<string>()
  const added = await db
    .insertInto('subscribers')
    .values(sortedBy('email_key', rows))
    .onConflict((on) => on.column('email_key').doNothing())
    .returning(['id', 'email_key'])
    .execute()
  await addMessages(db, 'subscription', added, channels)
  return new Set(added.map(({ email_key }) => email_key))
}

/** Returns the stored enquiries with the keys of these rows, by key. */
async function storeEnquiries(db: Db, rows: readonly EnquiryRow[], channels: readonly Channel[]) {
  if (rows.length === 0) return new Map<string, EnquiryRow>()
  const added = await db
    .insertInto('enquiries')
    .values(sortedBy('idempotency_key', rows))
    .onConflict((on) => on.column('idempotency_key').doNothing())
    .returning('id')
    .execute()
  await addMessages(db, 'enquiry', added, channels)
  const keys = rows.map((row) => row.idempotency_key)
  const stored = await db.selectFrom('enquiries').selectAll().where('idempotency_key', 'in', keys).execute()
  return new Map<string, EnquiryRow>(stored.map((row) => [row.idempotency_key, row]))
}

async function writeReadiness(db: Db) {
  const row = { id: 1, checked_at: now() }
  const insert = db.insertInto('readiness').values(row)
  await insert.onConflict((on) => on.column('id').doUpdateSet(row)).execute()
  // The tables of leads have to exist and be readable.
  for (const table of ['subscribers', 'enquiries'] as const) await db.selectFrom(table).select('id').limit(1).execute()
}

/** Sorts rows by a key, and keeps the order within one key: servers that lock rows in one order can't deadlock. */
const sortedBy = <Key extends string, Row extends Readonly<Record<Key, string>>>(key: Key, rows: readonly Row[]) =>
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
