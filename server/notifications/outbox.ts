import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Timers } from '../../src/domain/ports.ts'
import type { Database, Way } from '../storage/database.ts'
import { groupCommit } from '../storage/group-commit.ts'
import type { Notice } from '../storage/outbox-rows.ts'
import { claim, type Event, type Lease, renew, type Settlement, settle, withLeads } from '../storage/outbox-rows.ts'
import type { Report, Sender, Senders } from './sender.ts'

/** Events of one way that are sent at the same time. */
const WIDTH = 8

/** Milliseconds from one look for what is due to the next. */
const POLL = 1000

/** Milliseconds after which the work of a server that is gone is taken over; one that is there renews its lease. */
const LEASE = 10_000

/** The longest pause between two tries, in milliseconds; after it nothing is tried by itself. */
const LONGEST_DELAY = 86_400_000

/** Milliseconds that what is under way gets to end when the outbox stops; the rest is left to whoever comes next. */
const GRACE = 3000

/** A settlement waits for a database that is away, so that what was taken is not sent again. */
const SETTLING = { length: 1000, batch: 1000, age: 600_000, pause: 500 }

export type OutboxEvents = {
  /** Every try and what came back; `over` if there will be no other. */
  tried(way: Way, report: Report, over: boolean): void
}

export type Clock = Pick<Timers, 'every'> & {
  /** In milliseconds since 1970. */
  now(): number
  /** From 0 to 1. */
  random(): number
}

export type Outbox = {
  /** Looks for what is due now; for after a commit. */
  wake(): void
  /** Notifications that are being sent, or whose outcome is not written down yet. */
  inFlight(): number
  /** Claims nothing any more, and lets what is in flight end, up to a limit; the rest is left to whoever comes next. */
  stop(): Promise<void>
}

type Lane = {
  readonly way: Way
  readonly send: Sender
  /** By the event's number. */
  readonly underWay: Map<number, Promise<void>>
}

const CLOCK: Clock = {
  now: Date.now,
  random: Math.random,
  every(interval, run) {
    const timer = setInterval(run, interval).unref()
    return () => clearInterval(timer)
  },
}

/** Sends the events that the database holds, each at least once, as many servers as use the database. Nobody waits for it. */
export function startOutbox(
  database: Database,
  senders: Senders,
  firstDelay: number,
  events: OutboxEvents,
  clock = CLOCK,
): Outbox {
  const locked_by = randomUUID()
  const lanes: Lane[] = [...senders].map(([way, send]) => ({ way, send, underWay: new Map() }))
  const settlements = groupCommit<Settlement, null>(settleAll, SETTLING, { committed() {}, failed() {}, refused() {} })
  let turn: Promise<unknown> = Promise.resolve()
  let work: Promise<void> | null = null
  let asked = false
  let stopped = false
  let abandoned = false
  let renewed = 0

  /** One statement at a time, so that visitors' statements find the other connections free. */
  const run: Database['run'] = (statements) => {
    const answer = turn.then(() => database.run(statements))
    turn = answer.catch(() => {})
    return answer
  }

  async function settleAll(items: readonly Settlement[]) {
    if (!abandoned) await run((db) => settle(db, items, locked_by))
    return () => null
  }

  const timeIn = (ms: number) => new Date(clock.now() + ms).toISOString()

  const leaseFor = (ms: number): Lease => ({ lease_until: timeIn(ms), locked_by })

  const idsUnderWay = () => lanes.flatMap(({ underWay }) => [...underWay.keys()])

  function wake() {
    asked = true
    work ??= lookAround()
  }

  async function lookAround() {
    while (asked && !stopped) {
      asked = false
      // A database that is away is asked again by the next look.
      await renewLeases()
        .then(claimAll)
        .catch(() => {})
    }
    work = null
  }

  async function renewLeases() {
    const ids = idsUnderWay()
    if (ids.length === 0 || clock.now() - renewed < LEASE / 4) return
    renewed = clock.now()
    await run((db) => renew(db, ids, leaseFor(LEASE)))
  }

  async function claimAll() {
    for (const lane of lanes) {
      const room = WIDTH - lane.underWay.size
      if (room === 0) continue
      const claimed = await run(async (db) => {
        const due = await claim(db, lane.way, room, timeIn(0), leaseFor(LEASE))
        return due.length > 0 ? withLeads(db, due) : []
      })
      if (stopped) return
      // A lease may have ended while the database was away, though its event is still being sent here.
      for (const [event, notice] of claimed) {
        if (!lane.underWay.has(event.id)) lane.underWay.set(event.id, deliver(lane, event, notice))
      }
    }
  }

  async function deliver({ way, send, underWay }: Lane, event: Event, notice: Notice | null) {
    const report = notice && (await send(notice))
    const change = report === null || report.taken ? null : changeAfter(event, report)
    if (report) events.tried(way, report, change?.state !== 'pending')
    await settlements.add({ id: event.id, change })
    underWay.delete(event.id)
    wake()
  }

  function changeAfter({ attempts }: Event, { said }: Report): Settlement['change'] {
    const delay = firstDelay * 2 ** attempts
    // Those that failed together do not come back together.
    const due_at = timeIn(Math.min(delay * (0.75 + clock.random() / 2), LONGEST_DELAY))
    return { attempts: attempts + 1, state: delay > LONGEST_DELAY ? 'failed' : 'pending', due_at, last_error: said }
  }

  const stopPolling = clock.every(POLL, wake)
  wake()
  return {
    wake,
    inFlight: () => idsUnderWay().length,
    async stop() {
      stopped = true
      stopPolling()
      await work
      const ends = Promise.all(lanes.flatMap(({ underWay }) => [...underWay.values()]))
      await Promise.race([ends, setTimeout(GRACE, undefined, { ref: false })])
      abandoned = true
      const left = idsUnderWay()
      if (left.length > 0) await run((db) => renew(db, left, leaseFor(0))).catch(() => {})
    },
  }
}
