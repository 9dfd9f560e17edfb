import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { DeliveryResult, Sender } from '../../server/messages/delivery.ts'
import { type Clock, startOutbox } from '../../server/messages/outbox.ts'
import type { Channel, Database } from '../../server/storage/database.ts'
import { parseDatabaseUrl } from '../../server/storage/database-url.ts'
import { readDue, retryAll } from '../../server/storage/outbox-rows.ts'
import { senderLock } from '../../server/storage/sender-lock.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { type DATABASES, makeDatabase, makeStore, type TestDatabase } from '../support/server/databases.ts'
import { query } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

const FIRST_DELAY_MS = 30_000
const DAY = 86_400_000
const DELIVERED: DeliveryResult = { delivered: true, code: 'HTTP 204' }
const FAILED: DeliveryResult = { delivered: false, code: 'HTTP 503' }

/** Time that stands still but in `advance`. */
function createClock(random = () => 0.5) {
  let now = Date.now()
  const pauses = new Map<() => void, number>()
  return {
    now: () => now,
    random,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        const end = () => {
          pauses.delete(end)
          resolve()
        }
        pauses.set(end, now + ms)
        signal?.addEventListener('abort', end)
        if (signal?.aborted) end()
      }),
    advance(ms: number) {
      now += ms
      for (const [end, time] of pauses) if (time <= now) end()
    },
    /** Until as many loops of the outbox pause: all have looked around since the last advance. */
    rest: (loops = 2) => until(() => pauses.size === loops),
  } satisfies Clock & Record<string, unknown>
}

let sandbox: TestDatabase
let database: Database
const stops: (() => unknown)[] = []

async function useDatabase(kind: (typeof DATABASES)[number]) {
  sandbox = await makeDatabase(kind)
  database = await sandbox.open()
}
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await database.close()
  await sandbox.remove()
})

const rows = () => sandbox.rows('outbox')

const isEmpty = async () => (await rows()).length === 0

const subscribe = (email = 'visitor@example.com') => makeStore(database, { channels: ['webhook'] }).addSubscriber(email)

const subscribeAll = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => subscribe(`visitor${i}@example.com`)))

function start(send: Sender | Record<Channel, Sender>, clock = createClock(), attempted = vi.fn(), through = database) {
  const senders = Object.entries(typeof send === 'function' ? { webhook: send } : send) as [Channel, Sender][]
  const lock = senderLock(parseDatabaseUrl('DATABASE_URL', sandbox.url))
  stops.push(lock.release)
  const outbox = startOutbox(through, lock, new Map(senders), FIRST_DELAY_MS, { attempted }, clock)
  stops.push(outbox.stop)
  return { ...outbox, lock }
}

describe('whatever the database', () => {
  beforeEach(() => useDatabase('sqlite'))

  test('a lead whose message can not be written is not stored, and not acknowledged', async () => {
    await database.run((db) => sql`alter table outbox rename to elsewhere`.execute(db))
    const store = makeStore(database, { channels: ['webhook'], timeoutMs: 1000 })
    const answers = [store.addSubscriber('visitor@example.com'), store.addEnquiry(anEnquiry(), null)]
    expect(await Promise.all(answers)).toEqual(['unavailable', 'unavailable'])
    expect([await sandbox.rows('subscribers'), await sandbox.rows('enquiries')]).toEqual([[], []])
  })

  test('a message whose lead was erased is dropped unsent', async () => {
    await subscribe()
    await database.run((db) => db.deleteFrom('subscribers').execute())
    const send = vi.fn(async () => DELIVERED)
    start(send)
    await until(isEmpty)
    expect(send).not.toHaveBeenCalled()
  })

  test('pauses double up to a day, a quarter more or less, then it failed until a retry', async () => {
    await makeStore(database, { channels: ['webhook'] }).addEnquiry(anEnquiry(), null)
    const [row] = await rows()
    const attempts: number[] = []
    // The most and the least in turn.
    const clock = createClock(() => attempts.length % 2)
    const attempted = vi.fn()
    const send = vi.fn(async () => (attempts.push(clock.now()) < 14 ? FAILED : DELIVERED))
    const { stop } = start(send, clock, attempted)
    for (let i = 0; i < 13; i++) {
      await until(async () => (await rows())[0]?.attempts === i + 1)
      await clock.rest()
      const pause = Date.parse((await rows())[0]?.due_at ?? '') - (attempts[i] ?? 0)
      expect(pause).toBe(Math.min(FIRST_DELAY_MS * 2 ** i * (i % 2 ? 0.75 : 1.25), DAY))
      clock.advance(pause - 1)
      await clock.rest()
      expect(attempts).toHaveLength(i + 1)
      clock.advance(1000)
    }
    await stop()
    expect(await rows()).toMatchObject([{ state: 'failed', last_error: 'HTTP 503', attempts: 13 }])
    expect(await database.run(retryAll)).toBe(1)
    expect(await rows()).toMatchObject([{ state: 'pending', attempts: 0 }])
    start(send, createClock(), attempted)
    await until(isEmpty)
    expect(attempted.mock.calls.map(([, , final]) => final)).toEqual([...Array(12).fill(false), true, true])
    // A repeat carries the same id.
    const [lead] = await sandbox.rows('enquiries')
    expect(send.mock.calls).toEqual(Array(14).fill([{ id: row?.event_id, kind: 'enquiry', lead }]))
  })

  test('a database that is away for a while is asked again, and what was taken is not sent again', async () => {
    await subscribe()
    const clock = createClock()
    let isUp = false
    const link: Database = {
      ...database,
      run: (statements) => (isUp ? database.run(statements) : Promise.reject(new Error('away'))),
    }
    const send = vi.fn(async () => {
      isUp = false
      return DELIVERED
    })
    const { inFlight } = start(send, clock, vi.fn(), link)
    await clock.rest()
    isUp = true
    clock.advance(1000)
    await until(() => send.mock.calls.length === 1)
    await clock.rest()
    clock.advance(60_000)
    await clock.rest()
    expect(inFlight()).toBe(1)
    isUp = true
    clock.advance(500)
    await until(isEmpty)
    await clock.rest()
    expect([send.mock.calls.length, inFlight()]).toEqual([1, 0])
  })

  test('a stop waits 3 s for what is being sent, records what ends by then, and leaves the rest to the next sender', async () => {
    await subscribeAll(2)
    const clock = createClock()
    const answers: ((result: DeliveryResult) => void)[] = []
    const { inFlight, stop } = start(() => new Promise((resolve) => answers.push(resolve)), clock)
    await until(() => answers.length === 2)
    let isStopped = false
    const stopped = stop().then(() => {
      isStopped = true
    })
    clock.advance(2999)
    answers[0]?.(DELIVERED)
    await until(async () => (await rows()).length === 1)
    expect([isStopped, inFlight()]).toEqual([false, 1])
    clock.advance(1)
    await stopped
    const send = vi.fn(async () => DELIVERED)
    start(send)
    await until(isEmpty)
    expect(send).toHaveBeenCalledOnce()
  })

  test('eight messages of a channel are in flight at once, no more; another channel does not wait for them', async () => {
    const store = makeStore(database, { channels: ['mail', 'webhook'] })
    await Promise.all(Array.from({ length: 20 }, () => store.addEnquiry(anEnquiry(), null)))
    const answered = Promise.withResolvers<DeliveryResult>()
    const mail = vi.fn(() => answered.promise)
    const clock = createClock()
    start({ mail, webhook: async () => DELIVERED }, clock)
    await until(async () => (await rows()).length === 20)
    await clock.rest()
    clock.advance(1000)
    await clock.rest()
    expect(mail).toHaveBeenCalledTimes(8)
    answered.resolve(DELIVERED)
    await until(isEmpty)
    expect(mail).toHaveBeenCalledTimes(20)
  })
})

/** Other tests have databases on the same server. */
const CUT_HOLDER = `select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`

describe('on PostgreSQL', () => {
  beforeEach(() => useDatabase('postgres'))

  test('of two servers one sends, until its session ends; then the other one does, and each message is sent once', async () => {
    // A lock lasts while something runs, which a busy machine might not.
    const before = performance.now()
    const now = vi.spyOn(performance, 'now').mockReturnValue(before)
    onTestFinished(() => void now.mockRestore())
    await subscribeAll(1000)
    const [clock, clockOfOther] = [createClock(), createClock()]
    const [first, second] = [vi.fn<Sender>(async () => DELIVERED), vi.fn<Sender>(async () => DELIVERED)]
    const { lock } = start(first, clock)
    await clock.rest()
    // Whoever has not asked for 10 s may have lost it, and counts as without it.
    now.mockReturnValue(before + 10_000)
    expect(lock.isHeld()).toBe(false)
    now.mockReturnValue(before)
    expect(lock.isHeld()).toBe(true)
    start(second, clockOfOther)
    await clockOfOther.rest()
    first.mockImplementationOnce(async () => {
      await query(sandbox.url, CUT_HOLDER)
      await until(() => !lock.isHeld())
      return DELIVERED
    })
    clock.advance(1000)
    await until(async () => {
      clockOfOther.advance(1000)
      return isEmpty()
    })
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([8, 992])
    const calls = [...first.mock.calls, ...second.mock.calls]
    expect(new Set(calls.map(([{ id }]) => id)).size).toBe(1000)
  })

  test('of 100,000 messages that wait the next are read as of a few', async () => {
    await query(
      sandbox.url,
      `insert into outbox (event_id, channel, kind, lead_id, created_at, due_at)
        select i, 'webhook', 'enquiry', i, '2026-01-01', '2026-01-01' from generate_series(1, 100000) i`,
    )
    const due = await database.run((db) => readDue(db, 'webhook', '2026-01-01', 8))
    expect(due.map(({ row }) => row.lead_id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})
