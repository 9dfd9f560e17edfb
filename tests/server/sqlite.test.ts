import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../server/database.ts'
import { sqlStore } from '../../server/sql-store.ts'
import { openSqlite } from '../../server/sqlite.ts'
import { readTable } from '../support/databases.ts'
import { ignoredEvents } from '../support/ignored-events.ts'

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
    await (await openSqlite(file)).close()
    expect(statSync(join(folder, 'made')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'made', 'on demand')).mode & 0o777).toBe(0o700)
  })

  test('sees to it that commits reach the disk, not only the operating system', async () => {
    const database = await openSqlite(file)
    const { rows: journal } = await ask(database, sql`pragma journal_mode`)
    const { rows: synchronous } = await ask(database, sql`pragma synchronous`)
    await database.close()
    expect([journal, synchronous]).toEqual([[{ journal_mode: 'wal' }], [{ synchronous: 2 }]])
  })

  test('goes on where a crash in the middle of a migration left off', async () => {
    await (await openSqlite(file)).close()
    const database = new SqliteFile(file)
    database.exec('delete from kysely_migration; drop table enquiries')
    database.close()
    const store = sqlStore(await openSqlite(file), () => ignoredEvents)
    expect(
      await store.addEnquiry({ first: 'Given', last: 'Family', email: 'visitor@example.com', message: 'Hello' }, null),
    ).toBe('stored')
    await store.close()
  })
})

describe('a file that changes under the server', () => {
  const LIMITS = { length: 100, batch: 100, age: 200, pause: 5 }

  async function storeWith(email: string) {
    const store = sqlStore(await openSqlite(file), () => ignoredEvents, [], LIMITS)
    expect(await store.addSubscriber(email)).toBe('added')
    return store
  }

  const others = () => readdirSync(join(folder, 'made', 'on demand')).filter((name) => !name.startsWith('leads.db'))

  test.each([
    ['the file alone', ['']],
    ['the log alone', ['-wal']],
    ['the index of the log alone', ['-shm']],
    ['all of them', ['', '-wal', '-shm']],
  ])('is put back with every row when somebody deletes %s', async (_, suffixes) => {
    const store = await storeWith('before@example.com')
    for (const suffix of suffixes) rmSync(file + suffix)
    expect(await store.addSubscriber('after@example.com')).toBe('added')
    // A crash at once finds all that was acknowledged: nothing is read here but files.
    expect(emails()).toEqual(['before@example.com', 'after@example.com'])
    expect(await store.addSubscriber('before@example.com')).toBe('present')
    await store.close()
    expect(emails()).toEqual(['before@example.com', 'after@example.com'])
    expect(others()).toEqual([])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('is put back when its folder is deleted', async () => {
    const store = await storeWith('before@example.com')
    rmSync(join(folder, 'made'), { recursive: true })
    expect(await store.addSubscriber('after@example.com')).toBe('added')
    expect(emails()).toEqual(['before@example.com', 'after@example.com'])
    await store.close()
  })

  test('is opened anew when another takes its place', async () => {
    const store = await storeWith('before@example.com')
    const other = join(folder, 'other.db')
    const backup = sqlStore(await openSqlite(other), () => ignoredEvents)
    await backup.addSubscriber('restored@example.com')
    await backup.close()
    renameSync(other, file)
    expect(await store.addSubscriber('after@example.com')).toBe('added')
    await store.close()
    expect(emails()).toEqual(['restored@example.com', 'after@example.com'])
  })

  test('is used again when somebody moves it away and back, and meanwhile nothing is stored elsewhere', async () => {
    const store = await storeWith('before@example.com')
    renameSync(file, `${file}.away`)
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    expect(existsSync(file)).toBe(false)
    renameSync(`${file}.away`, file)
    expect(await store.addSubscriber('after@example.com')).toBe('added')
    await store.close()
    expect(emails()).toEqual(['before@example.com', 'after@example.com'])
  })

  test('is put back at the end, deleted while nobody wrote', async () => {
    const store = await storeWith('before@example.com')
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix)
    await store.close()
    expect(emails()).toEqual(['before@example.com'])
  })

  test('is put back while nobody writes', async () => {
    const store = await storeWith('before@example.com')
    rmSync(file)
    await vi.waitUntil(() => existsSync(file), { timeout: 10_000 })
    expect(emails()).toEqual(['before@example.com'])
    await store.close()
  })

  test('takes every row along when it was moved away before the end, and its place stays empty', async () => {
    const store = await storeWith('before@example.com')
    renameSync(file, `${file}.away`)
    await store.close()
    expect(readTable(`${file}.away`, 'subscribers').map((row) => row.email)).toEqual(['before@example.com'])
    expect(existsSync(file)).toBe(false)
  })

  test('is not made anew beside a log that has lost its file', async () => {
    const store = await storeWith('before@example.com')
    copyFileSync(`${file}-wal`, `${file}.kept`)
    await store.close()
    renameSync(`${file}.kept`, `${file}-wal`)
    rmSync(file)
    await expect(openSqlite(file)).rejects.toThrow('put the file back')
    expect(existsSync(file)).toBe(false)
  })

  test('is not written while it is read-only, for root neither, and written again when it is not', async () => {
    const store = await storeWith('before@example.com')
    chmodSync(file, 0o400)
    expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
    expect(await store.checkReadiness()).toBe('unavailable')
    expect(emails()).toEqual(['before@example.com'])
    chmodSync(file, 0o600)
    expect(await store.checkReadiness()).toBe('ready')
    expect(await store.addSubscriber('refused@example.com')).toBe('added')
    await store.close()
  })
})
