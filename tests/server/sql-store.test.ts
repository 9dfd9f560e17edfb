import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqlite, type Tables } from '../../server/database.ts'
import { sqlStore } from '../../server/sql-store.ts'
import { readTable } from '../support/build-test-app.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'made', 'on demand', 'leads.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const ENQUIRY = { first: 'Given', last: 'Family', email: 'visitor@example.com', message: 'Hello' }

function ignore() {}

describe('openSqlite', () => {
  test('makes the folder for its owner alone', async () => {
    await (await openSqlite(file)).destroy()
    expect(statSync(join(folder, 'made')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'made', 'on demand')).mode & 0o777).toBe(0o700)
  })

  test('commits to the disk, not only to the operating system', async () => {
    const db = await openSqlite(file)
    const { rows: journal } = await sql`pragma journal_mode`.execute(db)
    const { rows: synchronous } = await sql`pragma synchronous`.execute(db)
    await db.destroy()
    expect([journal, synchronous]).toEqual([[{ journal_mode: 'wal' }], [{ synchronous: 2 }]])
  })

  test('finds again what was stored', async () => {
    const first = sqlStore(await openSqlite(file), ignore)
    await first.addSubscriber('visitor@example.com')
    await first.close()
    const second = sqlStore(await openSqlite(file), ignore)
    expect(await second.addSubscriber('visitor@example.com')).toBe('present')
    await second.close()
  })

  test('goes on where a crash in the middle of a migration left off', async () => {
    await (await openSqlite(file)).destroy()
    const database = new Database(file)
    database.exec('delete from kysely_migration; drop table enquiries')
    database.close()
    const store = sqlStore(await openSqlite(file), ignore)
    expect(await store.addEnquiry(ENQUIRY, null)).toBe('stored')
    await store.close()
  })
})

test('closing stores first what is waiting', async () => {
  const store = sqlStore(await openSqlite(file), ignore)
  const answers = Array.from({ length: 2500 }, (_, i) => store.addSubscriber(`visitor${i}@example.com`))
  await store.close()
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['added']))
  expect(readTable(file, 'subscribers')).toHaveLength(2500)
})

/** Executes every statement, and fails after the first as if the connection had been lost before the answer. */
function deafOnce(db: Kysely<Tables>) {
  let heard = false
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (heard) return result
      heard = true
      throw new Error('connection lost')
    },
  })
}

test('an enquiry that was stored without our hearing of it is not stored twice', async () => {
  const db = await openSqlite(file)
  const store = sqlStore(deafOnce(db), ignore)
  expect(await store.addEnquiry(ENQUIRY, null)).toBe('stored')
  await store.close()
  expect(readTable(file, 'enquiries')).toHaveLength(1)
})
