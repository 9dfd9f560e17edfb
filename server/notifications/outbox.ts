import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Channel, Database } from '../storage/database.ts'
import { groupCommit } from '../storage/group-commit.ts'
import {
  type Attempt,
  claim,
  type LeadEvent,
  type Lease,
  type OutboxRow,
  recordAttempts,
  releaseLeases,
  renewLeases,
  withLeads,
} from '../storage/outbox-rows.ts'
import { serialize } from '../storage/serialize.ts'
import type { DeliveryResult, Sender, Senders } from './delivery.ts'

/** Events that are sent at the same time, for each channel. */
const MAX_CONCURRENT = 8

const POLL_MS = 1000

/** After it another server takes over the work of one that is gone; one that runs renews its leases. */
const LEASE_MS = 10_000

/** The longest pause between two attempts: an event that fails after it is not retried automatically. */
const MAX_DELAY_MS = 86_400_000

/** For deliveries in flight when the outbox stops; what has not ended by then is left to the next server. */
const GRACE_MS = 3000

/** Attempts wait to be recorded while the database is away, so that nothing delivered is sent again. */
const RECORD_LIMITS = { maxQueue: 1000, maxBatch: 1000, maxAgeMs: 600_000, retryDelayMs: 500 }

export type OutboxEvents = {
  /** Every attempt and its result; `final` if there will be no other. */
  attempted(channel: Channel, result: DeliveryResult, final: boolean): void
}

export type Clock = {
  /** In milliseconds since 1970. */
  now(): number
  /** Runs something again and again, with pauses of `ms`, until the returned function is called. */
  every(ms: number, run: () => void): () => void
  /** From 0 to 1. */
  random(): number
}

export type Outbox = {
  /** Begins to send. Until then nothing is claimed. */
  start(): void
  /** Polls now, for example after a commit. */
  wake(): void
  /** How many events are being sent, or wait for their attempt to be recorded. */
  inFlight(): number
  /** Claims nothing more, and waits a limited time for what is in flight; the rest is left to the next server. */
  stop(): Promise<void>
}

type Worker = {
  readonly channel: Channel
  readonly send: Sender
  /** By the row's id. */
  readonly inFlight: Map<number, Promise<void>>
}

const CLOCK: Clock = {
  now: Date.now,
  random: Math.random,
  every(ms, run) {
    const timer = setInterval(run, ms).unref()
    return () => clearInterval(timer)
  },
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
  const workers: Worker[] = [...senders].map(([channel, send]) => ({ channel, send, inFlight: new Map() }))
  const records = groupCommit<Attempt, null>(recordAll, RECORD_LIMITS, { committed() {}, failed() {}, refused() {} })
  // One statement at a time, so that the other connections stay free for visitors' statements.
  const inSequence = serialize()
  const run: Database['run'] = (statements) => inSequence(() => database.run(statements))
  let polling: Promise<void> | null = null
  let stopPolling: (() => void) | null = null
  let mustPoll = false
  let stopped = false
  let abandoned = false
  let renewedAt = 0

  async function recordAll(attempts: readonly Attempt[]) {
    if (!abandoned) await run((db) => recordAttempts(db, attempts, locked_by))
    return () => null
  }

  const fromNow = (ms: number) => new Date(clock.now() + ms).toISOString()

  const leaseFor = (ms: number): Lease => ({ lease_until: fromNow(ms), locked_by })

  const idsInFlight = () => workers.flatMap(({ inFlight }) => [...inFlight.keys()])

  function wake() {
    if (!stopPolling) return
    mustPoll = true
    polling ??= poll()
  }

  async function poll() {
    while (mustPoll && !stopped) {
      mustPoll = false
      // The next poll tries again if the database is away.
      await keepLeases()
        .then(claimAll)
        .catch(() => {})
    }
    polling = null
  }

  async function keepLeases() {
    const ids = idsInFlight()
    if (ids.length === 0 || clock.now() - renewedAt < LEASE_MS / 4) return
    renewedAt = clock.now()
    await run((db) => renewLeases(db, ids, leaseFor(LEASE_MS)))
  }

  async function claimAll() {
    for (const worker of workers) {
      const capacity = MAX_CONCURRENT - worker.inFlight.size
      if (capacity === 0) continue
      const claimed = await run(async (db) => {
        const due = await claim(db, worker.channel, capacity, fromNow(0), leaseFor(LEASE_MS))
        return due.length > 0 ? withLeads(db, due) : []
      })
      if (stopped) return
      // If a lease ended while the database was away, its event may still be in flight here.
      for (const [row, event] of claimed) {
        if (!worker.inFlight.has(row.id)) worker.inFlight.set(row.id, deliver(worker, row, event))
      }
    }
  }

  async function deliver({ channel, send, inFlight }: Worker, row: OutboxRow, event: LeadEvent | null) {
    const result = event && (await send(event))
    const retry = result === null || result.delivered ? null : retryAfter(row, result)
    if (result) events.attempted(channel, result, retry?.state !== 'pending')
    await records.add({ id: row.id, retry })
    inFlight.delete(row.id)
    wake()
  }

  function retryAfter({ attempts }: OutboxRow, { code }: DeliveryResult): Attempt['retry'] {
    const delay = firstDelayMs * 2 ** attempts
    // Random, so that events that failed together are not retried together.
    const due_at = fromNow(Math.min(delay * (0.75 + clock.random() / 2), MAX_DELAY_MS))
    return { attempts: attempts + 1, state: delay > MAX_DELAY_MS ? 'failed' : 'pending', due_at, last_error: code }
  }

  return {
    start() {
      stopPolling = clock.every(POLL_MS, wake)
      wake()
    },
    wake,
    inFlight: () => idsInFlight().length,
    async stop() {
      stopped = true
      stopPolling?.()
      await polling
      const ends = Promise.all(workers.flatMap(({ inFlight }) => [...inFlight.values()]))
      await Promise.race([ends, setTimeout(GRACE_MS, undefined, { ref: false })])
      abandoned = true
      if (workers.length > 0) await run((db) => releaseLeases(db, locked_by)).catch(() => {})
    },
  }
}
