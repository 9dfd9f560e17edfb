import type { Channel, Database } from '../../../server/storage/database.ts'
import type { CommitEvents } from '../../../server/storage/group-commit.ts'
import { LIMITS, sqlStore } from '../../../server/storage/sql-store.ts'
import type { Store } from '../../../server/storage/store.ts'
import { ignoredEvents } from '../ignored-events.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'

type Options = {
  readonly channels?: readonly Channel[]
  readonly events?: CommitEvents
  /** Milliseconds after which the store refuses what waits; unless a test is about that, no busy machine reaches them. */
  readonly timeoutMs?: number
}

export const makeStore = (
  database: Database,
  { channels, events = ignoredEvents, timeoutMs = WAIT_TIMEOUT }: Options = {},
): Store => sqlStore(database, events, channels, { ...LIMITS, timeoutMs })
