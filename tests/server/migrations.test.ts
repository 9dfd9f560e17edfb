import { existsSync, readFileSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { sql } from 'kysely'
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../server/storage/database.ts'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'
import { MIGRATIONS, type Migrations } from '../../server/storage/migrations.ts'
import { servePostgres } from '../../server/storage/postgres.ts'
import { serveSqlite } from '../../server/storage/sqlite.ts'
import { UserError } from '../../server/user-error.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { DATABASES, ignoredEvents, makeDatabase, makeStore, type TestDatabase } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { beginElsewhere, lockWaits, query } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

/** The next release adds a column. */
const nextRelease: Migrations = (dialect) => ({
  ...MIGRATIONS(dialect),
  '9999-next': { up: (db) => db.schema.alterTable('enquiries').addColumn('next', 'text').execute() },
})

const MIGRATED = "insert into kysely_migration values ('9999-next', '2999-01-01T00:00:00.000Z')"

let database: TestDatabase

async function useDatabase(kind: (typeof DATABASES)[number]) {
  database = await makeDatabase(kind)
  onTestFinished(database.remove)
}

const openNext = (): Promise<Database> =>
  database.url.startsWith('sqlite:')
    ? serveSqlite(database.file, () => {}, nextRelease)
    : servePostgres(database.url, { migrations: nextRelease })

const emails = async () => (await database.rows('subscribers')).map(({ email }) => email)

/** Leaves a database with one row. */
async function storeOne() {
  const store = makeStore(await database.open())
  expect(await store.addSubscriber('before@example.com')).toBe('added')
  await store.close()
}

test.each(DATABASES)(
  'on %s a next release changes the tables and keeps their rows, and this one then starts no more',
  async (kind) => {
    await useDatabase(kind)
    await storeOne()
    const next = await openNext()
    expect(await next.run((db) => sql`select next from enquiries`.execute(db))).toMatchObject({ rows: [] })
    await next.close()
    const opened = database.open()
    await expect(opened).rejects.toThrow(UserError)
    const name = kind === 'sqlite' ? database.file : database.url.replace(/\/\/.*@/, '//')
    await expect(opened).rejects.toThrow(`The tables of ${name} are newer than this release: `)
    expect(await emails()).toEqual(['before@example.com'])
  },
)

test('leads neither reads, changes nor backs up tables of another release, and says which side is older', async () => {
  await useDatabase('sqlite')
  await storeOne()
  const file = database.file
  const other = new SqliteFile(file)
  onTestFinished(() => void other.close())
  const expectRefused = async (words: string) => {
    const stderr = expect.stringMatching(new RegExp(`^The tables of .+ are ${words} .+\n$`))
    for (const args of [['stats'], ['erase', 'before@example.com', '--yes'], ['backup', `${file}.copy`]]) {
      expect(await leads(database.url, args)).toEqual({ code: 1, stdout: '', stderr })
    }
    expect(existsSync(`${file}.copy`)).toBe(false)
  }
  other.exec('delete from kysely_migration')
  await expectRefused('older than this release: start its server,')
  other.exec(MIGRATED)
  await expectRefused('newer than this release: use the "leads" of')
  expect(await emails()).toEqual(['before@example.com'])
})

describe('on PostgreSQL', () => {
  beforeEach(() => useDatabase('postgres'))

  test('two servers of the next release change the tables once, under the load of this one, nothing lost, nothing doubled', async () => {
    const stores = [makeStore(await database.open())]
    const acknowledged: string[] = []
    let isOver = false
    async function client(number: number) {
      for (let i = 0; !isOver; i++) {
        const email = `visitor${number}.${i}@example.com`
        expect(await stores[i % stores.length]?.addSubscriber(email)).toBe('added')
        acknowledged.push(email)
      }
    }
    const clients = Promise.all(Array.from({ length: 10 }, (_, number) => client(number)))
    function more() {
      const before = acknowledged.length
      return Promise.race([clients, until(() => acknowledged.length > before + 50)])
    }
    await more()
    stores.push(...(await Promise.all([openNext(), openNext()])).map((next) => makeStore(next)))
    await more()
    isOver = true
    await clients
    await Promise.all(stores.map((store) => store.close()))
    expect((await emails()).toSorted()).toEqual(acknowledged.toSorted())
  })

  test('while a next release waits for a long read to end, what visitors send to this one is stored', async () => {
    const store = makeStore(await database.open(), { timeoutMs: 10_000 })
    onTestFinished(() => store.close())
    const release = await beginElsewhere(database.url, 'select * from enquiries')
    const opening = openNext()
    for (let i = 0; i < 3; i++) {
      await until(() => lockWaits(database.url))
      expect(await store.addEnquiry(anEnquiry(), null)).toBe('stored')
    }
    await release()
    await (await opening).close()
    expect(await database.rows('enquiries')).toMatchObject(Array(3).fill({ next: null }))
  })

  test('a database that was away at the start, and that a next release has migrated meanwhile, is never written', async () => {
    await storeOne()
    const name = new URL(database.url).pathname.slice(1)
    const rename = (from: string, to: string) => query(inject('postgresUrl'), `alter database ${from} rename to ${to}`)
    await rename(name, `${name}_away`)
    const refused = vi.fn()
    const store = makeStore(await database.open(), { timeoutMs: 200, events: { ...ignoredEvents, refused } })
    onTestFinished(store.close)
    await query(`${database.url}_away`, MIGRATED)
    await rename(`${name}_away`, name)
    await until(async () => {
      expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
      return describeDatabaseError(refused.mock.lastCall?.[1]).includes('are newer than this release')
    })
    expect(await emails()).toEqual(['before@example.com'])
  })
})

test('the page on personal data names every column of every table', async () => {
  const sqlite = await makeDatabase('sqlite')
  onTestFinished(sqlite.remove)
  const opened = await sqlite.open()
  const tables = await opened.run((db) => db.introspection.getTables({ withInternalKyselyTables: true }))
  await opened.close()
  const rows = readFileSync('docs/privacy.md', 'utf8').match(/^\| `.+/gm) ?? []
  expect(tables).toHaveLength(6)
  for (const { name, columns } of tables) {
    const row = rows.find((text) => text.split('|')[1]?.includes(`\`${name}\``))
    expect(
      columns.filter((column) => !row?.includes(`\`${column.name}\``)),
      name,
    ).toEqual([])
  }
})
