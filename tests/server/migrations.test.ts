import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../server/storage/database.ts'
import { MIGRATIONS, type Migrations } from '../../server/storage/migrations.ts'
import { servePostgres } from '../../server/storage/postgres.ts'
import { serveSqlite } from '../../server/storage/sqlite.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { DATABASES, makeDatabase, makeStore, type TestDatabase } from '../support/server/databases.ts'
import { leads, read } from '../support/server/leads.ts'
import { beginElsewhere, lockWaits } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

/** The next release adds a column. */
const NEXT_RELEASE: Migrations = [
  ...MIGRATIONS,
  () => ["alter table enquiries add column topic text not null default ''"],
]

describe.each(DATABASES)('on %s', (kind) => {
  let sandbox: TestDatabase
  beforeEach(async () => {
    sandbox = await makeDatabase(kind)
  })
  afterEach(() => sandbox.remove())

  const openNext = (tell: (line: string) => void = () => {}): Promise<Database> =>
    kind === 'sqlite' ? serveSqlite(sandbox.file, tell, NEXT_RELEASE) : servePostgres(sandbox.url, tell, NEXT_RELEASE)

  async function storeOne() {
    const store = makeStore(await sandbox.open())
    await store.addEnquiry(anEnquiry(), null)
    await store.close()
  }

  test('the next release changes the tables, keeps their rows, and says that it migrates', async () => {
    await storeOne()
    const tell = vi.fn()
    await (await openNext(tell)).close()
    expect(await sandbox.rows('enquiries')).toMatchObject([{ topic: '' }])
    expect(tell.mock.calls).toEqual([
      ['Migrating the tables from version 1 to 2; this may take minutes'],
      ['Migrated the tables'],
    ])
  })

  test('this release runs on the tables of the next one', async () => {
    await (await openNext()).close()
    await storeOne()
    expect(await sandbox.rows('enquiries')).toMatchObject([{ topic: '' }])
    expect(await read(sandbox.url, 'list', 'enquiries')).toContain('visitor@example.com')
  })

  test('a migration that fails leaves the tables as they were', async () => {
    await storeOne()
    const broken: Migrations = [...NEXT_RELEASE, () => ['alter table nowhere add column topic text']]
    const opened =
      kind === 'sqlite' ? serveSqlite(sandbox.file, () => {}, broken) : servePostgres(sandbox.url, () => {}, broken)
    await expect(opened).rejects.toThrow('nowhere')
    expect(Object.keys((await sandbox.rows('enquiries'))[0] ?? {})).not.toContain('topic')
  })

  test('leads refuses the tables of an older release, and says what migrates them', async () => {
    const database = await sandbox.open()
    await database.run((db) => sql`update schema_version set version = 0`.execute(db))
    await database.close()
    const { code, stderr } = await leads(sandbox.url, ['list', 'enquiries'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^There are no leads in .+\n$/)])
  })
})

describe('on PostgreSQL', () => {
  let sandbox: TestDatabase
  beforeEach(async () => {
    sandbox = await makeDatabase('postgres')
  })

  const openNext = () => servePostgres(sandbox.url, () => {}, NEXT_RELEASE)

  test('servers that start at once migrate once', async () => {
    await (await sandbox.open()).close()
    const tell = vi.fn()
    const start = () => servePostgres(sandbox.url, tell, NEXT_RELEASE)
    const opened = await Promise.all([start(), start(), start()])
    await Promise.all(opened.map((database) => database.close()))
    expect(tell).toHaveBeenCalledTimes(2)
  })

  test('under the load of this release, the next one migrates, and nothing is lost', async () => {
    const store = makeStore(await sandbox.open())
    let isOver = false
    let stored = 0
    async function client(number: number) {
      for (let i = 0; !isOver; i++) {
        expect(await store.addSubscriber(`${number}.${i}@example.com`)).toBe('added')
        stored += 1
      }
    }
    const clients = Promise.all(Array.from({ length: 10 }, (_, number) => client(number)))
    await until(() => stored > 50)
    await (await openNext()).close()
    const storedByThen = stored
    await Promise.race([clients, until(() => stored > storedByThen + 50)])
    isOver = true
    await clients
    await store.close()
    expect(await sandbox.rows('subscribers')).toHaveLength(stored)
  })

  test('a migration that waits for a long read gives up before visitors are refused', async () => {
    const store = makeStore(await sandbox.open(), { retryMs: 5000 })
    onTestFinished(store.close)
    const release = await beginElsewhere(sandbox.url, 'select * from enquiries')
    onTestFinished(release)
    const opened = openNext()
    opened.catch(() => {})
    await until(() => lockWaits(sandbox.url))
    expect(await store.addEnquiry(anEnquiry(), null)).toBe('stored')
    await expect(opened).rejects.toThrow('lock timeout')
  })
})

test('the page on personal data names every column of every table', async () => {
  const sqlite = await makeDatabase('sqlite')
  onTestFinished(sqlite.remove)
  const opened = await sqlite.open()
  const tables = await opened.run((db) => db.introspection.getTables())
  await opened.close()
  const rows = readFileSync('docs/privacy.md', 'utf8').match(/^\| `.+/gm) ?? []
  expect(tables).toHaveLength(5)
  for (const { name, columns } of tables) {
    const row = rows.find((text) => text.split('|')[1]?.includes(`\`${name}\``))
    expect(
      columns.filter((column) => !row?.includes(`\`${column.name}\``)),
      name,
    ).toEqual([])
  }
})
