import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Enquiry } from '../../src/domain/enquiry.ts'
import { RETRY_MS } from '../timeouts.ts'
import {
  type Database,
  type Db,
  type NoColumns,
  noteTime,
  type StoredEnquiry,
  TABLES,
  type Tables,
  tryUntil,
} from './database.ts'

/** How many calls may wait, and how many one commit takes: its statements stay below the databases' limits. */
const MAX_WAITING = 4000
const MAX_BATCH = 1000

type Subscriber = Pick<Tables['subscribers'], 'email_key' | 'email'>
type SentEnquiry = Omit<StoredEnquiry, 'id' | 'created_at' | `mail_${string}`>

/** What became of a call. 'key-reused': the key belongs to another enquiry. */
type Answer = 'added' | 'present' | 'stored' | 'key-reused' | 'ready' | 'unavailable'

/** A call that waits for its commit. It has one of both rows, or none if it only asks whether rows can be stored. */
type Call = {
  readonly subscriber?: Subscriber
  readonly enquiry?: SentEnquiry
  readonly since: number
  readonly answer: (answer: Answer) => void
}

type Options = {
  /** Calls were answered 'unavailable', because of this error, or because too many wait: then it is null. */
  readonly onRefused: (error: unknown) => void
  /** Whether a mail about each new enquiry is due at once. Without it none is. */
  readonly mail?: boolean
  readonly retryMs?: number
}

export type Store = ReturnType<typeof createStore>

/**
 * Stores subscribers and enquiries. Calls that arrive together share a commit. Every answer but 'unavailable' comes
 * only after the acknowledged data is durable. No call rejects.
 */
export function createStore(database: Database, { onRefused, mail = false, retryMs = RETRY_MS }: Options) {
  const waiting: Call[] = []
  let committing: readonly Call[] = []
  let commitLoop: Promise<void> | null = null

  async function add(rows: Pick<Call, 'subscriber' | 'enquiry'>) {
    if (waiting.length >= MAX_WAITING) {
      onRefused(null)
      return 'unavailable'
    }
    const { promise, resolve: answer } = Promise.withResolvers<Answer>()
    waiting.push({ ...rows, since: performance.now(), answer })
    commitLoop ??= commitAll()
    return promise
  }

  async function commitAll() {
    while (waiting.length > 0) {
      // The calls that arrive in the same turn share the commit.
      await setImmediate()
      committing = waiting.splice(0, MAX_BATCH)
      try {
        const answerTo = await commit(committing)
        for (const call of committing) call.answer(answerTo(call))
      } catch (error) {
        // The calls behind this batch would wait too long for their own commit.
        for (const { answer } of [...committing, ...waiting.splice(0)]) answer('unavailable')
        onRefused(error)
      }
      committing = []
    }
    commitLoop = null
  }

  /**
   * Tries until `retryMs` after the arrival of the first call. A failed commit may have stored everything nevertheless.
   * The unique keys make the next attempt harmless: its only effect is that a new address may be answered as known.
   */
  function commit(calls: readonly Call[]) {
    // A lone statement is a transaction by itself, which saves PostgreSQL two round trips.
    const isLone = calls.every(({ subscriber }) => subscriber)
    return tryUntil((calls[0]?.since ?? 0) + retryMs, () =>
      database.run((db) =>
        isLone ? storeAll(db, calls, mail) : db.transaction().execute((db) => storeAll(db, calls, mail)),
      ),
    )
  }

  return {
    /** Adds an address, without regard to case. Of the calls for one address at most one is answered 'added'. */
    addSubscriber: (email: string) => add({ subscriber: { email_key: normalizeEmail(email), email } }),
    /** Stores an enquiry with a key once, however often it is sent. */
    addEnquiry: (enquiry: Enquiry, key: string | null) =>
      add({ enquiry: { idempotency_key: key?.toLowerCase() ?? crypto.randomUUID(), ...columnsOf(enquiry) } }),
    /** Writes a row durably, to find out whether one can be written. */
    checkReadiness: () => add({}),
    /** How many calls wait for an answer. */
    pending: () => waiting.length + committing.length,
    /** Stores the calls that still wait, then closes the database. */
    async close() {
      await commitLoop
      await database.close()
    },
  }
}

/** Stores the rows of all calls. Returns the answer to each call. */
async function storeAll(db: Db, calls: readonly Call[], mail: boolean): Promise<(call: Call) => Answer> {
  const isNew = await storeSubscribers(
    db,
    calls.flatMap(({ subscriber }) => subscriber ?? []),
  )
  const isStored = await storeEnquiries(
    db,
    calls.flatMap(({ enquiry }) => enquiry ?? []),
    mail,
  )
  if (calls.some(({ subscriber, enquiry }) => !subscriber && !enquiry)) await tryToWrite(db)
  return ({ subscriber, enquiry }) => {
    if (subscriber) return isNew(subscriber) ? 'added' : 'present'
    if (enquiry) return isStored(enquiry) ? 'stored' : 'key-reused'
    return 'ready'
  }
}

/** Returns whether a row was added: of several with one address the first, and none if the address was known. */
async function storeSubscribers(db: Db, rows: readonly Subscriber[]) {
  if (rows.length === 0) return () => false
  const firstRows = byKey('email_key', rows)
  const created_at = now()
  const added = await db
    .insertInto('subscribers')
    .values([...firstRows.values()].map((row) => ({ ...row, created_at })))
    .onConflict((on) => on.column('email_key').doNothing())
    .returning('email_key')
    .execute()
  const addedRows = new Set(added.map(({ email_key }) => firstRows.get(email_key)))
  return (row: Subscriber) => addedRows.has(row)
}

/** Returns whether an enquiry is stored, or was before: not if its key belongs to another enquiry. */
async function storeEnquiries(db: Db, rows: readonly SentEnquiry[], mail: boolean) {
  if (rows.length === 0) return () => false
  const firstRows = byKey('idempotency_key', rows)
  const created_at = now()
  await db
    .insertInto('enquiries')
    .values([...firstRows.values()].map((row) => ({ ...row, created_at, mail_due_at: mail ? created_at : null })))
    .onConflict((on) => on.column('idempotency_key').doNothing())
    .execute()
  const keys = [...firstRows.keys()]
  const found = await db.selectFrom('enquiries').selectAll().where('idempotency_key', 'in', keys).execute()
  const storedRows = new Map<string, SentEnquiry>(found.map((row) => [row.idempotency_key, row]))
  return (row: SentEnquiry) => {
    const stored = storedRows.get(row.idempotency_key)
    // A column of a later release does not matter.
    return isDeepStrictEqual({ ...stored, ...row }, { ...stored })
  }
}

async function tryToWrite(db: Db) {
  await noteTime(db, 'readiness')
  // The tables of visitors have to exist and be readable.
  for (const table of TABLES) await db.selectFrom(table).select('id').limit(1).execute()
}

/** The first row of each key, sorted by the keys: servers that lock rows in one order can't deadlock. */
const byKey = <Key extends string, Row extends Readonly<Record<Key, string>>>(key: Key, rows: readonly Row[]) =>
  new Map(
    rows
      .toReversed()
      .map((row) => [row[key], row] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
  )

/** The same text for all spellings that count as one address. */
export const normalizeEmail = (email: string): string => email.toLowerCase()

const now = () => new Date().toISOString()

/** The columns of a sent enquiry. A forgotten field or column does not compile. */
function columnsOf(enquiry: Enquiry): Omit<SentEnquiry, 'idempotency_key'> {
  const { first, last, email, message, ...forgotten } = enquiry
  forgotten satisfies NoColumns
  return { first_name: first, last_name: last, email, message }
}
