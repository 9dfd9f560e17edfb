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
import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../server/storage/database.ts'
import { sqlStore } from '../../server/storage/sql-store.ts'
import { serveSqlite } from '../../server/storage/sqlite.ts'
import { ignoredEvents } from '../support/ignored-events.ts'
import { readTable } from '../support/server/databases.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'made', 'on demand', 'leads.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const ask = <Row>(database: Database, statement: RawBuilder<Row>) => database.run((db) => statement.execute(db))
const emails = () => readTable(file, 'subscribers').map((row) => row.email)

describe('opening', () => {
  test('makes the folder for its owner alone', async () => {
    await (await serveSqlite(file)).close()
    expect(statSync(join(folder, 'made')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'made', 'on demand')).mode & 0o777).toBe(0o700)
  })

  test('sees to it that commits reach the disk, not only the operating system', async () => {
    const database = await serveSqlite(file)
    const { rows: journal } = await ask(database, sql`pragma journal_mode`)
    const { rows: synchronous } = await ask(database, sql`pragma synchronous`)
    await database.close()
    expect([journal, synchronous]).toEqual([[{ journal_mode: 'wal' }], [{ synchronous: 2 }]])
  })

  test('goes on where the release before crashed in the middle of its migrations', async () => {
    await (await serveSqlite(file)).close()
    const database = new SqliteFile(file)
    database.exec(`delete from kysely_migration; drop table enquiries;
      alter table subscribers drop column request_id; alter table outbox drop column locked_by;
      alter table outbox rename column channel to way`)
    database.close()
    const store = sqlStore(await serveSqlite(file), () => ignoredEvents)
    expect(
      await store.addEnquiry({ first: 'Given', last: 'Family', email: 'visitor@example.com', message: 'Hello' }, null),
    ).toBe('stored')
    await store.close()
  })
})

describe('a file that is lost under the server', () => {
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

  const rescued = (suffix = '') => readTable(`${file}-rescued${suffix}`, 'subscribers').map((row) => row.email)

  test('is saved beside its place while nobody writes, for its owner alone, and one line says so', async () => {
    const { store, told } = await openStore()
    rmSync(file)
    await vi.waitUntil(() => told.length > 0, { timeout: WAIT_TIMEOUT })
    expect(told).toEqual([
      expect.stringMatching(
        /^The database file .+ or its write-ahead log was deleted.+ All rows are in .+-rescued: .+$/,
      ),
    ])
    expect(readdirSync(join(folder, 'made', 'on demand'))).toEqual(['leads.db-rescued'])
    expect(rescued()).toEqual(['before@example.com'])
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

  test('is saved at the end, also when its folder is gone, and never over what was saved before', async () => {
    for (const suffix of ['', '-2', '-3']) {
      const { store } = await openStore()
      rmSync(file)
      await store.close()
      expect(rescued(suffix)).toEqual(['before@example.com'])
      // A start makes none where one is missing.
      writeFileSync(file, '', { mode: 0o600 })
    }
    const { store } = await openStore()
    rmSync(join(folder, 'made'), { recursive: true })
    await store.close()
    expect(rescued()).toEqual(['before@example.com'])
  })

  test('is told of at a start too, as long as its rows lie beside the file', async () => {
    const { store } = await openStore()
    rmSync(`${file}-wal`)
    await store.close()
    const database = await serveSqlite(file)
    const told: string[] = []
    database.onLoss((line) => told.push(line))
    expect(told).toEqual([expect.stringContaining(`${file}-rescued holds the rows of a lost database file`)])
    await database.close()
  })

  test('is saved when there is room again, and both is said once', async () => {
    const { store, told } = await openStore()
    mkdirSync(`${file}-rescued-part`)
    rmSync(file)
    await vi.waitUntil(() => told.length > 0, { timeout: WAIT_TIMEOUT })
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    rmSync(`${file}-rescued-part`, { recursive: true })
    await vi.waitUntil(() => told.length > 1, { timeout: WAIT_TIMEOUT })
    expect(told).toEqual([
      expect.stringMatching(/Its rows can't be saved in .+-rescued \(\w+\): make room/),
      expect.stringMatching(/All rows are in .+-rescued:/),
    ])
    expect(rescued()).toEqual(['before@example.com'])
    await store.close()
  })

  test.each(['-wal', '-shm'])('is lost with its %s alone, too', async (suffix) => {
    const { store } = await openStore()
    rmSync(file + suffix)
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    await store.close()
    expect(rescued()).toEqual(['before@example.com'])
  })

  test('is noticed behind a link', async () => {
    const target = join(folder, 'elsewhere.db')
    await (await serveSqlite(target)).close()
    mkdirSync(dirname(file), { recursive: true })
    symlinkSync(target, file)
    const { store } = await openStore()
    rmSync(target)
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    await store.close()
    expect(rescued()).toEqual(['before@example.com'])
  })
})

describe('an end', () => {
  test('leaves the log of a file that took the place of the one that was opened', async () => {
    const database = await serveSqlite(file)
    const other = join(folder, 'other.db')
    const source = new SqliteFile(other)
    source.exec('pragma journal_mode = wal; create table kept (a); insert into kept values (1)')
    for (const suffix of ['', '-wal']) copyFileSync(other + suffix, `${other}.copy${suffix}`)
    source.close()
    for (const suffix of ['', '-wal']) renameSync(`${other}.copy${suffix}`, file + suffix)
    await database.close()
    const restored = new SqliteFile(file)
    expect(restored.prepare('select * from kept').all()).toEqual([{ a: 1 }])
    restored.close()
  })
})

describe('a start without the file', () => {
  test.each(['-rescued', '-rescued-part', '-lost-wal', '-wal', '-journal'])(
    'makes no other beside a %s',
    async (suffix) => {
      await (await serveSqlite(file)).close()
      renameSync(file, file + suffix)
      await expect(serveSqlite(file)).rejects.toThrow(`${file}${suffix}`)
      expect(existsSync(file)).toBe(false)
    },
  )

  test('makes no other where a link led to it and its log is still there', async () => {
    await (await serveSqlite(file)).close()
    const link = join(folder, 'link.db')
    symlinkSync(join('made', 'on demand', 'leads.db'), link)
    renameSync(file, `${file}-wal`)
    await expect(serveSqlite(link)).rejects.toThrow(`Found ${file}-wal without its database ${link}:`)
    expect(existsSync(file)).toBe(false)
  })
})

test('a file is not written while it is read-only, for root neither, and written again when it is not', async () => {
  const store = sqlStore(await serveSqlite(file), () => ignoredEvents, [], {
    maxQueue: 100,
    maxBatch: 100,
    maxAgeMs: 200,
    retryDelayMs: 5,
  })
  expect(await store.addSubscriber('before@example.com')).toBe('added')
  chmodSync(file, 0o400)
  expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
  expect(await store.checkReadiness()).toBe('unavailable')
  expect(emails()).toEqual(['before@example.com'])
  chmodSync(file, 0o600)
  expect(await store.checkReadiness()).toBe('ready')
  expect(await store.addSubscriber('refused@example.com')).toBe('added')
  await store.close()
})
