import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { databaseAdvice } from '../../server/storage/database-errors.ts'
import { serveSqlite } from '../../server/storage/sqlite.ts'
import { makeHastyStore, makeStore, readTable } from '../support/server/databases.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'made', 'on demand', 'leads.db')
  return () => rmSync(folder, { recursive: true })
})

const emails = () => readTable(file, 'subscribers').map((row) => row.email)

/** Two stores on the file, which contains one address: `patient` retries a commit, and `hasty` tries it once. */
async function openStores() {
  const database = await serveSqlite(file, () => {})
  onTestFinished(database.close)
  const onRefused = vi.fn()
  const stores = { patient: makeStore(database), hasty: makeHastyStore(database, onRefused) }
  expect(await stores.patient.addSubscriber('early@example.com')).toBe('added')
  return { ...stores, onRefused }
}

test.each([
  ['journal_mode', 'truncate'],
  ['synchronous', 2],
  // The server answers no call while it waits for a lock.
  ['busy_timeout', 20],
])('a server opens its database with the %s %s', async (name, value) => {
  const { run, close } = await serveSqlite(file, () => {})
  onTestFinished(close)
  const { rows } = await run((db) => sql<object>`pragma ${sql.raw(name)}`.execute(db))
  expect(rows.map(Object.values)).toEqual([[value]])
})

test('only their owner can read the files of a server', async () => {
  await openStores()
  const paths = [dirname(file), file, `${file}-journal`]
  expect(paths.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['700', '600', '600'])
})

test.each([
  ['moved', () => renameSync(file, `${file}.moved`)],
  ['deleted', () => rmSync(file)],
])('a server stores nothing in a database file that was %s', async (_, lose) => {
  const { hasty, onRefused } = await openStores()
  lose()
  expect(await hasty.addSubscriber('refused@example.com')).toBe('unavailable')
  expect(await hasty.checkReadiness()).toBe('unavailable')
  const reasons = onRefused.mock.calls.map(([error]) => databaseAdvice(error))
  expect(reasons).toEqual(Array(2).fill(expect.stringMatching(/^Its file was moved, deleted or replaced: put it back/)))
})

test('a server uses a replaced database file again after it is put back', async () => {
  const { hasty, patient } = await openStores()
  renameSync(file, `${file}.moved`)
  copyFileSync(`${file}.moved`, file)
  expect(await hasty.addSubscriber('refused@example.com')).toBe('unavailable')
  renameSync(`${file}.moved`, file)
  expect(await patient.addSubscriber('late@example.com')).toBe('added')
  expect(emails()).toEqual(['early@example.com', 'late@example.com'])
})

test.each([
  ['reads', 'select * from subscribers'],
  ['writes', 'delete from subscribers'],
])('a call waits while another program %s the file, and is stored afterwards', async (_, statement) => {
  const { patient } = await openStores()
  const otherProgram = new SqliteFile(file)
  otherProgram.exec(`begin; ${statement}`)
  const answer = patient.addSubscriber('late@example.com')
  // Other programs can read while the call waits.
  expect(emails()).toEqual(['early@example.com'])
  otherProgram.exec('rollback')
  otherProgram.close()
  expect(await answer).toBe('added')
})
