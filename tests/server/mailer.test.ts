import type { Updateable } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { claimDue, countUnsent, recordFailure, recordSent, retryUnsent } from '../../server/mail/mail-queue.ts'
import { startMailer } from '../../server/mail/send-due-mails.ts'
import type { Delivery, Send } from '../../server/mail/smtp.ts'
import type { Database, Tables } from '../../server/storage/database.ts'
import { CLAIM_MS, MAIL_TIMEOUTS } from '../../server/timeouts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { databaseWith, makeStore } from '../support/server/databases.ts'
import { beginElsewhere } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

// Each test begins with one enquiry, and the clock stands still.
const database = databaseWith()
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await enquire(database)
  return () => void vi.useRealTimers()
})

const FAILED: Delivery = { delivered: false, code: 'DATA 451' }

function enquire(database: Database, count = 1) {
  const store = makeStore(database, true)
  return Promise.all(Array.from({ length: count }, () => store.addEnquiry(anEnquiry(), null)))
}

function start(database: Database, send: Send, onAttempt = vi.fn()) {
  const mailer = startMailer(database, send, onAttempt)
  onTestFinished(mailer.stop)
  return mailer
}

describe('on PostgreSQL', () => {
  const shared = databaseWith({}, 'postgres')

  test('a server skips a mail that another server is claiming at the moment', async () => {
    await enquire(shared)
    onTestFinished(await beginElsewhere(shared.url, 'select id from enquiries for update'))
    expect(await shared.run(claimDue)).toBeUndefined()
  })
})

const change = (row: Updateable<Tables['enquiries']>) =>
  database.run((db) => db.updateTable('enquiries').set(row).execute())

test.each<[failures: number, pauseMs: number | null]>([
  [12, 61_440_000],
  // The next wait would be longer than a day, so there is none: the mail has failed permanently.
  [13, null],
])('after %i failures the pause before the next attempt is %s ms', async (failures, pauseMs) => {
  await change({ mail_attempts: failures - 1 })
  const onAttempt = vi.fn()
  start(database, async () => FAILED, onAttempt)
  const row = await until(async () => (await database.rows('enquiries')).find((row) => row.mail_error))
  const pause = row.mail_due_at && Date.parse(row.mail_due_at) - Date.now()
  // `until` lets the clock run while it waits.
  if (pauseMs === null) expect(pause).toBeNull()
  else expect(pause).toBeCloseTo(pauseMs, -4)
  expect(onAttempt.mock.calls).toEqual([[FAILED]])
})

test.each([
  { code: 'DATA 554', state: 'failed' },
  // An operator may correct the login.
  { code: 'AUTH 535', state: 'pending' },
] as const)('after $code a mail is $state', async ({ code, state }) => {
  await start(database, async () => ({ delivered: false, code })).stop()
  expect(await database.run(countUnsent)).toMatchObject({ [state]: 1 })
})

test('after a failure the next mail waits for a second', async () => {
  await enquire(database)
  const times: number[] = []
  start(database, async () => {
    times.push(performance.now())
    return FAILED
  })
  await until(() => times.length === 2)
  const [first = 0, second = 0] = times
  expect(second - first).toBeGreaterThan(990)
})

const claim = () => database.run(claimDue)
const retry = () => database.run(retryUnsent)

test('the claim of a killed server ends after the longest attempt', async () => {
  expect(await claim()).toBeDefined()
  expect(CLAIM_MS - MAIL_TIMEOUTS.attemptMs).toBeGreaterThan(60_000)
  vi.advanceTimersByTime(CLAIM_MS - 1)
  expect(await claim()).toBeUndefined()
  vi.advanceTimersByTime(1)
  expect(await claim()).toBeDefined()
})

test('a mail that a wrong clock made due in more than a day is due now', async () => {
  await change({ mail_due_at: new Date(Date.now() + 25 * 3_600_000).toISOString() })
  expect(await claim()).toBeDefined()
})

test('a retry by hand gives failed mails all attempts again, but no mail in flight', async () => {
  await change({ mail_due_at: null, mail_attempts: 12, mail_error: 'DATA 554' })
  expect(await database.run(countUnsent)).toEqual({ pending: 0, failed: 1 })
  await retry()
  expect(await claim()).toMatchObject({ mail_attempts: 1 })
  await retry()
  expect(await claim()).toBeUndefined()
})

test('a retry by hand skips sent mails, and enquiries that were stored without mail', async () => {
  await change({ mail_error: 'DATA 451' })
  const claimed = (await claim()) ?? expect.fail()
  await database.run((db) => recordSent(db, claimed))
  await makeStore(database).addEnquiry(anEnquiry(), null)
  await retry()
  expect(await claim()).toBeUndefined()
})

test('a server records no failure if another server has taken over its claim', async () => {
  const claimed = (await claim()) ?? expect.fail()
  vi.advanceTimersByTime(CLAIM_MS)
  await claim()
  await database.run((db) => recordFailure(db, claimed, 60_000, 'DATA 451'))
  expect(await database.rows('enquiries')).toMatchObject([{ mail_attempts: 2, mail_error: null }])
})
