import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../server/storage/database.ts'
import { openPostgres, servePostgres } from '../../server/storage/postgres.ts'
import { ENQUIRY_FIELDS } from '../../src/domain/enquiry.ts'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { DATABASES, ignoredEvents, makeDatabase, makeStore, openDatabases } from '../support/server/databases.ts'
import { beginElsewhere, createDatabase, lockWaits, query } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

describe.each(DATABASES)('on %s', (kind) => {
  const [sandbox, database] = openDatabases(kind)

  /** The database, whose first commit fails: before it is stored, or after it as if the answer had been lost. */
  function failingOnce(isStored: boolean): Database {
    let hasFailed = false
    return {
      close: async () => {},
      async run(statements) {
        if (hasFailed) return database.run(statements)
        hasFailed = true
        if (isStored) await database.run(statements)
        throw new Error('connection lost')
      },
    }
  }

  const emails = async () => (await sandbox.rows('subscribers')).map(({ email }) => email)

  test('an address is new once, however it is spelled, and stays as it was typed first', async () => {
    const store = makeStore(database)
    const answers = ['Visitor@Example.com', 'visitor@example.com'].map((email) => store.addSubscriber(email))
    expect(await Promise.all(answers)).toEqual(['added', 'present'])
    expect(await store.addSubscriber('VISITOR@example.com')).toBe('present')
    expect(await sandbox.rows('subscribers')).toMatchObject([
      { email: 'Visitor@Example.com', email_key: 'visitor@example.com' },
    ])
  })

  test('an enquiry is stored as it was sent', async () => {
    const message = `Line one\n\tand two, for ${'🏗️'.repeat(1600)}`
    expect(await makeStore(database).addEnquiry(anEnquiry({ message }), null)).toBe('stored')
    expect(await sandbox.rows('enquiries')).toMatchObject([columnsOf(anEnquiry({ message }))])
  })

  test('a key takes the same enquiry again, in upper or lower case', async () => {
    const store = makeStore(database)
    const answers = ['KEY', 'key', 'KEY'].map((key) => store.addEnquiry(anEnquiry(), key))
    expect(await Promise.all(answers)).toEqual(['stored', 'stored', 'stored'])
    expect(await sandbox.rows('enquiries')).toHaveLength(1)
  })

  test.each(ENQUIRY_FIELDS)('a key takes no enquiry with another %s', async (field) => {
    const store = makeStore(database)
    const answers = [anEnquiry(), anEnquiry({ [field]: 'another' })].map((each) => store.addEnquiry(each, 'KEY'))
    expect(await Promise.all(answers)).toEqual(['stored', 'key-reused'])
  })

  test('a key takes the same enquiry once a later release has added a column', async () => {
    const store = makeStore(database)
    await store.addEnquiry(anEnquiry(), 'KEY')
    await database.run((db) => sql`alter table enquiries add column more text`.execute(db))
    expect(await store.addEnquiry(anEnquiry(), 'KEY')).toBe('stored')
  })

  test('calls that arrive together share a commit', async () => {
    const run = vi.spyOn(database, 'run')
    const store = makeStore(database)
    await Promise.all(Array.from({ length: 1000 }, (_, i) => store.addSubscriber(`${i}@example.com`)))
    expect(run).toHaveBeenCalledOnce()
  })

  test('closing stores what waits', async () => {
    const store = makeStore(await sandbox.open())
    const answer = store.addSubscriber('visitor@example.com')
    await store.close()
    expect(await answer).toBe('added')
    expect(await emails()).toEqual(['visitor@example.com'])
  })

  test('a failed commit is tried again', async () => {
    expect(await makeStore(failingOnce(false)).addSubscriber('visitor@example.com')).toBe('added')
  })

  test('a commit that was stored and seemed to fail is stored once', async () => {
    const store = makeStore(failingOnce(true), { channels: ['webhook'] })
    const answers = [store.addSubscriber('visitor@example.com'), store.addEnquiry(anEnquiry(), null)]
    expect(await Promise.all(answers)).toEqual(['present', 'stored'])
    expect([await sandbox.rows('subscribers'), await sandbox.rows('enquiries')]).toMatchObject([[{}], [{}]])
    expect(await sandbox.rows('outbox')).toHaveLength(2)
  })

  test('a commit that fails for good is refused with all that waits behind it', async () => {
    const failed = Promise.withResolvers<never>()
    const run = vi.fn(() => failed.promise)
    const refused = vi.fn()
    const store = makeStore({ ...database, run }, { retryMs: 0, events: { ...ignoredEvents, refused } })
    const first = store.addSubscriber('first@example.com')
    await until(() => run.mock.calls.length === 1)
    const behind = store.addSubscriber('behind@example.com')
    expect(store.pending()).toBe(2)
    const error = new Error('gone')
    failed.reject(error)
    expect(await Promise.all([first, behind])).toEqual(['unavailable', 'unavailable'])
    expect(refused.mock.calls).toEqual([[2, error]])
    expect(run).toHaveBeenCalledOnce()
  })

  test('a call beyond 4,000 that wait is refused at once', async () => {
    const store = makeStore(database)
    const answers = Array.from({ length: 4001 }, (_, i) => store.addSubscriber(`${i}@example.com`))
    expect(await answers[4000]).toBe('unavailable')
    expect(store.pending()).toBe(4000)
    expect(new Set(await Promise.all(answers.slice(0, 4000)))).toEqual(new Set(['added']))
  })

  test('a new lead leaves a message for each channel, which holds nothing of the visitor', async () => {
    const store = makeStore(database, { channels: ['mail', 'webhook'] })
    await Promise.all([store.addSubscriber('visitor@example.com'), store.addEnquiry(anEnquiry(), null)])
    const messages = await sandbox.rows('outbox')
    expect(messages.map(({ channel, kind, lead_id }) => [channel, kind, lead_id]).toSorted()).toEqual([
      ['mail', 'enquiry', 1],
      ['webhook', 'enquiry', 1],
      ['webhook', 'subscription', 1],
    ])
    expect(JSON.stringify(messages)).not.toMatch(/visitor|Given/)
  })

  test('what is known already leaves no message', async () => {
    const store = makeStore(database, { channels: ['webhook'] })
    const again = () => Promise.all([store.addSubscriber('visitor@example.com'), store.addEnquiry(anEnquiry(), 'KEY')])
    await again()
    await again()
    expect(await sandbox.rows('outbox')).toHaveLength(2)
  })

  test('a lead whose message can not be written is not stored', async () => {
    await database.run((db) => sql`alter table outbox rename to elsewhere`.execute(db))
    const store = makeStore(database, { channels: ['webhook'], retryMs: 0 })
    // One after the other: each has a commit of its own.
    expect(await store.addSubscriber('visitor@example.com')).toBe('unavailable')
    expect(await store.addEnquiry(anEnquiry(), null)).toBe('unavailable')
    expect([await sandbox.rows('subscribers'), await sandbox.rows('enquiries')]).toEqual([[], []])
  })

  test('it is not ready while a table of leads is missing', async () => {
    const store = makeStore(database, { retryMs: 0 })
    expect(await store.checkReadiness()).toBe('ready')
    await database.run((db) => sql`alter table enquiries rename to elsewhere`.execute(db))
    expect(await store.checkReadiness()).toBe('unavailable')
  })
})

describe('several servers on one PostgreSQL', () => {
  const ADDRESSES = 500

  /** Each server hears of the same addresses in an order of its own. */
  function inOrderOf(server: number, emails: readonly string[]) {
    const turned = [...emails.slice(125 * server), ...emails.slice(0, 125 * server)]
    return server % 2 ? turned.toReversed() : turned
  }

  /** Four stores that have started at once, and all calls of a round, each address by each of them. */
  async function startFour() {
    const sandbox = await makeDatabase('postgres')
    const start = async () => makeStore(await sandbox.open(), { channels: ['webhook'] })
    const stores = await Promise.all([start(), start(), start(), start()])
    onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))))
    await Promise.all(stores.map((store) => store.checkReadiness()))
    const emails = Array.from({ length: ADDRESSES }, (_, i) => `${(i * 7919) % ADDRESSES}@example.com`)
    const callAll = () =>
      stores.flatMap((store, server) => inOrderOf(server, emails).map((email) => store.addSubscriber(email)))
    return { ...sandbox, callAll }
  }

  test('tell each address as new once, and never wait for each other in a circle', async () => {
    const { url, callAll } = await startFour()
    const answers = await Promise.all(callAll())
    expect(answers.filter((answer) => answer === 'added')).toHaveLength(ADDRESSES)
    expect(await query(url, DEADLOCKS)).toEqual([{ deadlocks: 0 }])
  })

  test('refuse nothing and double no message when their connections are cut', async () => {
    const { url, callAll, rows } = await startFour()
    const calls = callAll()
    await query(url, CUT_OTHERS)
    expect(await Promise.all(calls)).not.toContain('unavailable')
    const leads = (await rows('subscribers')).map(({ id }) => id)
    expect((await rows('outbox')).map(({ lead_id }) => lead_id).toSorted((a, b) => a - b)).toEqual(leads)
  })
})

const CUT_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

const DEADLOCKS = 'select deadlocks from pg_stat_database where datname = current_database()'

const HASTY = { lockMs: 0, connectionMs: 1000, statementMs: 200 }

test('a statement that is given up ends in PostgreSQL too', async () => {
  const { url, open } = await makeDatabase('postgres')
  await (await open()).close()
  const database = openPostgres(url, HASTY)
  onTestFinished(database.close)
  const release = await beginElsewhere(url, 'lock table outbox in access exclusive mode')
  onTestFinished(release)
  await expect(database.run((db) => db.selectFrom('outbox').selectAll().execute())).rejects.toThrow('timeout')
  await database.run((db) => sql`select 1`.execute(db))
  await until(async () => (await lockWaits(url)) === 0)
})

test('a session that can only read, as on an old primary, is left for a new one', async () => {
  const { url, open } = await makeDatabase('postgres')
  const setting = `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only`
  const database = await open()
  onTestFinished(database.close)
  const write = () => database.run((db) => sql`insert into readiness values (1, 'now')`.execute(db))
  await query(inject('postgresUrl'), `${setting} = on`)
  await query(url, CUT_OTHERS)
  await expect(write().catch(write)).rejects.toThrow('read-only')
  await query(inject('postgresUrl'), `${setting} = off`)
  await write()
})

test('a PostgreSQL whose encoding lacks letters is refused, with the remedy', async () => {
  const url = await createDatabase(inject('postgresUrl'), "encoding 'LATIN1' locale 'C' template template0")
  await expect(servePostgres(url, () => {})).rejects.toThrow(/encoding is not UTF8: create/)
})
