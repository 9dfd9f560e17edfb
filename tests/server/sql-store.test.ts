import { readFileSync } from 'node:fs'
import { type KyselyPlugin, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import type { Channel, Database } from '../../server/storage/database.ts'
import { servePostgres } from '../../server/storage/postgres.ts'
import { ENQUIRY_FIELDS } from '../../src/domain/enquiry.ts'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { DATABASES, makeDatabase, makeStore, type TestDatabase } from '../support/server/databases.ts'
import { beginElsewhere, createDatabase, lockWaits, query } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

/** Runs every statement, and fails the first time as if the connection had been lost before the answer. It stays open. */
function losesFirstReply(database: Database): Database {
  let heard = false
  return {
    close: async () => {},
    async run(statements) {
      const answer = await database.run(statements)
      if (heard) return answer
      heard = true
      throw new Error('connection lost')
    },
  }
}

describe.each(DATABASES)('on %s', (kind) => {
  let sandbox: TestDatabase
  beforeEach(async () => {
    sandbox = await makeDatabase(kind)
  })
  afterEach(async () => {
    vi.useRealTimers()
    await sandbox.remove()
  })

  /** The last write to the database: the commits of SQLite, which its header counts, or what wrote or locked a row. */
  async function lastWrite(): Promise<number> {
    if (kind === 'sqlite') return readFileSync(sandbox.file).readUInt32BE(24)
    const last = 'select max(greatest(xmin::text::bigint, xmax::text::bigint)) as last from subscribers'
    return (await query<{ last: number }>(sandbox.url, last))[0]?.last ?? 0
  }

  test('rows hold what was written, as it was written first, and when; a store that closes stores first what waits', async () => {
    const store = makeStore(await sandbox.open())
    const before = new Date().toISOString()
    const message = `Line one\n\tand two, for ${'🏗️'.repeat(1600)}`
    const answers = [store.addSubscriber('Visitor@Example.com'), store.addEnquiry(anEnquiry({ message }), null)]
    await store.close()
    expect(await Promise.all(answers)).toEqual(['added', 'stored'])
    const again = makeStore(await sandbox.open())
    expect(await again.addSubscriber('visitor@EXAMPLE.com')).toBe('present')
    await again.close()
    const subscribers = await sandbox.rows('subscribers')
    expect(subscribers).toMatchObject([{ email: 'Visitor@Example.com', email_key: 'visitor@example.com' }])
    expect(await sandbox.rows('enquiries')).toMatchObject([columnsOf(anEnquiry({ message }))])
    const created = subscribers[0]?.created_at ?? ''
    expect(created >= before && created <= new Date().toISOString()).toBe(true)
  })

  test('what was stored without our hearing of it is stored once, with its events, and told as new by the one that stored it', async () => {
    // Nothing tells the rows of two servers apart but what the servers make unique.
    vi.useFakeTimers({ toFake: ['Date'] })
    const database = await sandbox.open()
    const stores = [1, 2, 3].map(() => makeStore(losesFirstReply(database), { channels: ['mail', 'webhook'] }))
    const emails = ['visitor@example.com', 'VISITOR@example.com']
    const answers = stores.slice(1).flatMap((store) => emails.map((email) => store.addSubscriber(email)))
    expect((await Promise.all(answers)).toSorted()).toEqual(['added', 'present', 'present', 'present'])
    const equal = await Promise.all([1, 2].map(() => stores[0]?.addEnquiry(anEnquiry(), 'KEY')))
    expect(equal).toEqual(['stored', 'stored'])
    await Promise.all(stores.map((store) => store.close()))
    await database.close()
    const [subscribers, enquiries] = [await sandbox.rows('subscribers'), await sandbox.rows('enquiries')]
    expect([subscribers.length, enquiries.length]).toEqual([1, 1])
    const events = await sandbox.rows('outbox')
    expect(events.map(({ channel, kind, lead_id }) => [channel, kind, lead_id]).toSorted()).toEqual([
      ['mail', 'enquiry', enquiries[0]?.id],
      ['webhook', 'enquiry', enquiries[0]?.id],
      ['webhook', 'subscription', subscribers[0]?.id],
    ])
    expect(JSON.stringify(events)).not.toMatch(/visitor|Given|start/)
  })

  test('a key takes the same enquiry again and no other, also once a later release has added a column', async () => {
    const database = await sandbox.open()
    const store = makeStore(database)
    await store.addEnquiry(anEnquiry(), 'KEY')
    await database.run((db) => sql`alter table enquiries add column more text`.execute(db))
    expect(await store.addEnquiry(anEnquiry(), 'key')).toBe('stored')
    for (const field of ENQUIRY_FIELDS)
      expect(await store.addEnquiry(anEnquiry({ [field]: 'another' }), 'KEY'), field).toBe('key-reused')
    await store.close()
    expect(await sandbox.rows('enquiries')).toHaveLength(1)
  })

  test.each<{ channels: Channel[] }>([{ channels: [] }, { channels: ['webhook'] }])(
    'a known address waits for the disk as a new one does, in as many statements, with the channels $channels',
    async ({ channels }) => {
      const database = await sandbox.open()
      let statements = 0
      const counting: KyselyPlugin = {
        transformQuery({ node }) {
          statements += 1
          return node
        },
        transformResult: async ({ result }) => result,
      }
      const run: Database['run'] = (work) => database.run((db) => work(db.withPlugin(counting)))
      const store = makeStore({ ...database, run }, { channels })
      const counts = new Set<number>()
      const answers: string[] = []
      for (let i = 0; i < 8; i++) {
        const before = await lastWrite()
        statements = 0
        answers.push(await store.addSubscriber(i % 2 ? 'known@example.com' : `known${i || ''}@example.com`))
        counts.add(statements)
        expect(await lastWrite()).toBeGreaterThan(before)
      }
      expect(answers).toEqual(answers.map((_, i) => (i % 2 ? 'present' : 'added')))
      expect([...counts]).toEqual([channels.length + 1])
      expect(await sandbox.rows('outbox')).toHaveLength(channels.length * 4)
      await store.close()
    },
  )
})

describe('several servers on one PostgreSQL', () => {
  const ADDRESSES = 500

  /** Each server hears of the same addresses in an order of its own. */
  function inOrderOf(server: number, emails: readonly string[]) {
    const turned = [...emails.slice(125 * server), ...emails.slice(0, 125 * server)]
    return server % 2 ? turned.toReversed() : turned
  }

  test('start at once on an empty database, never wait for each other in a circle, and tell each address as new once, with one event, also while their connections are cut', async () => {
    const { url, open, rows } = await makeDatabase('postgres')
    const start = async () => makeStore(await open(), { channels: ['webhook'] })
    const stores = await Promise.all([start(), start(), start(), start()])
    await Promise.all(stores.map((store) => store.checkReadiness()))
    for (let round = 0; round < 4; round++) {
      const emails = Array.from({ length: ADDRESSES }, (_, i) => `r${round}-${(i * 7919) % ADDRESSES}@example.com`)
      const calls = stores.flatMap((store, server) =>
        inOrderOf(server, emails).map((email) => store.addSubscriber(email)),
      )
      if (round % 2) await query(url, CUT_OTHERS)
      const answers = await Promise.all(calls)
      expect(answers.filter((answer) => answer === 'added')).toHaveLength(ADDRESSES)
      expect(answers.filter((answer) => answer === 'unavailable')).toEqual([])
    }
    await Promise.all(stores.map((store) => store.close()))
    const leads = (await rows('subscribers')).map(({ id }) => id)
    expect((await rows('outbox')).map(({ lead_id }) => lead_id).toSorted((a, b) => a - b)).toEqual(leads)
    expect(await query(url, DEADLOCKS)).toEqual([{ deadlocks: 0 }])
  })
})

const CUT_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

const DEADLOCKS = 'select deadlocks from pg_stat_database where datname = current_database()'

test('a statement that waits in vain for a lock is given up and ends in the database too, and the next one is answered', async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const database = await servePostgres(url, { timeouts: { lockMs: 0, connectionMs: 1000, statementMs: 200 } })
  const release = await beginElsewhere(url, 'lock table outbox in access exclusive mode')
  await expect(database.run((db) => db.selectFrom('outbox').selectAll().execute())).rejects.toThrow('timeout')
  await database.run((db) => sql`select 1`.execute(db))
  await until(async () => (await lockWaits(url)) === 0)
  await release()
  await database.close()
})

test('a session that can only read, as on a primary of before, is left for a new one', async () => {
  const { url, open } = await makeDatabase('postgres')
  const setting = `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only`
  await (await open()).close()
  await query(inject('postgresUrl'), `${setting} = on`)
  const database = await open()
  const write = () => database.run((db) => sql`insert into readiness values (1, 'now')`.execute(db))
  await expect(write()).rejects.toThrow('read-only')
  await query(inject('postgresUrl'), `${setting} = off`)
  await write()
  await database.close()
})

test('a database whose encoding lacks letters is refused, with what to do', async () => {
  const url = await createDatabase(inject('postgresUrl'), "encoding 'LATIN1' locale 'C' template template0")
  await expect(servePostgres(url)).rejects.toThrow(/encoding is not UTF8: create/)
})
