import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { query } from '../../scripts/postgres.ts'
import type { Database } from '../../server/storage/database.ts'
import { claim } from '../../server/storage/outbox-rows.ts'
import { insertSubscribers, sqlStore } from '../../server/storage/sql-store.ts'
import { ignoredEvents } from '../support/ignored-events.ts'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, event, leads, leadsProcess, ON_A_TERMINAL, store, subscriber } from '../support/server/leads.ts'
import { startLoad } from '../support/server/load.ts'
import { makeServerFolder } from '../support/server/server-process.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'
import { until } from '../support/until.ts'

describe.each(DATABASES)('on %s', (kind) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await makeDatabase(kind)
    await store(database, {
      subscribers: [subscriber('Visitor@Example.com', 400), subscriber('other@example.com')],
      enquiries: [
        enquiry({ email: 'VISITOR@example.com' }),
        enquiry({ email: 'other@example.com' }),
        enquiry({ email: 'visitor@EXAMPLE.COM' }, 400),
        enquiry({ email: 'visitor@example.community' }),
      ],
      outbox: [event('subscription', 1), event('subscription', 2), event('enquiry', 1), event('enquiry', 3)],
    })
  })
  afterEach(() => database.remove())

  const left = async () => ({
    subscribers: (await database.rows('subscribers')).map(({ id }) => id),
    enquiries: (await database.rows('enquiries')).map(({ id }) => id),
    outbox: (await database.rows('outbox')).map((row) => `${row.kind} ${row.lead_id}`),
  })
  const ALL = {
    subscribers: [1, 2],
    enquiries: [1, 2, 3, 4],
    outbox: ['subscription 1', 'subscription 2', 'enquiry 1', 'enquiry 3'],
  }
  const ERASED = { subscribers: [2], enquiries: [2, 4], outbox: ['subscription 2'] }

  test('erase removes every spelling of an address, and what the outbox holds about it', async () => {
    const { code, stdout, stderr } = await leads(database.url, ['erase', ' vISITOR@example.com', '--yes'])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/^Found: s1 e1 e3$/m)
    expect(stderr).toMatch(/\nRemoved: 1 subscribers, 2 enquiries, 3 notifications about them\.\n$/)
    expect(await left()).toEqual(ERASED)
    expect((await leads(database.url, ['erase', 'visitor@example.com'])).stderr).toMatch(/^Found: nothing$/m)
  })

  test('erase asks first, and takes only yes for an answer', async () => {
    const erase = (input: string) => leadsProcess(database.url, ['erase', 'visitor@example.com'], ON_A_TERMINAL, input)
    // The second is the end of what can be typed.
    for (const input of ['n\n', '']) {
      const refused = { code: 0, stdout: '', stderr: expect.stringMatching(/Nothing was erased\.\n$/) }
      expect(await erase(input)).toMatchObject(refused)
    }
    expect(await left()).toEqual(ALL)
    expect(await erase('y\n')).toMatchObject({ code: 0, stdout: '' })
    expect(await left()).toEqual(ERASED)
  })

  test('purge takes no day to come, which would be all', async () => {
    const { code, stderr } = await leads(database.url, ['purge', '--older-than', '2999-01-01'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('Must be in the past.')])
    expect(await left()).toEqual(ALL)
  })

  test.each([
    ['erase', 'visitor@example.com'],
    ['purge', '--older-than', '365d'],
  ])('%s erases nothing where nobody can be asked', async (...command) => {
    const { code, stderr } = await leads(database.url, command)
    expect([code, stderr]).toEqual([1, expect.stringContaining('pass --yes to erase.\n')])
    expect(await left()).toEqual(ALL)
  })

  test('purge removes what is older than it is told, and only counts in a dry run', async () => {
    const dry = await leads(database.url, ['purge', '--older-than', '365d', '--dry-run'])
    expect([dry.code, dry.stdout]).toEqual([0, ''])
    expect(dry.stderr).toMatch(/^Older than \S+Z: 1 subscribers, 1 enquiries$/m)
    expect(await left()).toEqual(ALL)
    expect((await leads(database.url, ['purge', '--older-than', '365d', '--yes'])).code).toBe(0)
    expect(await left()).toEqual({
      subscribers: [2],
      enquiries: [1, 2, 4],
      outbox: ['subscription 2', 'enquiry 1'],
    })
  })
})

describe('a SQLite file', () => {
  let database: TestDatabase
  let file: string
  beforeEach(async () => {
    database = await makeDatabase('sqlite')
    file = database.url.replace('sqlite:', '')
  })
  afterEach(() => database.remove())

  const traces = (texts: readonly string[]) => {
    const stored = ['', '-wal'].map((suffix) => readFileSync(file + suffix, 'latin1').toLowerCase()).join()
    return texts.filter((text) => stored.includes(text))
  }

  test('has no trace of who was erased, while a server uses it', async () => {
    const opened = await database.open()
    const leadStore = sqlStore(opened, () => ignoredEvents)
    // In no order, so that pages of the index are split, and keep copies of what stood there.
    const names = Array.from({ length: 5000 }, (_, i) => `${((i * 7919) % 5003).toString(36).padStart(4, '0')}-${i}x`)
    for (let i = 0; i < names.length; i += 50) {
      await Promise.all(
        names.slice(i, i + 50).map((name) => leadStore.addSubscriber(`${name}@example.com`.toUpperCase())),
      )
    }
    const erased = names.filter((_, i) => i % 1000 === 500)
    await leadStore.addEnquiry(
      { first: 'Given', last: 'Family', email: `${erased[0]}@example.com`, message: 'Marked' },
      null,
    )
    expect(traces([...erased, 'marked'])).toHaveLength(erased.length + 1)
    for (const name of erased) await leads(database.url, ['erase', `${name}@example.com`, '--yes'])
    const found = traces([...erased, 'marked'])
    console.log(`erase: ${erased.length} addresses of ${names.length}, ${found.length} traces in the file and its log`)
    expect(found).toEqual([])
    expect(traces([names[0] ?? ''])).toHaveLength(1)
    expect(await leadStore.addSubscriber('after@example.com')).toBe('added')
    await leadStore.close()
  }, 60_000)

  test('of a server under load is purged without the loss of an answer', async () => {
    const sandbox = makeServerFolder()
    await store(database, { enquiries: Array.from({ length: 3000 }, () => enquiry({}, 400)) })
    const server = await sandbox.start({ DATABASE_URL: database.url })
    const load = startLoad(server.origin, 10)
    await vi.waitUntil(() => load.acknowledged.length > 100, { timeout: WAIT_TIMEOUT })
    expect((await leadsProcess(database.url, ['purge', '--older-than', '365d', '--yes'])).code).toBe(0)
    await load.stop()
    // Writing the file anew may take longer than a visitor is kept waiting.
    expect([...load.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(load.missingFrom(await database.rows('subscribers'))).toEqual([])
    expect(await database.rows('enquiries')).toEqual([])
    await sandbox.remove()
  })
})

describe('on PostgreSQL, a purge and a server never wait for each other in a circle', () => {
  /** Has a purge wait for a row that somebody holds, a server's statement for both, and then lets go of the row. */
  async function cross(sandbox: TestDatabase, held: string, statement: Parameters<Database['run']>[0]) {
    const served = await sandbox.open()
    const isWaited = (count: number) => async () =>
      (
        await query(
          sandbox.url,
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).length >= count
    const holder = new Client(sandbox.url)
    await holder.connect()
    await holder.query(`begin; select id from ${held} for update`)
    const purge = leadsProcess(sandbox.url, ['purge', '--older-than', '30d', '--yes'])
    await until(isWaited(1))
    const done = served.run(statement)
    await until(isWaited(2))
    await holder.query('commit')
    await holder.end()
    expect(await purge).toMatchObject({ code: 0 })
    await done
    await served.close()
  }

  const old = (...names: string[]) => names.map((name) => subscriber(`${name}@example.com`, 400))

  test('over leads', async () => {
    const sandbox = await makeDatabase('postgres')
    await store(sandbox, { subscribers: old('c', 'b', 'a') })
    const rows = ['a', 'c'].map((name) => ({ ...subscriber(`${name}@example.com`), request_id: name }))
    await cross(sandbox, "subscribers where email_key = 'b@example.com'", (db) => insertSubscribers(db, rows).execute())
  })

  test('over notifications', async () => {
    const sandbox = await makeDatabase('postgres')
    const outbox = [1, 2].map((lead) => event('subscription', lead))
    await store(sandbox, { subscribers: old('a', 'b'), outbox })
    // A purge comes by the second row first, for that is how they lie, and a server by the first, which the index has first.
    await query(sandbox.url, 'update outbox set attempts = 1 where id = 1')
    for (const plan of ['seqscan', 'bitmapscan']) {
      await query(sandbox.url, `alter database ${new URL(sandbox.url).pathname.slice(1)} set enable_${plan} = off`)
    }
    const time = new Date().toISOString()
    await cross(sandbox, 'outbox where id = 2', (db) =>
      claim(db, 'mail', 8, time, { lease_until: time, locked_by: 'server' }),
    )
  })
})
