import type { Channel, Database } from '../../../server/storage/database.ts'
import { LIMITS, sqlStore } from '../../../server/storage/sql-store.ts'
import type { Store } from '../../../server/storage/store.ts'
import { ignoredEvents } from '../ignored-events.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'

type Options = {
  readonly channels?: readonly Channel[]
  readonly queueEvents?: Parameters<typeof sqlStore>[1]
  /** Milliseconds after which the store refuses what waits; unless a test is about that, no busy machine reaches them. */
  readonly timeoutMs?: number
}

export const makeStore = (
  database: Database,
  { channels, queueEvents = () => ignoredEvents, timeoutMs = WAIT_TIMEOUT }: Options = {},
): Store => sqlStore(database, queueEvents, channels, { ...LIMITS, timeoutMs })
