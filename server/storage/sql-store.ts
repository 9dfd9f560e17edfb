import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Enquiry } from '../../src/domain/enquiry.ts'
import type { Channel, Database, NoColumns, Tables } from './database.ts'
import { type Commit, type CommitEvents, groupCommit, type Limits } from './group-commit.ts'
import { addMessages, type LeadKind } from './outbox-rows.ts'
import type { Store } from './store.ts'

type Subscriber = Insertable<Tables['subscribers']>

type EnquiryRow = Omit<Selectable<Tables['enquiries']>, 'id'>

/** What a visitor sent; a field or a column that is forgotten does not compile. */
function columnsOf(enquiry: Enquiry): Omit<EnquiryRow, 'idempotency_key' | 'created_at'> {
  const { first, last, email, message, ...forgotten } = enquiry
  forgotten satisfies NoColumns
  return { first_name: first, last_name: last, email, message }
}

export type Queue = 'subscribers' | 'enquiries' | 'readiness'

/** 1,000 rows a statement stay far below the 32,766 parameters that SQLite takes. */
export const LIMITS: Limits = { maxQueue: 4000, maxBatch: 1000, timeoutMs: 1000, retryDelayMs: 20 }

/** A store whose statements SQLite and PostgreSQL both take. New leads are notified on `channels`. It closes the database. */
export function sqlStore(
  database: Database,
  queueEvents: (queue: Queue) => CommitEvents,
  channels: readonly Channel[] = [],
  limits = LIMITS,
): Store {
  const commitTo =
    <Item, Answer>(statements: (db: Kysely<Tables>) => Commit<Item, Answer>): Commit<Item, Answer> =>
    (items, isRetry) =>
      database.run((db) => statements(db)(items, isRetry))
  // Mail is for enquiries alone.
  const subscribers = groupCommit(
    commitTo(addSubscribers(channels.filter((channel) => channel !== 'mail'))),
    limits,
    queueEvents('subscribers'),
  )
  const enquiries = groupCommit(commitTo(addEnquiries(channels)), limits, queueEvents('enquiries'))
  const readiness = groupCommit(commitTo(writeReadiness), limits, queueEvents('readiness'))
  return {
    addSubscriber: (email) =>
      subscribers.add({ email_key: normalizeEmail(email), email, created_at: now(), request_id: randomUUID() }),
    addEnquiry: (enquiry, key) =>
      enquiries.add({
        idempotency_key: key?.toLowerCase() ?? randomUUID(),
        ...columnsOf(enquiry),
        created_at: now(),
      }),
    checkReadiness: () => readiness.add(now()),
    pending: () => ({ subscribers: subscribers.length(), enquiries: enquiries.length() }),
    async close() {
      await Promise.all([subscribers.idle(), enquiries.idle(), readiness.idle()])
      await database.close()
    },
  }
}

/** The same for all spellings that count as one address. */
export const normalizeEmail = (email: string): string => email.toLowerCase()

const now = () => new Date().toISOString()

/** Returns the rows that an insert stored; in the same transaction it adds a message for each channel. */
const insertNew = <Row extends { id: number }>(
  db: Kysely<Tables>,
  kind: LeadKind,
  channels: readonly Channel[],
  insert: (db: Kysely<Tables>) => { execute(): Promise<Row[]> },
): Promise<Row[]> =>
  channels.length === 0
    ? insert(db).execute()
    : db.transaction().execute(async (transaction) => {
        const added = await insert(transaction).execute()
        await addMessages(transaction, kind, added, channels)
        return added
      })

/**
 * As the condition of an upsert, it locks a known row and changes nothing. PostgreSQL writes the lock to its log: so the
 * commit of what is known waits for the disk, and for a standby, like that of what is new. SQLite writes its last row number
 * in both cases.
 */
const LOCK_EXISTING = sql<boolean>`false`

/** Inserts the first row of each address, and returns nothing for known ones. */
export const insertSubscribers = (db: Kysely<Tables>, rows: readonly Subscriber[]) =>
  db
    .insertInto('subscribers')
    .values(inOrder(firstOfEach(rows, 'email_key'), 'email_key'))
    .onConflict((conflict) =>
      conflict
        .column('email_key')
        .doUpdateSet((row) => ({ email_key: row.ref('excluded.email_key') }))
        .where(LOCK_EXISTING),
    )

const addSubscribers =
  (channels: readonly Channel[]) =>
  (db: Kysely<Tables>): Commit<Subscriber, 'added' | 'present'> =>
  async (rows, isRetry) => {
    const added = await insertNew(db, 'subscription', channels, (db) =>
      insertSubscribers(db, rows).returning(['id', 'request_id']),
    )
    // An earlier attempt may have stored rows although it seemed to fail.
    const stored = isRetry ? await readRequestIds(db, rows) : []
    const ids = new Set([...added, ...stored].map((row) => row.request_id))
    return ({ request_id }) => (ids.has(request_id) ? 'added' : 'present')
  }

function readRequestIds(db: Kysely<Tables>, rows: readonly Subscriber[]) {
  const keys = rows.map((row) => row.email_key)
  return db.selectFrom('subscribers').select('request_id').where('email_key', 'in', keys).execute()
}

// Every enquiry has a key, so a retried commit never stores one twice.
const addEnquiries =
  (channels: readonly Channel[]) =>
  (db: Kysely<Tables>): Commit<EnquiryRow, 'stored' | 'key-reused'> =>
  async (rows) => {
    const first = firstOfEach(rows, 'idempotency_key')
    const added = await insertNew(db, 'enquiry', channels, (db) =>
      db
        .insertInto('enquiries')
        .values(inOrder(first, 'idempotency_key'))
        .onConflict((conflict) =>
          conflict
            .column('idempotency_key')
            .doUpdateSet((row) => ({ idempotency_key: row.ref('excluded.idempotency_key') }))
            .where(LOCK_EXISTING),
        )
        .returning(['id', 'idempotency_key']),
    )
    const keys = new Set(added.map((row) => row.idempotency_key))
    const inserted = new Set(first.filter((row) => keys.has(row.idempotency_key)))
    const repeats = rows.filter((row) => !inserted.has(row)).map((row) => row.idempotency_key)
    const stored = repeats.length === 0 ? [] : await readEnquiries(db, repeats)
    const storedByKey = new Map(stored.map((row) => [row.idempotency_key, row]))
    return (row) =>
      inserted.has(row) || isSameEnquiry(row, storedByKey.get(row.idempotency_key)) ? 'stored' : 'key-reused'
  }

const readEnquiries = (db: Kysely<Tables>, keys: string[]) =>
  db.selectFrom('enquiries').selectAll().where('idempotency_key', 'in', keys).execute()

/** Whether what was sent is what is stored; a column of a later release does not matter. */
const isSameEnquiry = ({ created_at, ...sent }: EnquiryRow, stored: EnquiryRow | undefined) =>
  isDeepStrictEqual({ ...stored, ...sent }, { ...stored })

const writeReadiness =
  (db: Kysely<Tables>): Commit<string, 'ready'> =>
  async ([checked_at = now()]) => {
    await db
      .insertInto('readiness')
      .values({ id: 1, checked_at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ checked_at }))
      .execute()
    // A table that is missing or unreadable takes no rows either.
    for (const table of ['subscribers', 'enquiries'] as const) {
      await db.selectFrom(table).select('id').limit(1).execute()
    }
    return () => 'ready'
  }

/** PostgreSQL refuses a statement that would lock a row it has just inserted. */
const firstOfEach = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Row[] => [
  ...new Map(rows.toReversed().map((row) => [row[key], row])).values(),
]

/** Statements that lock their rows in one order, whichever server runs them, can't deadlock. */
const inOrder = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Row[] =>
  rows.toSorted((one, other) => (one[key] < other[key] ? -1 : one[key] > other[key] ? 1 : 0))
