import { expect, onTestFinished, test, vi } from 'vitest'
import { startMailer } from '../../server/mail/mailer.ts'
import type { Delivery, Send } from '../../server/mail/smtp.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { makeStore, openDatabases } from '../support/server/databases.ts'
import { until } from '../support/until.ts'

const DELIVERED: Delivery = { delivered: true, code: '250' }
const FAILED: Delivery = { delivered: false, code: 'DATA 451' }

const [sandbox, database] = openDatabases('sqlite')

const rows = () => sandbox.rows('enquiries')
const countSent = async () => (await rows()).filter((row) => row.mail_sent_at !== null).length

/** Stores enquiries, of which each had some failed attempts. */
async function enquire(count = 1, mail_attempts = 0) {
  const store = makeStore(database, { mail: true })
  await Promise.all(Array.from({ length: count }, () => store.addEnquiry(anEnquiry(), null)))
  await database.run((db) => db.updateTable('enquiries').set({ mail_attempts }).execute())
}

function start(send: Send, onAttempt = vi.fn()) {
  const mailer = startMailer(database, send, 30_000, onAttempt)
  onTestFinished(mailer.stop)
  return mailer
}

test('the mail about an enquiry is sent, and that is recorded', async () => {
  await enquire(1, 3)
  const send = vi.fn(async () => DELIVERED)
  start(send)
  await until(async () => (await countSent()) === 1)
  expect(send.mock.calls).toMatchObject([[{ subject: 'Enquiry 1', automatic: false }]])
  expect(await rows()).toMatchObject([
    { mail_due_at: null, mail_error: null, mail_sent_at: expect.stringMatching(/Z$/) },
  ])
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
  start(async () => FAILED)
  await until(async () => (await rows())[0]?.mail_error === 'DATA 451')
  const failedAt = Date.parse((await rows())[0]?.mail_due_at ?? '') - pauseMs
  expect(failedAt).toBeGreaterThanOrEqual(startedAt)
  expect(failedAt).toBeLessThanOrEqual(Date.now())
})

test('a mail that would have to wait longer than a day fails for good', async () => {
  await enquire(1, 12)
  const onAttempt = vi.fn()
  start(async () => FAILED, onAttempt)
  await until(async () => (await rows())[0]?.mail_error === 'DATA 451')
  expect(await rows()).toMatchObject([{ mail_due_at: null, mail_sent_at: null }])
  expect(onAttempt.mock.calls).toEqual([[FAILED, true]])
})

test('eight mails are in flight; a stop begins no other, and records these', async () => {
  await enquire(20)
  const answers: ((delivery: Delivery) => void)[] = []
  const { stop, inFlight } = start(() => new Promise((resolve) => answers.push(resolve)))
  await until(() => answers.length === 8)
  const stopped = stop()
  for (const answer of answers) answer(DELIVERED)
  await stopped
  expect([answers.length, inFlight(), await countSent()]).toEqual([8, 0, 8])
})
