import { expect, onTestFinished, test, vi } from 'vitest'
import type { DeliveryResult, Sender } from '../../server/messages/delivery.ts'
import { startOutbox } from '../../server/messages/outbox.ts'
import type { Channel } from '../../server/storage/database.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { makeStore, openDatabases } from '../support/server/databases.ts'
import { until } from '../support/until.ts'

const FIRST_DELAY_MS = 30_000
const DELIVERED: DeliveryResult = { delivered: true, code: 'HTTP 204' }
const FAILED: DeliveryResult = { delivered: false, code: 'HTTP 503' }

const [sandbox, database] = openDatabases('sqlite')

const rows = () => sandbox.rows('outbox')
const isEmpty = async () => (await rows()).length === 0

/** Stores enquiries with a message for each channel, and sets the number of failed attempts of all messages. */
async function enquire(count = 1, attempts = 0, channels: readonly Channel[] = ['webhook']) {
  const store = makeStore(database, { channels })
  await Promise.all(Array.from({ length: count }, () => store.addEnquiry(anEnquiry(), null)))
  await database.run((db) => db.updateTable('outbox').set({ attempts }).execute())
}

function start(senders: readonly (readonly [Channel, Sender])[], onAttempt = vi.fn()) {
  const outbox = startOutbox(database, new Map(senders), FIRST_DELAY_MS, onAttempt)
  onTestFinished(outbox.stop)
  return outbox
}

test('a message is sent with its lead, and deleted once it is delivered', async () => {
  await enquire()
  const [row] = await rows()
  const send = vi.fn(async () => DELIVERED)
  start([['webhook', send]])
  await until(isEmpty)
  const [lead] = await sandbox.rows('enquiries')
  expect(send.mock.calls).toEqual([[{ id: row?.event_id, kind: 'enquiry', lead }]])
})

test('a message whose lead was erased is deleted, not sent', async () => {
  await enquire()
  await database.run((db) => db.deleteFrom('enquiries').execute())
  const send = vi.fn(async () => DELIVERED)
  start([['webhook', send]])
  await until(isEmpty)
  expect(send).not.toHaveBeenCalled()
})

test.each([
  [0, 0, 22_500],
  [1, 0.5, 60_000],
  [11, 0.5, 61_440_000],
])('after %i failures, with the random number %d, the pause is %i ms', async (failures, chance, pauseMs) => {
  vi.spyOn(Math, 'random').mockReturnValue(chance)
  onTestFinished(() => void vi.restoreAllMocks())
  await enquire(1, failures)
  const startedAt = Date.now()
  start([['webhook', async () => FAILED]])
  await until(async () => (await rows())[0]?.last_error === 'HTTP 503')
  const [row] = await rows()
  expect(row).toMatchObject({ state: 'pending', last_error: 'HTTP 503' })
  const failedAt = Date.parse(row?.due_at ?? '') - pauseMs
  expect(failedAt).toBeGreaterThanOrEqual(startedAt)
  expect(failedAt).toBeLessThanOrEqual(Date.now())
})

test('a message that would have to wait longer than a day fails for good', async () => {
  await enquire(1, 12)
  const onAttempt = vi.fn()
  start([['webhook', async () => FAILED]], onAttempt)
  await until(async () => (await rows())[0]?.state === 'failed')
  expect(onAttempt.mock.calls).toEqual([['webhook', FAILED, true]])
})

test('a stop begins no delivery, and records the deliveries in flight', async () => {
  await enquire(20)
  const answers: ((result: DeliveryResult) => void)[] = []
  const { stop, inFlight } = start([['webhook', () => new Promise((resolve) => answers.push(resolve))]])
  await until(() => answers.length === 8)
  const stopped = stop()
  for (const answer of answers) answer(DELIVERED)
  await stopped
  expect([answers.length, inFlight(), (await rows()).length]).toEqual([8, 0, 12])
})

test('a channel has eight messages in flight, and does not delay another channel', async () => {
  await enquire(10, 0, ['mail', 'webhook'])
  const answered = Promise.withResolvers<DeliveryResult>()
  const mail = vi.fn(() => answered.promise)
  start([
    ['mail', mail],
    ['webhook', async () => DELIVERED],
  ])
  await until(async () => (await rows()).length === 10)
  expect(mail).toHaveBeenCalledTimes(8)
  answered.resolve(DELIVERED)
  await until(isEmpty)
})
