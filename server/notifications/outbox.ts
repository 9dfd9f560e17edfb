import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Channel, Database } from '../storage/database.ts'
import {
  type Attempt,
  claim,
  type LeadEvent,
  type Lease,
  type OutboxRow,
  recordAttempt,
  releaseLeases,
  renewLeases,
  withLeads,
} from '../storage/outbox-rows.ts'
import type { DeliveryResult, Sender, Senders } from './delivery.ts'

/** Events that are sent at the same time, for each channel. */
const MAX_CONCURRENT = 8

/** Nothing wakes the outbox: what it writes tells nobody whether a lead was new. */
const POLL_MS = 1000

/** After it another server takes over the work of one that is gone; one that runs renews its leases. */
const LEASE_MS = 10_000

/** Between servers. A lease that ends later was taken under a clock that was far ahead. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000

/** The longest pause between two attempts: an event that fails after it is not retried automatically. */
const MAX_DELAY_MS = 86_400_000

/** For deliveries in flight when the outbox stops; what has not ended by then is left to the next server. */
const GRACE_MS = 3000

/** While the database is away, an attempt waits to be recorded, so that nothing delivered is sent again. */
const RECORD_RETRY_MS = 500

export type OutboxEvents = {
  /** Every attempt and its result; `final` if there will be no other. */
  attempted(channel: Channel, result: DeliveryResult, final: boolean): void
}

export type Clock = {
  /** In milliseconds since 1970. */
  now(): number
  /** Resolves after that time, or when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  /** From 0 to 1. */
  random(): number
}

export type Outbox = {
  /** Begins to send. Until then nothing is claimed. */
  start(): void
  /** How many events are being sent, or wait for their attempt to be recorded. */
  inFlight(): number
  /** Claims nothing more, and waits a limited time for what is in flight; the rest is left to the next server. */
  stop(): Promise<void>
}

const CLOCK: Clock = {
  now: Date.now,
  random: Math.random,
  pause: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => {}),
}

/** Sends the events in the database at least once each, however many servers share it. No visitor waits for it. */
export function createOutbox(
  database: Database,
  senders: Senders,
  firstDelayMs: number,
  events: OutboxEvents,
  clock = CLOCK,
): Outbox {
  const locked_by = randomUUID()
  /** The ids of the rows. */
  const inFlight = new Set<number>()
  /** Ends what claims, and then what records. */
  const [stopping, stopped] = [new AbortController(), new AbortController()]
  let work: Promise<unknown> = Promise.resolve()

  const fromNow = (ms: number) => new Date(clock.now() + ms).toISOString()
  const newLease = (): Lease => ({ lease_until: fromNow(LEASE_MS), locked_by })

  /** Sends what is due on a channel, until the outbox stops and all that it has sent is recorded. */
  async function sendDue(channel: Channel, send: Sender) {
    const deliveries = new Set<Promise<void>>()
    while (!stopping.signal.aborted) {
      const capacity = MAX_CONCURRENT - deliveries.size
      // If the database is away, the next poll tries again.
      const claimed = await claimDue(channel, capacity).catch(() => [])
      if (stopping.signal.aborted) break
      for (const [row, event] of claimed) {
        const delivery = deliver(channel, send, row, event).finally(() => deliveries.delete(delivery))
        deliveries.add(delivery)
      }
      if (claimed.length < capacity) await clock.pause(POLL_MS, stopping.signal)
      // There may be more, and room for it: deliveries also end during a claim.
      else if (deliveries.size === MAX_CONCURRENT) await Promise.race(deliveries)
    }
    await Promise.all(deliveries)
  }

  async function claimDue(channel: Channel, capacity: number) {
    const times = { now: fromNow(0), latestLease: fromNow(LEASE_MS + MAX_CLOCK_DIFFERENCE_MS) }
    const claimed = await database.run(async (db) => {
      const due = await claim(db, channel, capacity, times, newLease())
      return due.length > 0 ? withLeads(db, due) : []
    })
    // If a lease ended while the database was away, its event may still be in flight here.
    return claimed.filter(([row]) => !inFlight.has(row.id))
  }

  async function deliver(channel: Channel, send: Sender, row: OutboxRow, event: LeadEvent | null) {
    inFlight.add(row.id)
    const result = event && (await send(event))
    const retry = result === null || result.delivered ? null : retryAfter(row, result)
    if (result) events.attempted(channel, result, retry?.state !== 'pending')
    await record({ id: row.id, retry })
    inFlight.delete(row.id)
  }

  function retryAfter({ attempts }: OutboxRow, { code }: DeliveryResult): Attempt['retry'] {
    const delay = firstDelayMs * 2 ** attempts
    // Random, so that events that failed together are not retried together.
    const due_at = fromNow(Math.min(delay * (0.75 + clock.random() / 2), MAX_DELAY_MS))
    return { attempts: attempts + 1, state: delay > MAX_DELAY_MS ? 'failed' : 'pending', due_at, last_error: code }
  }

  async function record(attempt: Attempt) {
    while (!stopped.signal.aborted) {
      try {
        return await database.run((db) => recordAttempt(db, attempt, locked_by))
      } catch {
        await clock.pause(RECORD_RETRY_MS, stopped.signal)
      }
    }
  }

  async function keepLeases() {
    while (!stopped.signal.aborted) {
      await clock.pause(LEASE_MS / 4, stopped.signal)
      if (inFlight.size > 0) await database.run((db) => renewLeases(db, [...inFlight], newLease())).catch(() => {})
    }
  }

  return {
    start() {
      work = Promise.all([...senders].map(([channel, send]) => sendDue(channel, send)))
      if (senders.size > 0) void keepLeases()
    },
    inFlight: () => inFlight.size,
    async stop() {
      stopping.abort()
      await Promise.race([work, setTimeout(GRACE_MS, undefined, { ref: false })])
      stopped.abort()
      if (senders.size > 0) await database.run((db) => releaseLeases(db, locked_by)).catch(() => {})
    },
  }
}
