import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { Enquiry } from '../../src/domain/enquiry.ts'
import type { Channel, Database, NoColumns, Tables } from './database.ts'
import { type CommitEvents, groupCommit, type Limits } from './group-commit.ts'
import { type EnquiryRow, type Item, type Stored, storeItems } from './lead-rows.ts'
import type { Store } from './store.ts'

/** The 1,000 rows of a statement need far less than the 32,766 parameters of SQLite. The page waits ten seconds. */
export const LIMITS: Limits = { maxQueue: 4000, maxBatch: 1000, timeoutMs: 5000, retryDelayMs: 50 }

/**
 * A store whose statements SQLite and PostgreSQL both take. New leads leave messages for `channels`. Closing it closes
 * the database.
 */
export function sqlStore(
  database: Database,
  events: CommitEvents,
  channels: readonly Channel[] = [],
  limits = LIMITS,
): Store {
  function commit(items: readonly Item[], isRetry: boolean) {
    const store = (db: Kysely<Tables>) => storeItems(db, items, isRetry, channels)
    // A single statement is a transaction of its own, in two round trips less.
    const isOneStatement = channels.length === 0 && items.every(({ kind }) => kind === 'subscriber')
    return database.run((db) => (isOneStatement ? store(db) : db.transaction().execute(store)))
  }

  const queue = groupCommit<Item, Stored>(commit, limits, events)
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
