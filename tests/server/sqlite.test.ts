import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sqlStore } from '../../server/storage/sql-store.ts'
import { serveSqlite } from '../../server/storage/sqlite.ts'
import { ignoredEvents } from '../support/ignored-events.ts'
import { readTable } from '../support/server/databases.ts'
import { until } from '../support/until.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'made', 'on demand', 'leads.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const emails = (of = file) => readTable(of, 'subscribers').map((row) => row.email)

const LIMITS = { maxQueue: 100, maxBatch: 100, maxAgeMs: 200, retryDelayMs: 5 }

/** A store that has taken one address, and what the log is told. */
async function openStore() {
  const database = await serveSqlite(file)
  const told: string[] = []
  database.onLoss((line) => told.push(line))
  const store = sqlStore(database, () => ignoredEvents, [], LIMITS)
  expect(await store.addSubscriber('before@example.com')).toBe('added')
  return { store, told }
}

test('commits reach the disk, not only the operating system, and do not wait for locks, which would hold up all', async () => {
  const database = await serveSqlite(file)
  const read = async (name: string) => (await database.run((db) => sql`pragma ${sql.raw(name)}`.execute(db))).rows
  expect(await Promise.all(['journal_mode', 'synchronous', 'busy_timeout'].map(read))).toEqual([
    [{ journal_mode: 'wal' }],
    [{ synchronous: 2 }],
    [{ timeout: 0 }],
  ])
  await database.close()
})

test('a start goes on where the release before crashed in the middle of its migrations', async () => {
  await (await serveSqlite(file)).close()
  const database = new SqliteFile(file)
  database.exec(`delete from kysely_migration; drop table enquiries;
    alter table subscribers drop column request_id; alter table outbox drop column locked_by;
    alter table outbox rename column channel to way`)
  database.close()
  const { store } = await openStore()
  expect(await store.checkReadiness()).toBe('ready')
  await store.close()
})

describe('a file that is lost under the server', () => {
  const expectRescued = (suffix = '') => expect(emails(`${file}-rescued${suffix}`)).toEqual(['before@example.com'])

  test('is saved beside its place while nobody writes, for its owner alone, and one line says so', async () => {
    const { store, told } = await openStore()
    rmSync(file)
    await until(() => told.length > 0)
    expect(told).toEqual([
      expect.stringMatching(
        /^The database file .+ or its write-ahead log was deleted.+ All rows are in .+-rescued: .+$/,
      ),
    ])
    expect(readdirSync(join(folder, 'made', 'on demand'))).toEqual(['leads.db-rescued'])
    expectRescued()
    expect(statSync(`${file}-rescued`).mode & 0o777).toBe(0o600)
    await store.close()
  })

  test('is refused from then on, also when it is back', async () => {
    const { store } = await openStore()
    renameSync(file, `${file}.away`)
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    renameSync(`${file}.away`, file)
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    expect(await store.checkReadiness()).toBe('unavailable')
    await store.close()
    // Without a reader in the way the file has got what only its log held.
    expect(emails()).toEqual(['before@example.com'])
  })

  test('is saved at the end, also when its folder is gone, never over what was saved before, which a start tells', async () => {
    for (const suffix of ['', '-2']) {
      const { store } = await openStore()
      rmSync(file)
      await store.close()
      expectRescued(suffix)
      // A start makes none where one is missing.
      writeFileSync(file, '', { mode: 0o600 })
    }
    const { store, told } = await openStore()
    expect(told).toEqual([expect.stringContaining(`${file}-rescued holds the rows of a lost database file`)])
    rmSync(join(folder, 'made'), { recursive: true })
    await store.close()
    expectRescued()
  })

  test('is saved when there is room again, and both is said once', async () => {
    const { store, told } = await openStore()
    mkdirSync(`${file}-rescued-part`)
    rmSync(file)
    await until(() => told.length > 0)
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    rmSync(`${file}-rescued-part`, { recursive: true })
    await until(() => told.length > 1)
    expect(told).toEqual([
      expect.stringMatching(/Its rows can't be saved in .+-rescued \(\w+\): make room/),
      expect.stringMatching(/All rows are in .+-rescued:/),
    ])
    expectRescued()
    await store.close()
  })

  test.each(['', '-wal', '-shm'])('is lost with its "%s" alone, also behind a link', async (suffix) => {
    const target = join(folder, 'elsewhere.db')
    await (await serveSqlite(target)).close()
    mkdirSync(dirname(file), { recursive: true })
    symlinkSync(target, file)
    const { store } = await openStore()
    rmSync(target + suffix)
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    await store.close()
    expectRescued()
  })
})

test('an end leaves the log of a file that took the place of the one that was opened', async () => {
  const { store } = await openStore()
  const source = new SqliteFile(join(folder, 'other.db'))
  source.exec('pragma journal_mode = wal; create table kept (a); insert into kept values (1)')
  for (const suffix of ['', '-wal']) copyFileSync(`${source.name}${suffix}`, `${file}.new${suffix}`)
  source.close()
  for (const suffix of ['', '-wal']) renameSync(`${file}.new${suffix}`, file + suffix)
  await store.close()
  const restored = new SqliteFile(file)
  expect(restored.prepare('select * from kept').all()).toEqual([{ a: 1 }])
  restored.close()
})

test.each(['-rescued', '-rescued-part', '-lost-wal', '-wal', '-journal'])(
  'a start without the file makes no other beside a %s, also where a link led to it',
  async (suffix) => {
    await (await serveSqlite(file)).close()
    const link = join(folder, 'link.db')
    symlinkSync(join('made', 'on demand', 'leads.db'), link)
    renameSync(file, file + suffix)
    for (const path of [file, link]) await expect(serveSqlite(path)).rejects.toThrow(file + suffix)
    expect(existsSync(file)).toBe(false)
  },
)

test('it is not ready while a table for leads is gone', async () => {
  const { store } = await openStore()
  const other = new SqliteFile(file)
  other.exec('alter table enquiries rename to gone')
  other.close()
  expect(await store.checkReadiness()).toBe('unavailable')
  await store.close()
})

test('a file is not written while it is read-only, for root neither, and written again when it is not', async () => {
  const { store } = await openStore()
  chmodSync(file, 0o400)
  expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
  expect(emails()).toEqual(['before@example.com'])
  chmodSync(file, 0o600)
  expect(await store.addSubscriber('refused@example.com')).toBe('added')
  await store.close()
})
