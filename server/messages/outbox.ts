import { setTimeout } from 'node:timers/promises'
import type { Channel, Database } from '../storage/database.ts'
import { type Message, type OutboxRow, type Retry, readDue, recordAttempt } from '../storage/outbox-rows.ts'
import type { SenderLock } from '../storage/sender-lock.ts'
import type { DeliveryResult, Sender, Senders } from './delivery.ts'

/** The most messages of a channel that are sent at the same time; the next follow when all of them have ended. */
const BATCH = 8

/**
 * How often the outbox looks for messages. No commit wakes it, which would slow the next call, and so tell whether the
 * lead was new.
 */
const POLL_MS = 1000

/** The longest pause between two attempts: a message that would have to wait longer is not retried automatically. */
const MAX_DELAY_MS = 86_400_000

/** How long deliveries in flight have when the outbox stops; the next sender repeats what has not ended by then. */
const GRACE_MS = 3000

/** How often recording an attempt is tried while the database is unavailable: unrecorded, its message is sent again. */
const RECORD_RETRY_MS = 500

export type OutboxEvents = {
  /** Tells of every attempt and its result; `final` says that there will be no other. */
  attempted(channel: Channel, result: DeliveryResult, final: boolean): void
}

const CLOCK = {
  now: Date.now,
  random: Math.random,
  /** Resolves after that time, or when the signal is aborted. */
  pause: (ms: number, signal?: AbortSignal): Promise<void> =>
    setTimeout(ms, undefined, { signal, ref: false }).catch(() => {}),
}

export type Clock = typeof CLOCK
export type Outbox = ReturnType<typeof startOutbox>

/** Sends the messages in the database at least once each while it holds the lock. No visitor waits for it. */
export function startOutbox(
  database: Database,
  lock: SenderLock,
  senders: Senders,
  firstDelayMs: number,
  events: OutboxEvents,
  clock: Clock = CLOCK,
) {
  const stopping = new AbortController()
  let inFlight = 0

  async function keepLock() {
    while (!stopping.signal.aborted) {
      await lock.keep()
      await clock.pause(POLL_MS, stopping.signal)
    }
  }

  /** Sends the messages of one channel, so that a slow receiver holds up its own alone. */
  async function sendAll([channel, send]: [Channel, Sender]) {
    const read = () => database.run((db) => readDue(db, channel, fromNow(0), BATCH))
    while (!stopping.signal.aborted) {
      // While the database is unavailable, the next look tries again.
      const due = lock.isHeld() ? await read().catch(() => []) : []
      await Promise.all(due.map(({ row, message }) => attempt(channel, send, row, message)))
      if (due.length < BATCH) await clock.pause(POLL_MS, stopping.signal)
    }
  }

  async function attempt(channel: Channel, send: Sender, row: OutboxRow, message: Message | null) {
    // The lock may have been lost since the row was read.
    if (stopping.signal.aborted || !lock.isHeld()) return
    inFlight += 1
    const result = message && (await send(message))
    const retry = result === null || result.delivered ? null : retryAfter(row, result)
    if (result) events.attempted(channel, result, retry?.state !== 'pending')
    const record = () => database.run((db) => recordAttempt(db, row.id, retry)).then(() => true)
    while (!(await record().catch(() => false))) await clock.pause(RECORD_RETRY_MS)
    inFlight -= 1
  }

  function retryAfter({ attempts }: OutboxRow, { code }: DeliveryResult): Retry {
    const delay = firstDelayMs * 2 ** attempts
    // The delay is partly random, so that messages that failed together are not retried together.
    const due_at = fromNow(Math.min(delay * (0.75 + clock.random() / 2), MAX_DELAY_MS))
    return { attempts: attempts + 1, state: delay > MAX_DELAY_MS ? 'failed' : 'pending', due_at, last_error: code }
  }

  const fromNow = (ms: number) => new Date(clock.now() + ms).toISOString()

  // A server without channels leaves the lock to another one.
  if (senders.size > 0) void keepLock()
  const work = Promise.all([...senders].map(sendAll))
  return {
    /** How many messages are being sent, or wait for their attempt to be recorded. */
    inFlight: () => inFlight,
    /** Begins no delivery, and waits a limited time for those in flight. */
    async stop() {
      stopping.abort()
      await Promise.race([work, clock.pause(GRACE_MS)])
      lock.release()
    },
  }
}
