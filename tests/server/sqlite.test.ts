import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
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
  const told: string[] = []
  const database = await serveSqlite(file, (line) => told.push(line))
  const store = sqlStore(database, () => ignoredEvents, [], LIMITS)
  expect(await store.addSubscriber('before@example.com')).toBe('added')
  return { store, told, status: database.fileStatus }
}

function makeOther() {
  const other = new SqliteFile(join(folder, 'other.db'))
  for (let i = 0; i < 20; i++) other.exec(`create table made${i} (text)`)
  other.close()
  return other.name
}

const create = async (path = file) => (await serveSqlite(path, () => {})).close()

test('commits reach the disk, not only the operating system, and do not wait for locks, which would hold up all', async () => {
  const database = await serveSqlite(file, () => {})
  const read = async (name: string) => (await database.run((db) => sql`pragma ${sql.raw(name)}`.execute(db))).rows
  expect(await Promise.all(['journal_mode', 'synchronous', 'busy_timeout'].map(read))).toEqual([
    [{ journal_mode: 'wal' }],
    [{ synchronous: 2 }],
    [{ timeout: 0 }],
  ])
  await database.close()
})

describe('a file that is lost under the server', () => {
  test('is noticed while nobody writes, reported in one line, and marked for its owner alone', async () => {
    const { store, told, status } = await openStore()
    expect(status()?.isLost).toBe(false)
    rmSync(file)
    await until(() => told.length > 0)
    await store.close()
    expect(told).toEqual([
      expect.stringMatching(/^The database .+ was deleted or moved away\. .+ and run "leads recover"\.$/),
    ])
    expect(status()).toMatchObject({ isLost: true, size: expect.any(Number), free: expect.any(Number) })
    expect(readdirSync(dirname(file)).toSorted()).toEqual(['leads.db-lost', 'leads.db-shm', 'leads.db-wal'])
    expect(statSync(`${file}-lost`).mode & 0o777).toBe(0o600)
    expect(readFileSync(`${file}-lost`, 'utf8')).not.toContain('@')
    await expect(create()).rejects.toThrow(told[0])
  })

  test('is refused from then on, also when it is back', async () => {
    const { store } = await openStore()
    renameSync(file, `${file}.away`)
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    renameSync(`${file}.away`, file)
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    expect(await store.checkReadiness()).toBe('unavailable')
    await store.close()
    expect(emails()).toEqual(['before@example.com'])
  })

  test.each([
    ['its end is cut off', () => truncateSync(file, statSync(file).size - 4096)],
    ['another database is copied over it, though that has changed more often', () => copyFileSync(makeOther(), file)],
  ])('is noticed when %s', async (_, damage) => {
    const { store, told } = await openStore()
    damage()
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    expect(told).toEqual([expect.stringContaining('was overwritten or cut off in place')])
    await store.close()
  })

  test('is marked as soon as that is possible, and the line says that it was not', async () => {
    const { store, told } = await openStore()
    renameSync(dirname(file), join(folder, 'away'))
    writeFileSync(dirname(file), 'in the way')
    await until(() => told.length > 0)
    expect(told).toEqual([expect.stringMatching(/ The marker .+-lost can't be written \(\w+\): make room .+\.$/)])
    rmSync(dirname(file))
    await until(() => existsSync(`${file}-lost`))
    await store.close()
  })

  test.each(['', '-wal', '-shm'])('is lost with its "%s" alone, also behind a link', async (suffix) => {
    const target = join(folder, 'elsewhere.db')
    await create(target)
    mkdirSync(dirname(file), { recursive: true })
    symlinkSync(target, file)
    const { store } = await openStore()
    rmSync(target + suffix)
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    await store.close()
    await expect(create()).rejects.toThrow('leads recover')
  })
})

test('a file that another program makes shorter, as after an erasure, is not lost', async () => {
  const { store } = await openStore()
  const other = new SqliteFile(file)
  other.exec('create table large (text); insert into large values (zeroblob(1e6)); pragma wal_checkpoint')
  expect(await store.checkReadiness()).toBe('ready')
  other.exec('drop table large; vacuum; pragma wal_checkpoint(truncate)')
  other.close()
  expect(await store.addSubscriber('after@example.com')).toBe('added')
  await store.close()
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

test.each(['-wal', '-journal'])(
  'a start without the file makes no other beside a %s, also where a link led to it or the file is empty',
  async (suffix) => {
    await create()
    const link = join(folder, 'link.db')
    symlinkSync(join('made', 'on demand', 'leads.db'), link)
    renameSync(file, file + suffix)
    for (const path of [file, link]) await expect(create(path)).rejects.toThrow(`${file + suffix}, which belongs to it`)
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, '')
    await expect(create()).rejects.toThrow(file + suffix)
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
