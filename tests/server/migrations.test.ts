import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readSettings } from '../../server/settings.ts'
import { MIGRATIONS, type Migrations } from '../../server/storage/migrations.ts'
import { openDatabase } from '../../server/storage/open-database.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { databaseWith, makeStore, subscriber } from '../support/server/databases.ts'
import { beginElsewhere, lockWaits } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

const NEXT_RELEASE: Migrations = [
  ...MIGRATIONS,
  () => ["alter table enquiries add column of_next_release text not null default ''"],
]

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  const database = databaseWith({}, kind)
  const enquire = () => makeStore(database).addEnquiry(anEnquiry(), 'KEY')

  async function migrate(migrations: Migrations) {
    const report = vi.fn()
    const address = readSettings({ DATABASE_URL: database.url }).DATABASE_URL
    const migrated = await openDatabase(address, { info: report, warn: report }, migrations)
    await migrated.close()
    return report.mock.calls.flat()
  }

  test('this release runs on the tables of the next release, which keep their rows', async () => {
    await enquire()
    await migrate(NEXT_RELEASE)
    const release = await database.open()
    onTestFinished(release.close)
    // When an enquiry is repeated, the server compares it with the stored enquiry.
    for (const key of ['KEY', 'OTHER']) expect(await makeStore(release).addEnquiry(anEnquiry(), key)).toBe('stored')
    // Commands can read the newer tables too: this test reads them as a command does.
    expect(await database.rows('enquiries')).toMatchObject(Array(2).fill({ of_next_release: '' }))
  })

  test('a migration that fails leaves the tables as they were', async () => {
    await enquire()
    const failing = [...NEXT_RELEASE, () => ['alter table nowhere add of_next_release text']]
    await expect(migrate(failing)).rejects.toThrow("Can't use the database")
    expect(Object.keys((await database.rows('enquiries'))[0] ?? {})).not.toContain('of_next_release')
  })

  test('tables of only the first migration keep their rows, and take more', async () => {
    for (const table of ['subscribers', 'enquiries', 'readiness', 'schema_version'])
      await database.run((db) => sql`drop table ${sql.table(table)}`.execute(db))
    expect(await migrate(MIGRATIONS.slice(0, 1))).toEqual([expect.stringContaining('new, empty database')])
    await database.add({ subscribers: [subscriber('ada@example.com')] })
    await migrate(MIGRATIONS)
    expect(await enquire()).toBe('stored')
    expect(await makeStore(database).checkReadiness()).toBe('ready')
    expect(await database.rows('subscribers')).toHaveLength(1)
  })

  // The other tests need two connections that lock tables. SQLite locks the whole file.
  if (kind === 'sqlite') return

  test('servers migrate once under load, and refuse and lose no enquiry', async () => {
    // This migration is so slow that both servers begin before one of them ends.
    const slow = [...MIGRATIONS, () => ['select pg_sleep(0.5)', 'alter table enquiries add of_next_release text']]
    const store = makeStore(database)
    async function client() {
      for (let i = 0; i < 40; i++) expect(await store.addEnquiry(anEnquiry(), null)).toBe('stored')
    }
    const [reports] = await Promise.all([Promise.all([migrate(slow), migrate(slow)]), client(), client()])
    expect(reports.flat()).toHaveLength(1)
    expect(await database.rows('enquiries')).toHaveLength(80)
  })

  test('a migration that waits for a long read gives up before a visitor is refused', async () => {
    onTestFinished(await beginElsewhere(database.url, 'select * from enquiries'))
    const migrated = expect(migrate(NEXT_RELEASE)).rejects.toThrow(
      'Another program keeps tables of the database locked',
    )
    await until(() => lockWaits(database.url))
    expect(await enquire()).toBe('stored')
    await migrated
  })
})
