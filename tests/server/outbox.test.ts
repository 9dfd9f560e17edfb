import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DeliveryResult, Sender } from '../../server/notifications/delivery.ts'
import { type Clock, createOutbox } from '../../server/notifications/outbox.ts'
import type { Database } from '../../server/storage/database.ts'
import { claim, retryAll } from '../../server/storage/outbox-rows.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { makeStore } from '../support/server/make-store.ts'
import { query } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

const FIRST_DELAY_MS = 30_000
const DAY = 86_400_000
const DELIVERED: DeliveryResult = { delivered: true, code: 'HTTP 204' }
const FAILED: DeliveryResult = { delivered: false, code: 'HTTP 503' }

/** Time that stands still but in `advance`; pauses are short. */
function createClock(random = 0.5) {
  let now = Date.now()
  let pauses = 0
  return {
    now: () => now,
    random: () => random,
    async pause(_, signal) {
      pauses += 1
      await setTimeout(2, undefined, { signal }).catch(() => {})
    },
    advance(ms: number) {
      now += ms
    },
    /** Until the outbox has looked around at least once since. */
    async polled() {
      // Of the two loops that pause, one may do so three times while the other one works.
      for (const before = pauses; pauses < before + 10; ) await setTimeout(1)
    },
  } satisfies Clock & Record<string, unknown>
}

let sandbox: TestDatabase
let database: Database
const stops: (() => Promise<void>)[] = []

async function useDatabase(kind: (typeof DATABASES)[number]) {
  sandbox = await makeDatabase(kind)
  database = await sandbox.open()
}
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await database.close()
  await sandbox.remove()
})

const events = () => sandbox.rows('outbox')

const isEmpty = async () => (await events()).length === 0

const subscribe = (email = 'visitor@example.com') => makeStore(database, { channels: ['webhook'] }).addSubscriber(email)

function startWith(send: Sender, clock = createClock(), attempted = vi.fn(), through = database) {
  const { start, stop } = createOutbox(through, new Map([['webhook', send]]), FIRST_DELAY_MS, { attempted }, clock)
  start()
  stops.push(stop)
  return stop
}

/** An outbox that is sending, `later` than now, until its receiver answers. */
async function startSending(later = 0, through = database) {
  const clock = createClock()
  const { promise, resolve } = Promise.withResolvers<DeliveryResult>()
  const send = vi.fn(() => promise)
  clock.advance(later)
  const stop = startWith(send, clock, vi.fn(), through)
  await until(() => send.mock.calls.length === 1)
  return { clock, answer: resolve, stop, send }
}

/** The database behind a link that may be down. */
const behind = (link: { readonly isUp: boolean }): Database => ({
  ...database,
  run: (statements) => (link.isUp ? database.run(statements) : Promise.reject(new Error('away'))),
})

describe.each(DATABASES)('on %s', (kind) => {
  beforeEach(() => useDatabase(kind))

  test('a lead whose event can not be written is not stored, and not acknowledged', async () => {
    await database.run((db) => sql`alter table outbox rename to elsewhere`.execute(db))
    const store = makeStore(database, { channels: ['webhook'], timeoutMs: 1000 })
    const answers = [store.addSubscriber('visitor@example.com'), store.addEnquiry(anEnquiry(), null)]
    expect(await Promise.all(answers)).toEqual(['unavailable', 'unavailable'])
    expect([await sandbox.rows('subscribers'), await sandbox.rows('enquiries')]).toEqual([[], []])
  })

  test('a server that is gone is taken over when its lease ends, not before; one that is there keeps its work', async () => {
    await subscribe()
    const link = { isUp: true }
    const gone = await startSending(0, behind(link))
    const others = createClock()
    const send = vi.fn(async () => DELIVERED)
    startWith(send, others)
    const lease = async () => (await events())[0]?.lease_until ?? ''
    for (let second = 0; second < 15; second += 5) {
      const before = await lease()
      gone.clock.advance(5000)
      await until(async () => (await lease()) > before)
      others.advance(5000)
    }
    link.isUp = false
    const left = Date.parse(await lease()) - others.now()
    expect(left).toBeLessThanOrEqual(10_000)
    others.advance(left - 1)
    await others.polled()
    expect(send).not.toHaveBeenCalled()
    others.advance(1)
    await until(isEmpty)
    expect([gone.send.mock.calls.length, send.mock.calls.length]).toEqual([1, 1])
    link.isUp = true
    gone.answer(DELIVERED)
  })

  test('what was claimed under a clock that was a year ahead is sent all the same, but no lease of a server that runs ends', async () => {
    await subscribe()
    const ahead = await startSending(365 * DAY)
    const clock = createClock()
    const send = vi.fn(async () => DELIVERED)
    startWith(send, clock)
    await until(isEmpty)
    await subscribe('other@example.com')
    const sending = await startSending(5000)
    await clock.polled()
    expect([send.mock.calls.length, sending.send.mock.calls.length]).toEqual([1, 1])
    for (const { answer } of [ahead, sending]) answer(DELIVERED)
  })

  test.each([
    ['failed', FAILED, DELIVERED],
    ['delivered', DELIVERED, FAILED],
  ])(
    'a server that was suspended, and %s, leaves alone the lease of the one that took over, and what was delivered is gone',
    async (_, own, last) => {
      await subscribe()
      const [suspended, other] = [await startSending(), await startSending(10_000)]
      const before = await events()
      suspended.clock.advance(5000)
      suspended.answer(own)
      await until(async () => (await isEmpty()) === own.delivered)
      await suspended.stop()
      expect(await events()).toEqual(own.delivered ? [] : before)
      other.answer(last)
      await until(isEmpty)
      await other.stop()
      expect(await events()).toEqual([])
    },
  )
})

describe('whatever the database', () => {
  beforeEach(() => useDatabase('sqlite'))

  test('an event whose lead was erased is dropped unsent', async () => {
    await subscribe()
    await database.run((db) => db.deleteFrom('subscribers').execute())
    const send = vi.fn(async () => DELIVERED)
    startWith(send)
    await until(isEmpty)
    expect(send).not.toHaveBeenCalled()
  })

  test.each([
    ['the least', 0, 0.75],
    ['the most', 1, 1.25],
  ])('pauses double up to a day with %s jitter, then it failed until a retry', async (_, random, factor) => {
    await makeStore(database, { channels: ['webhook'] }).addEnquiry(anEnquiry(), null)
    const [row] = await events()
    const clock = createClock(random)
    const attempted = vi.fn()
    const attempts: number[] = []
    const send = vi.fn(async () => (attempts.push(clock.now()) < 14 ? FAILED : DELIVERED))
    const stop = startWith(send, clock, attempted)
    for (let i = 0; i < 13; i++) {
      await until(async () => attempts.length > i && (await events())[0]?.attempts === i + 1)
      const [event] = await events()
      const pause = Date.parse(event?.due_at ?? '') - (attempts[i] ?? 0)
      expect(pause).toBe(Math.min(FIRST_DELAY_MS * 2 ** i * factor, DAY))
      clock.advance(pause - 1)
      await clock.polled()
      expect(attempts).toHaveLength(i + 1)
      clock.advance(1)
    }
    await stop()
    expect(await events()).toMatchObject([{ state: 'failed', last_error: 'HTTP 503', lease_until: null, attempts: 13 }])
    // A retry ends the lease of a server that is gone.
    const lease_until = new Date(Date.now() + 60_000).toISOString()
    await database.run((db) => db.updateTable('outbox').set({ lease_until, locked_by: 'server' }).execute())
    expect(await database.run(retryAll)).toBe(1)
    startWith(send, createClock(), attempted)
    await until(isEmpty)
    expect(attempted.mock.calls.map(([, , final]) => final)).toEqual([...Array(12).fill(false), true, true])
    // A repeat carries the same id.
    const [lead] = await sandbox.rows('enquiries')
    expect(send.mock.calls).toEqual(Array(14).fill([{ id: row?.event_id, kind: 'enquiry', lead }]))
  })

  test('a database that is away for a while is asked again, and what was taken is not sent again', async () => {
    await subscribe()
    const clock = createClock()
    const link = { isUp: false }
    const send = vi.fn(async () => {
      link.isUp = false
      return DELIVERED
    })
    startWith(send, clock, vi.fn(), behind(link))
    await clock.polled()
    link.isUp = true
    await until(() => send.mock.calls.length === 1)
    clock.advance(60_000)
    await clock.polled()
    link.isUp = true
    await until(isEmpty)
    expect(send).toHaveBeenCalledOnce()
  })

  test('what a stop finds just claimed is sent by the next server at once', async () => {
    await subscribe()
    const [claimed, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow: Database = {
      ...database,
      async run(statements) {
        const answer = await database.run(statements)
        claimed.resolve()
        await answered.promise
        return answer
      },
    }
    const send = vi.fn(async () => DELIVERED)
    const stop = startWith(send, createClock(), vi.fn(), slow)
    await claimed.promise
    const stopped = stop()
    answered.resolve()
    await stopped
    expect(send).not.toHaveBeenCalled()
    expect(await events()).toMatchObject([{ lease_until: null, locked_by: null }])
  })

  test('eight are in flight at once, no more, and again when others have ended while one was claimed that hangs', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => subscribe(`visitor${i}@example.com`)))
    const [ending, hanging] = [Promise.withResolvers<DeliveryResult>(), Promise.withResolvers<DeliveryResult>()]
    const send = vi.fn(() => (send.mock.calls.length <= 8 ? ending.promise : hanging.promise))
    send.mockResolvedValueOnce(DELIVERED)
    const run: Database['run'] = async (statements) => {
      const answer = await database.run(statements)
      if (Array.isArray(answer) && answer.length === 1) {
        ending.resolve(DELIVERED)
        await until(async () => (await events()).length === 12)
      }
      return answer
    }
    const clock = createClock()
    startWith(send, clock, vi.fn(), { ...database, run })
    await until(() => send.mock.calls.length >= 16)
    await clock.polled()
    expect(send).toHaveBeenCalledTimes(16)
    hanging.resolve(DELIVERED)
  })
})

describe('on PostgreSQL', () => {
  beforeEach(() => useDatabase('postgres'))

  test('two servers send each of 1,000 events once', async () => {
    const store = makeStore(database, { channels: ['webhook'] })
    await Promise.all(Array.from({ length: 1000 }, () => store.addEnquiry(anEnquiry(), null)))
    // Each has eight in flight at most: sixteen are those of both.
    const both = Promise.withResolvers<DeliveryResult>()
    const send = vi.fn<Sender>(() => both.promise)
    for (let server = 0; server < 2; server++) startWith(send)
    await until(() => send.mock.calls.length === 16)
    both.resolve(DELIVERED)
    await until(isEmpty)
    expect(new Set(send.mock.calls.map(([{ id }]) => id)).size).toBe(1000)
    expect(send).toHaveBeenCalledTimes(1000)
  })

  test('of 100,000 events that wait the next are taken as of a few', async () => {
    await query(
      sandbox.url,
      `insert into outbox (event_id, channel, kind, lead_id, created_at, due_at)
        select i, 'webhook', 'enquiry', i, '2026-01-01', '2026-01-01' from generate_series(1, 100000) i`,
    )
    // Not to be reached within the server's timeout if each that waits took a look at the others.
    const lease = { lease_until: '2027-01-01', locked_by: 'server' }
    const times = { now: '2026-01-01', latestLease: '2027-02-01' }
    const claimed = await database.run((db) => claim(db, 'webhook', 8, times, lease))
    expect(claimed.map(({ lead_id }) => lead_id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})
