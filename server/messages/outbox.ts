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

/** How long a claim lasts: longer than any delivery. After it another server may send the message. */
export const CLAIM_MS: Readonly<Record<Channel, number>> = { webhook: 30_000, mail: 120_000 }

/** How long deliveries in flight may take when the outbox stops. An unfinished delivery is repeated after its claim. */
const GRACE_MS = 3000

/** The pause between tries to record an attempt in an unavailable database. Unrecorded, a message is sent again. */
const RECORD_RETRY_MS = 500

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
    const claim = () => database.run((db) => claimDue(db, channel, CLAIM_MS[channel], BATCH))
    while (!stopping.signal.aborted) {
      // While the database is unavailable, the next look tries again.
      const claimed = await claim().catch(() => [])
      await Promise.all(claimed.map(({ row, message }) => attempt(channel, send, row, message)))
      if (claimed.length < BATCH) await setTimeout(POLL_MS, null, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function attempt(channel: Channel, send: Sender, row: OutboxRow, message: Message | null) {
    inFlight += 1
    // Null if the lead was erased.
    const result = message && (await send(message))
    const delayMs = delayAfter(row.attempts)
    if (result) onAttempt(channel, result, result.delivered || delayMs === null)
    await record((db) =>
      result === null || result.delivered ? deleteMessage(db, row) : recordFailure(db, row, delayMs, result.code),
    )
    inFlight -= 1
  }

  async function record(change: Parameters<typeof database.run<void>>[0]): Promise<void> {
    for (;;) {
      try {
        return await database.run(change)
      } catch {
        await setTimeout(RECORD_RETRY_MS)
      }
    }
  }

  /** The pause until the next attempt, which doubles with each failure; null if there is no other attempt. */
  function delayAfter(failures: number): number | null {
    const delayMs = firstDelayMs * 2 ** failures
    if (delayMs > MAX_DELAY_MS) return null
    // It is partly random, so that messages that failed together are not retried together.
    return Math.min(delayMs * (0.75 + Math.random() / 2), MAX_DELAY_MS)
  }

  const loops = Promise.all([...senders].map(sendAll))
  return {
    /** How many messages are being sent, or wait for their attempt to be recorded. */
    inFlight: () => inFlight,
    /** Begins no delivery, and waits a limited time for those in flight. */
    async stop() {
      stopping.abort()
      await Promise.race([loops, setTimeout(GRACE_MS)])
    },
  }
}
