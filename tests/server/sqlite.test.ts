import {
  copyFileSync,
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
import { ignoredEvents, ignoredLog } from '../support/ignored-events.ts'
import { readTable } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { until } from '../support/until.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'made', 'on demand', 'leads.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const emails = (of = file) => readTable(of, 'subscribers').map((row) => row.email)

const LIMITS = { maxQueue: 100, maxBatch: 100, timeoutMs: 200, retryDelayMs: 5 }

const OVERWRITTEN = /overwritten or cut off in place/

const older = () => join(folder, 'older.db')

function copyOf(path: string) {
  copyFileSync(path, `${path}.new`)
  return `${path}.new`
}

/** The files and what they hold, but of the log's index, which holds locks. */
const contents = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.db(-wal)?$/.test(name))
    .map((name) => [name, readFileSync(join(folder, name)).toString('base64')])

/** A store that has taken one address, and what the log is told. */
async function openStore() {
  const told: string[] = []
  const database = await serveSqlite(file, { info() {}, error: (line) => told.push(line) })
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

const create = async (path = file) => (await serveSqlite(path, ignoredLog)).close()

test('commits reach the disk, not only the operating system, and do not wait for locks, which would hold up all', async () => {
  const database = await serveSqlite(file, ignoredLog)
  const read = async (name: string) => (await database.run((db) => sql`pragma ${sql.raw(name)}`.execute(db))).rows
  expect(await Promise.all(['journal_mode', 'synchronous', 'busy_timeout'].map(read))).toEqual([
    [{ journal_mode: 'wal' }],
    [{ synchronous: 2 }],
    [{ timeout: 0 }],
  ])
  await database.close()
})

describe('a file that is lost under the server', () => {
  test('is noticed while nobody writes, and reported in one line', async () => {
    const { store, told, status } = await openStore()
    expect(status()?.isLost).toBe(false)
    rmSync(file)
    await until(() => told.length > 0)
    await store.close()
    expect(told).toEqual([
      expect.stringMatching(
        /^The database .+ was deleted or moved away\. Calls are answered 503 .+ or with the file itself\.$/,
      ),
    ])
    expect(status()).toMatchObject({ isLost: true, size: expect.any(Number), free: expect.any(Number) })
    expect(readdirSync(dirname(file)).toSorted()).toEqual(['leads.db-shm', 'leads.db-wal'])
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

  test.each<[what: string, damage: () => void, told: RegExp]>([
    ['moved away with its folder', () => renameSync(dirname(file), join(folder, 'moved')), /deleted or moved away/],
    ['replaced by a copy', () => renameSync(copyOf(file), file), /replaced by another file/],
    ['overwritten by a copy from under an earlier server', () => copyFileSync(older(), file), OVERWRITTEN],
    [
      'overwritten by another database, which has changed more often',
      () => copyFileSync(makeOther(), file),
      OVERWRITTEN,
    ],
    ['emptied', () => truncateSync(file), OVERWRITTEN],
    ['cut off at its end', () => truncateSync(file, statSync(file).size - 4096), OVERWRITTEN],
  ])('is noticed when it is %s, and touched no more', async (_, damage, line) => {
    const earlier = await serveSqlite(file, ignoredLog)
    copyFileSync(file, older())
    await earlier.close()
    const { store, told } = await openStore()
    damage()
    const before = contents()
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    await store.close()
    expect(told).toEqual([expect.stringMatching(line)])
    expect(contents()).toEqual(before)
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

/** A file in use, with its log: what a server leaves that is killed. */
async function makeKilled() {
  const { store } = await openStore()
  const killed = join(folder, 'killed.db')
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, killed + suffix)
  await store.close()
  return killed
}

test.each<[what: string, damage: (killed: string) => void, why: string, command: string]>([
  ['ended cleanly', (killed) => copyFileSync(file, killed), 'does not belong to', 'stats'],
  ['is missing', (killed) => rmSync(killed), 'holds rows', 'stats'],
  ['is empty', (killed) => truncateSync(killed), 'holds rows', 'stats'],
  ['lost its log', (killed) => rmSync(`${killed}-wal`), 'is missing', 'erase nobody@example.com --yes'],
])(
  'of what a killed server left, where the file %s, nothing is used or changed, also through a link',
  async (_, damage, why, command) => {
    const killed = await makeKilled()
    const link = join(folder, 'link')
    symlinkSync('killed.db', link)
    damage(killed)
    const before = contents()
    for (const path of [killed, link]) {
      await expect(create(path)).rejects.toThrow(why)
      const stderr = expect.stringMatching(`${why}.* Put back what was there`)
      expect(await leads(`sqlite:${path}`, command.split(' '))).toMatchObject({ code: 1, stderr })
    }
    expect(contents()).toEqual(before)
  },
)

async function endAsEarlier(killed: string) {
  const earlier = new SqliteFile(killed)
  earlier.pragma('application_id = 7')
  earlier.close()
}

test.each<[after: string, call: (killed: string) => Promise<unknown>]>([
  ['a command that reads', (killed) => leads(`sqlite:${killed}`, ['stats'])],
  ['a command that writes', (killed) => leads(`sqlite:${killed}`, ['erase', 'nobody@example.com', '--yes'])],
  ['an end of an earlier release, whose marks are positive', endAsEarlier],
  ['a start of a release that is too old', (killed) => serveSqlite(killed, ignoredLog, () => ({})).catch(() => {})],
])('what a killed server left is used after %s', async (_, call) => {
  const killed = await makeKilled()
  await call(killed)
  await create(killed)
  expect(emails(killed)).toEqual(['before@example.com'])
})

test('a start that was killed while it made the tables hinders no other', async () => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  writeFileSync(`${file}-journal`, 'half a journal')
  await create()
  expect(readdirSync(dirname(file))).toEqual(['leads.db'])
})

test('it is not ready while a table for leads is gone', async () => {
  const { store } = await openStore()
  const other = new SqliteFile(file)
  other.exec('alter table enquiries rename to gone')
  other.close()
  expect(await store.checkReadiness()).toBe('unavailable')
  await store.close()
})
