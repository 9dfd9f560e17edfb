import { randomUUID } from 'node:crypto'
import type { Insertable, Kysely } from 'kysely'
import type { Database, Tables, Way } from './database.ts'
import { type Commit, type CommitEvents, groupCommit, type Limits } from './group-commit.ts'
import { addEvents, type Kind } from './outbox-rows.ts'
import type { Store } from './store.ts'

type Subscriber = Insertable<Tables['subscribers']> & { readonly request_id: string }

type EnquiryRow = Insertable<Tables['enquiries']>

export type Queue = 'subscribers' | 'enquiries' | 'readiness'

/** 1,000 rows a statement stay far below the 32,766 parameters that SQLite takes. */
export const LIMITS: Limits = { length: 4000, batch: 1000, age: 1000, pause: 20 }

/** A store in statements that SQLite and PostgreSQL both know; `ways` are those to tell of new leads. It closes the database. */
export function sqlStore(
  database: Database,
  eventsOf: (queue: Queue) => CommitEvents,
  ways: readonly Way[] = [],
  limits = LIMITS,
): Store {
  const commitTo =
    <Item, Answer>(statements: (db: Kysely<Tables>) => Commit<Item, Answer>): Commit<Item, Answer> =>
    (items, again) =>
      database.run((db) => statements(db)(items, again))
  // A letter tells of an enquiry alone.
  const subscribers = groupCommit(
    commitTo(addSubscribers(ways.filter((way) => way !== 'mail'))),
    limits,
    eventsOf('subscribers'),
  )
  const enquiries = groupCommit(commitTo(addEnquiries(ways)), limits, eventsOf('enquiries'))
  const readiness = groupCommit(commitTo(writeReadiness), limits, eventsOf('readiness'))
  return {
    addSubscriber: (email) =>
      subscribers.add({ email_key: emailKey(email), email, created_at: now(), request_id: randomUUID() }),
    addEnquiry: ({ first, last, email, message }, key) =>
      enquiries.add({
        idempotency_key: key?.toLowerCase() ?? randomUUID(),
        first_name: first,
        last_name: last,
        email,
        message,
        created_at: now(),
      }),
    checkReadiness: () => readiness.add(now()),
    waiting: () => ({ subscribers: subscribers.length(), enquiries: enquiries.length() }),
    async close() {
      // Whatever one of them does, the others are waited for, and the database is let go.
      const ends = await Promise.allSettled([subscribers.drained(), enquiries.drained(), readiness.drained()])
      await database.close()
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
  }
}

/** What addresses that count as one have in common. */
export const emailKey = (email: string): string => email.toLowerCase()

const now = () => new Date().toISOString()

/** The rows that an insert stored; with them, or not at all, an event for each way. */
const insertNew = <Row extends { id: number }>(
  db: Kysely<Tables>,
  kind: Kind,
  ways: readonly Way[],
  insert: (db: Kysely<Tables>) => { execute(): Promise<Row[]> },
): Promise<Row[]> =>
  ways.length === 0
    ? insert(db).execute()
    : db.transaction().execute(async (transaction) => {
        const added = await insert(transaction).execute()
        await addEvents(transaction, kind, added, ways)
        return added
      })

/** The numbers are for events alone. */
const keyAnd = <Key extends string>(key: Key, ways: readonly Way[]): (Key | 'id')[] =>
  ways.length === 0 ? [key] : [key, 'id']

/**
 * Inserts the first row of each address, and returns nothing of those that were there. These it locks, which PostgreSQL
 * writes to its log: the commit of a known address waits for the disk, and for a standby, as that of a new one. SQLite
 * writes for both the number that it gave last.
 */
export const insertSubscribers = (db: Kysely<Tables>, rows: readonly Subscriber[]) =>
  db
    .insertInto('subscribers')
    .values(inOrder(firstOfEach(rows, 'email_key'), 'email_key'))
    .onConflict((conflict) =>
      conflict
        .column('email_key')
        .doUpdateSet((row) => ({ email_key: row.ref('excluded.email_key') }))
        .where((row) => row.lit(false)),
    )

const addSubscribers =
  (ways: readonly Way[]) =>
  (db: Kysely<Tables>): Commit<Subscriber, 'added' | 'present'> =>
  async (rows, again) => {
    const added = await insertNew(db, 'subscription', ways, (db) =>
      insertSubscribers(db, rows).returning(keyAnd('request_id', ways)),
    )
    // What an earlier try stored, though it seemed to fail, is ours too.
    const stored = again ? await readRequestIds(db, rows) : []
    const ids = new Set([...added, ...stored].map((row) => row.request_id))
    return ({ request_id }) => (ids.has(request_id) ? 'added' : 'present')
  }

function readRequestIds(db: Kysely<Tables>, rows: readonly Subscriber[]) {
  const keys = rows.map((row) => row.email_key)
  return db.selectFrom('subscribers').select('request_id').where('email_key', 'in', keys).execute()
}

// Every enquiry has a key, so a commit that is tried again never stores one twice.
const addEnquiries =
  (ways: readonly Way[]) =>
  (db: Kysely<Tables>): Commit<EnquiryRow, 'stored' | 'key-reused'> =>
  async (rows) => {
    const added = await insertNew(db, 'enquiry', ways, (db) =>
      db
        .insertInto('enquiries')
        .values(inOrder(firstOfEach(rows, 'idempotency_key'), 'idempotency_key'))
        // As for subscribers: an enquiry may be there and not on the standby yet.
        .onConflict((conflict) =>
          conflict
            .column('idempotency_key')
            .doUpdateSet((row) => ({ idempotency_key: row.ref('excluded.idempotency_key') }))
            .where((row) => row.lit(false)),
        )
        .returning(keyAnd('idempotency_key', ways)),
    )
    const keys = new Set(added.map((row) => row.idempotency_key))
    const fresh = new Set(rows.filter((row) => keys.delete(row.idempotency_key)))
    const repeats = rows.filter((row) => !fresh.has(row)).map((row) => row.idempotency_key)
    const stored = repeats.length === 0 ? [] : await readEnquiries(db, repeats)
    const storedByKey = new Map(stored.map((row) => [row.idempotency_key, row]))
    return (row) =>
      fresh.has(row) || isSameEnquiry(row, storedByKey.get(row.idempotency_key)) ? 'stored' : 'key-reused'
  }

const readEnquiries = (db: Kysely<Tables>, keys: string[]) =>
  db.selectFrom('enquiries').selectAll().where('idempotency_key', 'in', keys).execute()

const isSameEnquiry = (one: EnquiryRow, other: EnquiryRow | undefined) =>
  one.first_name === other?.first_name &&
  one.last_name === other.last_name &&
  one.email === other.email &&
  one.message === other.message

const writeReadiness =
  (db: Kysely<Tables>): Commit<string, 'ready'> =>
  async ([checked_at = now()]) => {
    await db
      .insertInto('readiness')
      .values({ id: 1, checked_at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ checked_at }))
      .execute()
    // A table that is gone, or can't be read, takes nothing either.
    for (const table of ['subscribers', 'enquiries'] as const) {
      await db.selectFrom(table).select('id').limit(1).execute()
    }
    return () => 'ready'
  }

/** PostgreSQL refuses a statement that would lock a row that it has inserted. */
const firstOfEach = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Row[] => [
  ...new Map(rows.toReversed().map((row) => [row[key], row])).values(),
]

/** Statements of several servers that take their keys in one order can't wait for each other in a circle. */
const inOrder = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Row[] =>
  rows.toSorted((one, other) => (one[key] < other[key] ? -1 : one[key] > other[key] ? 1 : 0))
