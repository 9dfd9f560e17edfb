import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { MIGRATIONS, type Migrations } from '../../server/storage/migrations.ts'
import { servePostgres } from '../../server/storage/postgres.ts'
import { serveSqlite } from '../../server/storage/sqlite.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { DATABASES, makeDatabase, makeStore, type TestDatabase } from '../support/server/databases.ts'
import { read } from '../support/server/leads.ts'
import { beginElsewhere, lockWaits } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

const NEXT_RELEASE: Migrations = [
  ...MIGRATIONS,
  () => ["alter table enquiries add column of_next_release text not null default ''"],
]

let sandbox: TestDatabase

describe.each(DATABASES)('on %s', (kind) => {
  beforeEach(async () => {
    sandbox = await makeDatabase(kind)
    return sandbox.remove
  })

  const open = (migrations: Migrations, report: (line: string) => void = () => {}) =>
    kind === 'sqlite' ? serveSqlite(sandbox.file, report, migrations) : servePostgres(sandbox.url, report, migrations)

  /** Sends one enquiry twice, with the same key, to a server of this release. */
  async function sendTwice() {
    const store = makeStore(await sandbox.open())
    const send = () => store.addEnquiry(anEnquiry(), 'KEY')
    expect([await send(), await send()]).toEqual(['stored', 'stored'])
    await store.close()
  }

  test('the next release changes the tables, keeps their rows, and reports it', async () => {
    await sendTwice()
    const report = vi.fn()
    await (await open(NEXT_RELEASE, report)).close()
    expect(await sandbox.rows('enquiries')).toMatchObject([{ of_next_release: '' }])
    expect(report.mock.calls).toEqual([
      [`Migrating the tables from version ${MIGRATIONS.length} to ${NEXT_RELEASE.length}; this may take minutes`],
      ['Migrated the tables'],
    ])
  })

  test('this release runs on the tables of the next release', async () => {
    await (await open(NEXT_RELEASE)).close()
    await sendTwice()
    expect(await sandbox.rows('enquiries')).toMatchObject([{ of_next_release: '' }])
    expect(await read(sandbox.url, 'export', 'enquiries')).toContain('visitor@example.com')
    // This release also keeps the version of the tables, so that a second update works.
    await (await open(NEXT_RELEASE)).close()
  })

  test('a migration that fails leaves the tables as they were', async () => {
    await sendTwice()
    await expect(open([...NEXT_RELEASE, () => ['alter table nowhere add of_next_release text']])).rejects.toThrow(
      'nowhere',
    )
    expect(Object.keys((await sandbox.rows('enquiries'))[0] ?? {})).not.toContain('of_next_release')
  })
})

describe('on PostgreSQL', () => {
  beforeEach(async () => {
    sandbox = await makeDatabase('postgres')
  })

  const migrate = async (report: (line: string) => void = () => {}) =>
    (await servePostgres(sandbox.url, report, NEXT_RELEASE)).close()

  async function openStore() {
    const store = makeStore(await sandbox.open())
    onTestFinished(store.close)
    return () => store.addEnquiry(anEnquiry(), null)
  }

  test('servers that start at the same time migrate once', async () => {
    await (await sandbox.open()).close()
    const report = vi.fn()
    await Promise.all([migrate(report), migrate(report), migrate(report)])
    expect(report).toHaveBeenCalledTimes(2)
  })

  test('the next release migrates under load, and refuses and loses no enquiry', async () => {
    const enquire = await openStore()
    async function client() {
      for (let i = 0; i < 50; i++) expect(await enquire()).toBe('stored')
    }
    await Promise.all([client(), client(), migrate(), client()])
    expect(await sandbox.rows('enquiries')).toHaveLength(150)
  })

  test('a migration that waits for a long read gives up before a visitor is refused', async () => {
    const enquire = await openStore()
    onTestFinished(await beginElsewhere(sandbox.url, 'select * from enquiries'))
    const migrated = expect(migrate()).rejects.toThrow('lock timeout')
    await until(() => lockWaits(sandbox.url))
    expect(await enquire()).toBe('stored')
    await migrated
  })
})

test('docs/privacy.md names every column of every table', async () => {
  const sqlite = await makeDatabase('sqlite')
  const { run, close } = await sqlite.open()
  onTestFinished(() => close().then(sqlite.remove))
  const rows = readFileSync('docs/privacy.md', 'utf8').match(/^\| `.+/gm) ?? []
  const tables = await run((db) => db.introspection.getTables())
  expect(tables).toHaveLength(4)
  for (const { name, columns } of tables) {
    const row = rows.find((text) => text.split('|')[1]?.includes(`\`${name}\``)) ?? ''
    const unnamed = columns.filter((column) => !row.includes(`\`${column.name}\``))
    expect(unnamed, name).toEqual([])
  }
})
