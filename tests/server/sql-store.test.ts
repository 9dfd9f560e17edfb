import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../server/database.ts'
import { sqlStore } from '../../server/sql-store.ts'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/databases.ts'
import { deafOnce } from '../support/deaf-once.ts'
import { ignoredEvents } from '../support/ignored-events.ts'
import { query } from '../support/postgres.ts'

const ENQUIRY = { first: 'Given', last: 'Family', email: 'visitor@example.com', message: 'Hello' }

const storeOn = (database: Database) => sqlStore(database, () => ignoredEvents)

describe.each(DATABASES)('on %s', (kind) => {
  let place: TestDatabase
  beforeEach(async () => {
    place = await makeDatabase(kind)
  })
  afterEach(() => place.remove())

  test('what was stored is found again', async () => {
    const first = storeOn(await place.open())
    expect(await first.addSubscriber('visitor@example.com')).toBe('added')
    await first.close()
    const second = storeOn(await place.open())
    expect(await second.addSubscriber('visitor@example.com')).toBe('present')
    await second.close()
  })

  test('closing stores first what is waiting', async () => {
    const store = storeOn(await place.open())
    const answers = Array.from({ length: 2500 }, (_, i) => store.addSubscriber(`visitor${i}@example.com`))
    await store.close()
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['added']))
    expect(await place.rows('subscribers')).toHaveLength(2500)
  })

  test('an enquiry that was stored without our hearing of it is not stored twice', async () => {
    const store = storeOn(deafOnce(await place.open()))
    expect(await store.addEnquiry(ENQUIRY, null)).toBe('stored')
    await store.close()
    expect(await place.rows('enquiries')).toHaveLength(1)
  })

  test('an address that was stored without our hearing of it is still told as new, once', async () => {
    const store = storeOn(deafOnce(await place.open()))
    const answers = [store.addSubscriber('visitor@example.com'), store.addSubscriber('VISITOR@example.com')]
    expect(await Promise.all(answers)).toEqual(['added', 'present'])
    expect(await store.addSubscriber('visitor@example.com')).toBe('present')
    await store.close()
  })

  test('an address that another had stored before is not told as new after a failure', async () => {
    const other = storeOn(await place.open())
    await other.addSubscriber('visitor@example.com')
    const store = storeOn(deafOnce(await place.open()))
    expect(await store.addSubscriber('visitor@example.com')).toBe('present')
    await Promise.all([store.close(), other.close()])
  })

  test('it is ready when it can write, and that leaves no lead', async () => {
    const store = storeOn(await place.open())
    expect(await store.checkReadiness()).toBe('ready')
    expect(await store.checkReadiness()).toBe('ready')
    expect([await place.rows('subscribers'), await place.rows('enquiries')]).toEqual([[], []])
    expect(await place.rows('readiness')).toHaveLength(1)
    await store.close()
  })
})

test('it is not ready while a table for leads is gone', async () => {
  const place = await makeDatabase('postgres')
  const store = storeOn(await place.open())
  expect(await store.checkReadiness()).toBe('ready')
  await query(place.url, 'alter table enquiries rename to gone')
  expect(await store.checkReadiness()).toBe('unavailable')
  await query(place.url, 'alter table gone rename to enquiries')
  expect(await store.checkReadiness()).toBe('ready')
  await store.close()
})

describe('several servers on one PostgreSQL', () => {
  const SERVERS = 4
  const ADDRESSES = 500

  test('start at the same time on an empty database, and the tables are made once', async () => {
    const place = await makeDatabase('postgres')
    const stores = await Promise.all(Array.from({ length: SERVERS }, async () => storeOn(await place.open())))
    expect(await Promise.all(stores.map((store) => store.checkReadiness()))).toEqual(stores.map(() => 'ready'))
    await Promise.all(stores.map((store) => store.close()))
  })

  test('never wait for each other in a circle, and tell each address as new once', async () => {
    const place = await makeDatabase('postgres')
    let failures = 0
    const failed = () => {
      failures += 1
    }
    const databases = await Promise.all(Array.from({ length: SERVERS }, () => place.open()))
    const stores = databases.map((database) => sqlStore(database, () => ({ ...ignoredEvents, failed })))
    await Promise.all(stores.map((store) => store.checkReadiness()))
    for (let round = 0; round < 10; round++) {
      const emails = Array.from({ length: ADDRESSES }, (_, i) => `r${round}-${(i * 7919) % ADDRESSES}@example.com`)
      // Each server hears of the same addresses in an order of its own.
      const calls = stores.flatMap((store, server) => {
        const from = Math.floor((ADDRESSES / SERVERS) * server)
        const turned = [...emails.slice(from), ...emails.slice(0, from)]
        return (server % 2 ? turned.toReversed() : turned).map((email) => store.addSubscriber(email))
      })
      const answers = await Promise.all(calls)
      expect(answers.filter((answer) => answer === 'added')).toHaveLength(ADDRESSES)
      expect(answers.filter((answer) => answer === 'unavailable')).toEqual([])
    }
    expect(failures).toBe(0)
    await Promise.all(stores.map((store) => store.close()))
  })
})
