import { isDeepStrictEqual } from 'node:util'
import { type Enquiry, FIELD_NAMES } from '../../src/domain/enquiry-fields.ts'
import { RETRY_MS } from '../timeouts.ts'
import { createCommitQueue, type OnCommit } from './commit-queue.ts'
import {
  type Database,
  type Db,
  type EnquiryColumns,
  FIELD_COLUMNS,
  now,
  type StoredEnquiry,
  type Tables,
  VISITOR_TABLES,
} from './database.ts'

type Subscriber = Pick<Tables['subscribers'], 'email_key' | 'email'>
type NewEnquiry = Omit<StoredEnquiry, 'id' | 'created_at' | `mail_${string}`>

export type Store = ReturnType<typeof createStore>

/**
 * Stores subscribers and enquiries. With `mail`, a mail about each new enquiry is due at once. The result 'unavailable'
 * says that a row may be stored or not, and `onCommit` learns why; every other result comes only after the row has
 * reached the disk. A commit is tried again though it may have succeeded unnoticed: the unique keys keep a row from
 * being stored twice, and the only harm is that a new address may be answered as known.
 *
 * One bad row can't make a whole commit fail: the contract forbids U+0000 and lone surrogates, all keys are short, and
 * PostgreSQL has to store UTF-8.
 */
export function createStore(database: Database, onCommit: OnCommit, mail = false, retryMs = RETRY_MS) {
  const queueFor = <Row, Result>(store: (db: Db, rows: readonly Row[]) => Promise<Result[]>) =>
    createCommitQueue((rows: readonly Row[]) => database.run((db) => store(db, rows)), retryMs, onCommit)
  const subscribers = queueFor(storeSubscribers)
  const enquiries = queueFor((db, rows: readonly NewEnquiry[]) => storeEnquiries(db, rows, mail))
  const readinessChecks = queueFor(tryToWrite)
  const queues = [subscribers, enquiries, readinessChecks]

  return {
    /** Adds an address, without regard to case. Of the calls for one address at most one is answered 'added'. */
    addSubscriber: (email: string) => subscribers.add({ email_key: normalizeEmail(email), email }),
    /** Stores an enquiry with a key once, however often it is sent. 'key-reused': the key belongs to another enquiry. */
    addEnquiry: (enquiry: Enquiry, key: string | null) =>
      enquiries.add({ idempotency_key: key?.toLowerCase() ?? crypto.randomUUID(), ...columnsOf(enquiry) }),
    /** Writes a row durably, to find out whether one can be written. */
    checkReadiness: () => readinessChecks.add(null),
    /** Stores the rows that still wait, then closes the database. */
    async close() {
      await Promise.all(queues.map((queue) => queue.drained()))
      await database.close()
    },
  }
}

async function storeSubscribers(db: Db, rows: readonly Subscriber[]) {
  const created_at = now()
  const added = await db
    .insertInto('subscribers')
    .values(sorted(rows, 'email_key').map((row) => ({ ...row, created_at })))
    .onConflict((on) => on.column('email_key').doNothing())
    .returning('email_key')
    .execute()
  const addedKeys = new Set(added.map(({ email_key }) => email_key))
  // Of several rows with one key, the first was added.
  return rows.map(({ email_key }) => (addedKeys.delete(email_key) ? 'added' : 'present'))
}

async function storeEnquiries(db: Db, rows: readonly NewEnquiry[], mail: boolean) {
  const created_at = now()
  await db
    .insertInto('enquiries')
    .values(
      sorted(rows, 'idempotency_key').map((row) => ({ ...row, created_at, mail_due_at: mail ? created_at : null })),
    )
    .onConflict((on) => on.column('idempotency_key').doNothing())
    .execute()
  const keys = rows.map(({ idempotency_key }) => idempotency_key)
  const found = await db.selectFrom('enquiries').selectAll().where('idempotency_key', 'in', keys).execute()
  const storedRows = new Map<string, NewEnquiry>(found.map((row) => [row.idempotency_key, row]))
  return rows.map((row) => {
    // If the row is missing, it was stored and then erased. So it counts as stored.
    const stored = storedRows.get(row.idempotency_key) ?? row
    // Compare only the columns that this release knows.
    return isDeepStrictEqual({ ...stored, ...row }, { ...stored }) ? 'stored' : 'key-reused'
  })
}

async function tryToWrite(db: Db, checks: readonly null[]) {
  const row = { id: 'last', time: now() }
  await db
    .insertInto('readiness')
    .values(row)
    .onConflict((on) => on.column('id').doUpdateSet(row))
    .execute()
  // The tables of visitors have to exist and be readable.
  for (const table of VISITOR_TABLES) await db.selectFrom(table).select('id').limit(1).execute()
  return checks.map(() => 'ready' as const)
}

/** Servers that insert the same keys in the same order can't deadlock. */
const sorted = <Row extends Readonly<Record<Key, string>>, Key extends string>(rows: readonly Row[], key: Key) =>
  rows.toSorted((one, other) => (one[key] < other[key] ? -1 : Number(one[key] > other[key])))

/** The same text for all spellings that count as one address. */
export const normalizeEmail = (email: string): string => email.toLowerCase()

// The cast is needed because the type of Object.fromEntries loses the names of the columns.
const columnsOf = (enquiry: Enquiry) =>
  Object.fromEntries(FIELD_NAMES.map((name) => [FIELD_COLUMNS[name], enquiry[name]])) as EnquiryColumns
