import type { Updateable } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startOutbox } from '../../server/messages/outbox.ts'
import type { Tables } from '../../server/storage/database.ts'
import { claimDue, recordFailure, retryAll } from '../../server/storage/outbox-rows.ts'
import { DATABASES, makeStore, openDatabases } from '../support/server/databases.ts'
import { until } from '../support/until.ts'

const HOUR_MS = 3_600_000

describe.each(DATABASES)('on %s', (kind) => {
  const [sandbox, database] = openDatabases(kind)

  /** Stores new leads, each with one message. */
  function subscribe(count = 1) {
    const store = makeStore(database, { channels: ['webhook'] })
    return Promise.all(Array.from({ length: count }, (_, i) => store.addSubscriber(`visitor${i}@example.com`)))
  }

  test('two servers send each message once', async () => {
    await subscribe(40)
    const ids: string[] = []
    async function webhook({ id }: { id: string }) {
      ids.push(id)
      return { delivered: true, code: 'HTTP 204' }
    }
    for (let server = 0; server < 2; server++)
      onTestFinished(startOutbox(database, new Map([['webhook', webhook]]), 1, () => {}).stop)
    await until(async () => (await sandbox.rows('outbox')).length === 0)
    expect([ids.length, new Set(ids).size]).toEqual([40, 40])
  })

  describe('while the clock stands still,', () => {
    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ['Date'] })
      await subscribe()
      return () => void vi.useRealTimers()
    })

    const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
    const change = (row: Updateable<Tables['outbox']>) =>
      database.run((db) => db.updateTable('outbox').set(row).execute())
    const claim = () => database.run((db) => claimDue(db, 'webhook', 8))

    test('the claim of a server that was killed ends after two minutes', async () => {
      expect(await claim()).toHaveLength(1)
      vi.advanceTimersByTime(119_999)
      expect(await claim()).toEqual([])
      vi.advanceTimersByTime(1)
      expect(await claim()).toHaveLength(1)
    })

    test('a message that is due in more than a day was written under a wrong clock, and is due now', async () => {
      await change({ due_at: fromNow(25 * HOUR_MS) })
      expect(await claim()).toHaveLength(1)
    })

    test('a retry by hand does not free a message that a server is sending', async () => {
      await claim()
      await database.run(retryAll)
      expect(await claim()).toEqual([])
    })

    test('a retry by hand gives a failed message all its attempts again', async () => {
      await change({ state: 'failed', attempts: 12 })
      await database.run(retryAll)
      expect(await sandbox.rows('outbox')).toMatchObject([{ state: 'pending', attempts: 0 }])
    })

    test('a server records no failure if another server has taken over its claim', async () => {
      const [claimedMessage] = await claim()
      vi.advanceTimersByTime(120_000)
      await claim()
      if (claimedMessage) await database.run((db) => recordFailure(db, claimedMessage.row, 60_000, 'HTTP 503'))
      expect(await sandbox.rows('outbox')).toMatchObject([{ attempts: 2, last_error: null }])
    })
  })
})
