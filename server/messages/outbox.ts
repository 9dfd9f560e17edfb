import { setTimeout } from 'node:timers/promises'
import type { Channel, Database } from '../storage/database.ts'
import {
  claimDue,
  deleteMessage,
  MAX_DELAY_MS,
  type Message,
  type OutboxRow,
  recordFailure,
} from '../storage/outbox-rows.ts'
import type { DeliveryResult, Sender, Senders } from './delivery.ts'

/** The most messages of a channel that a server sends at the same time; the next follow when all of them have ended. */
const BATCH = 8

/** How often the outbox looks for messages. */
const POLL_MS = 1000

/** Is called with the result of every attempt; `isFinal`: there will be no other attempt. */
export type OnAttempt = (channel: Channel, result: DeliveryResult, isFinal: boolean) => void

export type Outbox = ReturnType<typeof startOutbox>

/**
 * Sends the messages in the database, each at least once. Any number of servers share the work: a message is claimed by
 * one of them, and the claim of a server that was killed or hangs ends by itself. No visitor waits for this.
 */
export function startOutbox(database: Database, senders: Senders, firstDelayMs: number, onAttempt: OnAttempt) {
  const stopping = new AbortController()
  let inFlight = 0

  /** Sends the messages of one channel, so that a slow receiver delays only its own messages. */
  async function sendAll([channel, send]: [Channel, Sender]) {
    while (!stopping.signal.aborted) {
      // While the database is unavailable, the next look tries again.
      const claimed = await database.run((db) => claimDue(db, channel, BATCH)).catch(() => [])
      await Promise.all(claimed.map(({ row, message }) => attempt(channel, send, row, message)))
      if (claimed.length < BATCH) await setTimeout(POLL_MS, null, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** `message` is null if its lead was erased. What can't be recorded is sent again when its claim has ended. */
  async function attempt(channel: Channel, send: Sender, row: OutboxRow, message: Message | null) {
    inFlight += 1
    const result = message && (await send(message))
    const delayMs = delayAfter(row.attempts)
    if (result) onAttempt(channel, result, result.delivered || delayMs === null)
    const isDone = result === null || result.delivered
    await database
      .run((db) => (isDone ? deleteMessage(db, row) : recordFailure(db, row, delayMs, result.code)))
      .catch(() => {})
    inFlight -= 1
  }

  /** The pause until the next attempt, which doubles with each failure; null if there is no other attempt. */
  function delayAfter(attempts: number): number | null {
    const delayMs = firstDelayMs * 2 ** (attempts - 1)
    if (delayMs > MAX_DELAY_MS) return null
    // It is partly random, so that messages that failed together are not retried together.
    return Math.min(delayMs * (0.75 + Math.random() / 2), MAX_DELAY_MS)
  }

  const loops = Promise.all([...senders].map(sendAll))
  return {
    /** How many messages are being sent, or wait for their attempt to be recorded. */
    inFlight: () => inFlight,
    /** Begins no delivery, and waits for those in flight. An unfinished one is repeated after its claim. */
    async stop() {
      stopping.abort()
      await loops
    },
  }
}
