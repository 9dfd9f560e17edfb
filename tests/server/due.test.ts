import type { Updateable } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { claimDue, countUnsent, recordFailure, recordSent, retryUnsent } from '../../server/mail/due.ts'
import { startMailer } from '../../server/mail/mailer.ts'
import type { Mail } from '../../server/mail/mails.ts'
import type { Tables } from '../../server/storage/database.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { DATABASES, makeStore, openDatabases } from '../support/server/databases.ts'
import { beginElsewhere } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

const HOUR_MS = 3_600_000

describe.each(DATABASES)('on %s', (kind) => {
  const [sandbox, database] = openDatabases(kind)
  const run: typeof database.run = (statements) => database.run(statements)

  function enquire(count = 1) {
    const store = makeStore(database, { mail: true })
    return Promise.all(Array.from({ length: count }, () => store.addEnquiry(anEnquiry(), null)))
  }

  test('two servers send each mail once', async () => {
    await enquire(40)
    const ids: string[] = []
    async function send({ id }: Mail) {
      ids.push(id)
      return { delivered: true, code: '250' }
    }
    for (let server = 0; server < 2; server++) onTestFinished(startMailer(database, send, 1, () => {}).stop)
    await until(async () => (await run(countUnsent)).pending === 0)
    expect([ids.length, new Set(ids).size]).toEqual([40, 40])
  })

  // SQLite has one writer at a time.
  if (kind === 'postgres')
    test('a mail that another server is just claiming is passed over', async () => {
      await enquire()
      onTestFinished(await beginElsewhere(sandbox.url, 'select id from enquiries for update'))
      expect(await run((db) => claimDue(db, 8))).toEqual([])
    })

  describe('while the clock stands still,', () => {
    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ['Date'] })
      await enquire()
      return () => void vi.useRealTimers()
    })

    const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
    const change = (row: Updateable<Tables['enquiries']>) => run((db) => db.updateTable('enquiries').set(row).execute())
    const claim = () => run((db) => claimDue(db, 8))

    test('the claim of a server that was killed ends after two minutes', async () => {
      expect(await claim()).toHaveLength(1)
      vi.advanceTimersByTime(119_999)
      expect(await claim()).toEqual([])
      vi.advanceTimersByTime(1)
      expect(await claim()).toHaveLength(1)
    })

    test('a mail that is due in more than a day was written under a wrong clock, and is due now', async () => {
      await change({ mail_due_at: fromNow(25 * HOUR_MS) })
      expect(await claim()).toHaveLength(1)
    })

    test('a retry by hand does not free a mail that a server is sending', async () => {
      await claim()
      await run(retryUnsent)
      expect(await claim()).toEqual([])
    })

    test('a retry by hand gives a failed mail all its attempts again', async () => {
      await change({ mail_due_at: null, mail_attempts: 12, mail_error: 'DATA 554' })
      expect(await run(countUnsent)).toEqual({ pending: 0, failed: 1 })
      await run(retryUnsent)
      expect(await claim()).toMatchObject([{ mail_attempts: 1 }])
    })

    test('a retry by hand sends nothing that was sent, or came without mail', async () => {
      await makeStore(database).addEnquiry(anEnquiry(), null)
      const [enquiry] = await claim()
      if (enquiry) await run((db) => recordSent(db, enquiry))
      expect(await run(retryUnsent)).toBe(0n)
    })

    test('a server records no failure if another server has taken over its claim', async () => {
      const [enquiry] = await claim()
      vi.advanceTimersByTime(120_000)
      await claim()
      if (enquiry) await run((db) => recordFailure(db, enquiry, 60_000, 'DATA 451'))
      expect(await sandbox.rows('enquiries')).toMatchObject([{ mail_attempts: 2, mail_error: null }])
    })
  })
})
