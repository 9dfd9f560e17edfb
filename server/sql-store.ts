import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from './database.ts'
import { type Commit, groupCommit, type Limits } from './group-commit.ts'
import type { Store } from './store.ts'

// One statement a commit: 1,000 rows stay far below the 32,766 parameters that SQLite takes.
const LIMITS: Limits = { length: 4000, batch: 1000, age: 1500, pause: 20 }

/** A store on a database of ours, in statements that SQLite and PostgreSQL both know. It closes the database. */
export function sqlStore(db: Kysely<Tables>, report: (cause: unknown) => void): Store {
  const subscribers = groupCommit(addSubscribers(db), LIMITS, report)
  const enquiries = groupCommit(addEnquiries(db), LIMITS, report)
  return {
    addSubscriber: (email) => subscribers.add({ email_key: email.toLowerCase(), email, created_at: now() }),
    addEnquiry: ({ first, last, email, message }, key) =>
      enquiries.add({
        idempotency_key: key?.toLowerCase() ?? randomUUID(),
        first_name: first,
        last_name: last,
        email,
        message,
        created_at: now(),
      }),
    async close() {
      await Promise.all([subscribers.drained(), enquiries.drained()])
      await db.destroy()
    },
  }
}

const now = () => new Date().toISOString()

const addSubscribers =
  (db: Kysely<Tables>): Commit<Tables['subscribers'], 'added' | 'present'> =>
  async (rows) => {
    const added = await db
      .insertInto('subscribers')
      .values(rows)
      .onConflict((conflict) => conflict.column('email_key').doNothing())
      .returning('email_key')
      .execute()
    const keys = new Set(added.map((row) => row.email_key))
    // Equal addresses of one commit: the first takes the key, the others find it gone.
    return (row) => (keys.delete(row.email_key) ? 'added' : 'present')
  }

// Every enquiry has a key, so a commit that is tried again never stores one twice.
const addEnquiries =
  (db: Kysely<Tables>): Commit<Tables['enquiries'], 'stored' | 'key-reused'> =>
  async (rows) => {
    const added = await db
      .insertInto('enquiries')
      .values(rows)
      .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
      .returning('idempotency_key')
      .execute()
    const keys = new Set(added.map((row) => row.idempotency_key))
    const fresh = new Set(rows.filter((row) => keys.delete(row.idempotency_key)))
    const repeats = rows.filter((row) => !fresh.has(row)).map((row) => row.idempotency_key)
    const stored = repeats.length === 0 ? [] : await readEnquiries(db, repeats)
    const storedByKey = new Map(stored.map((row) => [row.idempotency_key, row]))
    return (row) =>
      fresh.has(row) || isSameEnquiry(row, storedByKey.get(row.idempotency_key)) ? 'stored' : 'key-reused'
  }

const readEnquiries = (db: Kysely<Tables>, keys: string[]) =>
  db
    .selectFrom('enquiries')
    .select(['idempotency_key', 'first_name', 'last_name', 'email', 'message', 'created_at'])
    .where('idempotency_key', 'in', keys)
    .execute()

const isSameEnquiry = (one: Tables['enquiries'], other: Tables['enquiries'] | undefined) =>
  one.first_name === other?.first_name &&
  one.last_name === other.last_name &&
  one.email === other.email &&
  one.message === other.message
