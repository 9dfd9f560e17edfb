import type { Updateable } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { DeliveryResult, Sender } from '../../server/messages/delivery.ts'
import { CLAIM_MS, startOutbox } from '../../server/messages/outbox.ts'
import type { Channel, Database, Tables } from '../../server/storage/database.ts'
import { claimDue, recordFailure, retryAll } from '../../server/storage/outbox-rows.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { DATABASES, makeStore, openDatabases } from '../support/server/databases.ts'
import { until } from '../support/until.ts'

const FIRST_DELAY_MS = 30_000
const HOUR_MS = 3_600_000
const DELIVERED: DeliveryResult = { delivered: true, code: 'HTTP 204' }
const FAILED: DeliveryResult = { delivered: false, code: 'HTTP 503' }

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()

const msUntil = (time = '') => Date.parse(time) - Date.now()

describe.each(DATABASES)('on %s', (kind) => {
  const [sandbox, database] = openDatabases(kind)

  const rows = () => sandbox.rows('outbox')

  const isEmpty = async () => (await rows()).length === 0

  /** Stores new leads, each with one message. */
  function subscribe(count = 1) {
    const store = makeStore(database, { channels: ['webhook'] })
    return Promise.all(Array.from({ length: count }, (_, i) => store.addSubscriber(`visitor${i}@example.com`)))
  }

  const change = (row: Updateable<Tables['outbox']>) =>
    database.run((db) => db.updateTable('outbox').set(row).execute())

  const claim = (max = 8) => database.run((db) => claimDue(db, 'webhook', CLAIM_MS.webhook, max))

  function start(send: Sender | Record<Channel, Sender>, onAttempt = vi.fn(), through = database) {
    const senders = Object.entries(typeof send === 'function' ? { webhook: send } : send) as [Channel, Sender][]
    const outbox = startOutbox(through, new Map(senders), FIRST_DELAY_MS, onAttempt)
    onTestFinished(outbox.stop)
    return outbox
  }

  test('a message is sent with its lead, and deleted once it is delivered', async () => {
    await makeStore(database, { channels: ['webhook'] }).addEnquiry(anEnquiry(), null)
    const [row] = await rows()
    const send = vi.fn(async () => DELIVERED)
    start(send)
    await until(isEmpty)
    const [lead] = await sandbox.rows('enquiries')
    expect(send.mock.calls).toEqual([[{ id: row?.event_id, kind: 'enquiry', lead }]])
  })

  test('a message whose lead was erased is dropped unsent', async () => {
    await subscribe()
    await database.run((db) => db.deleteFrom('subscribers').execute())
    const send = vi.fn(async () => DELIVERED)
    start(send)
    await until(isEmpty)
    expect(send).not.toHaveBeenCalled()
  })

  test('what one server has claimed, another one does not claim', async () => {
    await subscribe(12)
    const claims = await Promise.all([claim(), claim()])
    const ids = claims.flat().map(({ row }) => row.id)
    expect([ids.length, new Set(ids).size]).toEqual([12, 12])
  })

  test('a claim of a server that was killed ends by itself', async () => {
    await subscribe()
    const [killed] = await claim()
    expect(msUntil(killed?.row.claimed_until ?? '')).toBeGreaterThan(0)
    expect(msUntil(killed?.row.claimed_until ?? '')).toBeLessThanOrEqual(30_000)
    expect(await claim()).toEqual([])
    await change({ claimed_until: fromNow(-1) })
    expect(await claim()).toHaveLength(1)
  })

  test('a claim of a server whose clock is a second ahead is left alone', async () => {
    await subscribe()
    await change({ claimed_until: fromNow(CLAIM_MS.webhook + 1000) })
    expect(await claim()).toEqual([])
  })

  test('a server whose claim another one has taken over records no failure', async () => {
    await subscribe()
    const [late] = await claim()
    await change({ claimed_until: fromNow(20_000) })
    if (late) await database.run((db) => recordFailure(db, late.row, 1000, 'HTTP 503'))
    expect(await rows()).toMatchObject([{ attempts: 0, last_error: null }])
  })

  test.each<[string, Updateable<Tables['outbox']>]>([
    ['was stored', { created_at: fromNow(HOUR_MS), due_at: fromNow(HOUR_MS) }],
    ['failed', { due_at: fromNow(25 * HOUR_MS) }],
    ['was claimed', { claimed_until: fromNow(HOUR_MS) }],
  ])('a message that %s under a clock that was ahead is due all the same', async (_, times) => {
    await subscribe()
    await change(times)
    expect(await claim()).toHaveLength(1)
  })

  test('a message of a clock that was ahead waits for its next attempt as others do', async () => {
    await subscribe()
    await change({ created_at: fromNow(HOUR_MS), due_at: fromNow(HOUR_MS) })
    const [claimed] = await claim()
    if (claimed) await database.run((db) => recordFailure(db, claimed.row, 60_000, 'HTTP 503'))
    expect(await claim()).toEqual([])
    await change({ due_at: fromNow(-1) })
    expect(await claim()).toHaveLength(1)
  })

  test.each([0, 1, 5, 11])(
    'the pause after %i failures is doubled so often, a quarter more or less',
    async (attempts) => {
      await subscribe()
      await change({ attempts })
      start(async () => FAILED)
      await until(async () => (await rows())[0]?.attempts === attempts + 1)
      const [row] = await rows()
      const pause = Math.min(FIRST_DELAY_MS * 2 ** attempts, 24 * HOUR_MS)
      expect(row).toMatchObject({ state: 'pending', last_error: 'HTTP 503', claimed_until: null })
      expect(msUntil(row?.due_at)).toBeLessThanOrEqual(pause * 1.25)
      expect(Date.parse(row?.due_at ?? '') - Date.parse(row?.created_at ?? '')).toBeGreaterThanOrEqual(pause * 0.75)
    },
  )

  test('no pause is so long that it counts as that of a wrong clock', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.99)
    onTestFinished(() => void vi.restoreAllMocks())
    await subscribe()
    const { stop } = startOutbox(database, new Map([['webhook', async () => FAILED]]), 24 * HOUR_MS, vi.fn())
    onTestFinished(stop)
    await until(async () => (await rows())[0]?.attempts === 1)
    expect(await claim()).toEqual([])
  })

  test('a message that would have to wait longer than a day has failed until a retry', async () => {
    await subscribe()
    await change({ attempts: 12 })
    const onAttempt = vi.fn()
    const send = vi.fn(async () => FAILED)
    start(send, onAttempt)
    await until(async () => (await rows())[0]?.state === 'failed')
    expect(onAttempt.mock.calls).toEqual([['webhook', FAILED, true]])
    send.mockResolvedValue(DELIVERED)
    expect(await database.run(retryAll)).toBe(1)
    await until(isEmpty)
    expect(send.mock.calls[1]).toEqual(send.mock.calls[0])
  })

  test('a retry by hand leaves what a server is sending to that server', async () => {
    await subscribe()
    await claim()
    await database.run(retryAll)
    expect(await claim()).toEqual([])
  })

  test('what was delivered while the database was away is not sent again', async () => {
    await subscribe()
    let isUp = true
    const link: Database = {
      ...database,
      run: (statements) => (isUp ? database.run(statements) : Promise.reject(new Error('away'))),
    }
    const send = vi.fn(async () => {
      isUp = false
      return DELIVERED
    })
    const { inFlight } = start(send, vi.fn(), link)
    await until(() => send.mock.calls.length === 1)
    expect(inFlight()).toBe(1)
    isUp = true
    await until(isEmpty)
    expect(send).toHaveBeenCalledOnce()
  })

  test('a stop begins no delivery, and records those that end in time', async () => {
    await subscribe(20)
    const answers: ((result: DeliveryResult) => void)[] = []
    const { stop, inFlight } = start(() => new Promise((resolve) => answers.push(resolve)))
    await until(() => answers.length === 8)
    const stopped = stop()
    for (const answer of answers) answer(DELIVERED)
    await stopped
    expect([answers.length, inFlight(), (await rows()).length]).toEqual([8, 0, 12])
  })

  test('a stop does not wait for a receiver that hangs', async () => {
    await subscribe()
    const { stop, inFlight } = start(() => new Promise(() => {}))
    await until(() => inFlight() === 1)
    await stop()
    expect(inFlight()).toBe(1)
  })

  test('eight messages of a channel are in flight; another one does not wait', async () => {
    const store = makeStore(database, { channels: ['mail', 'webhook'] })
    await Promise.all(Array.from({ length: 20 }, () => store.addEnquiry(anEnquiry(), null)))
    const answered = Promise.withResolvers<DeliveryResult>()
    const mail = vi.fn(() => answered.promise)
    start({ mail, webhook: async () => DELIVERED })
    await until(async () => (await rows()).length === 20)
    expect(mail).toHaveBeenCalledTimes(8)
    answered.resolve(DELIVERED)
    await until(isEmpty)
    expect(mail).toHaveBeenCalledTimes(20)
  })

  test('of two servers each sends some, and each message is sent once', async () => {
    await subscribe(100)
    const sent: string[] = []
    const send: Sender = async ({ id }) => {
      sent.push(id)
      return DELIVERED
    }
    start(send)
    start(send)
    await until(isEmpty)
    expect([sent.length, new Set(sent).size]).toEqual([100, 100])
  })
})
