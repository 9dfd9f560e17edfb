import { copyFileSync, linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createCommitQueue } from '../../server/storage/commit-queue.ts'
import type { Database } from '../../server/storage/database.ts'
import { databaseAdvice } from '../../server/storage/database-errors.ts'
import { createStore } from '../../server/storage/store.ts'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { databaseWith, makeDatabase, makeStore } from '../support/server/databases.ts'

// The contract check tests keys, and addresses in several spellings, on both databases.
const database = databaseWith()

const emails = async () => (await database.rows('subscribers')).map(({ email }) => email)

test('the first spelling of an address is stored', async () => {
  const store = makeStore(database)
  for (const email of ['Visitor@Example.com', 'visitor@example.com']) await store.addSubscriber(email)
  expect(await emails()).toEqual(['Visitor@Example.com'])
})

test.each(['sqlite', 'postgres'] as const)('%s stores every text exactly as it was sent', async (kind) => {
  const { remove, rows, ...other } = await makeDatabase(kind)
  onTestFinished(remove)
  const message = `e\u0301É \r\n\t<b>&"'\\0 ${'😀'.repeat(4900)}`
  await makeStore(other).addEnquiry(anEnquiry({ first: '=1+1', message }), null)
  expect(await rows('enquiries')).toMatchObject([columnsOf(anEnquiry({ first: '=1+1', message }))])
})

test('a commit that succeeded but seemed to fail is not stored twice', async () => {
  const run = vi.fn(database.run).mockImplementationOnce(async (statements) => {
    await database.run(statements)
    throw new Error('connection lost')
  })
  const store = makeStore({ ...database, run } as Database)
  const answers = [store.addSubscriber('visitor@example.com'), store.addEnquiry(anEnquiry(), null)]
  expect(await Promise.all(answers)).toEqual(['present', 'stored'])
  expect([await database.rows('subscribers'), await database.rows('enquiries')]).toMatchObject([[{}], [{}]])
})

test('a server syncs each commit in a SQLite file to the disk', async () => {
  const { run, close } = await database.open()
  onTestFinished(close)
  const { rows } = await run((db) => sql`pragma synchronous`.execute(db))
  expect(rows).toEqual([{ synchronous: 2 }])
})

test('only their owner can read the files of SQLite', () => {
  const paths = [dirname(database.file), database.file, `${database.file}-journal`]
  expect(paths.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['700', '600', '600'])
})

test.each([
  ['moved or deleted', () => {}],
  ['replaced', () => copyFileSync(`${database.file}.kept`, database.file)],
])('nothing is stored in a SQLite file that was %s, until it is put back', async (_, replace) => {
  linkSync(database.file, `${database.file}.kept`)
  rmSync(database.file)
  replace()
  const onCommit = vi.fn()
  const store = createStore(database, onCommit, false, 500)
  expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
  const advice = databaseAdvice(onCommit.mock.lastCall?.at(-1))
  expect(advice).toMatch(/^The database file was moved, deleted or replaced: put it back.+restart the servers\.$/)
  expect(await store.checkReadiness()).toBe('unavailable')
  renameSync(`${database.file}.kept`, database.file)
  expect(await makeStore(database).addSubscriber('late@example.com')).toBe('added')
  expect(await emails()).toEqual(['late@example.com'])
})

test('a call waits while another program writes a SQLite file, and is then stored', async () => {
  const otherProgram = new SqliteFile(database.file)
  onTestFinished(() => void otherProgram.close())
  otherProgram.exec('begin; delete from subscribers')
  const answer = makeStore(database).addSubscriber('late@example.com')
  // Other programs can read while the call waits.
  expect(await emails()).toEqual([])
  otherProgram.exec('rollback')
  expect(await answer).toBe('added')
})

test('a server that lacks a table of visitors is not ready', async () => {
  await database.run((db) => sql`drop table enquiries`.execute(db))
  expect(await createStore(database, () => {}, false, 500).checkReadiness()).toBe('unavailable')
})

test('calls over the limit are refused at once, and so are those after a failed commit', async () => {
  const onCommit = vi.fn()
  const { add } = createCommitQueue(() => Promise.reject(new Error('down')), 0, onCommit)
  const answers = await Promise.all(Array.from({ length: 4001 }, add))
  expect(new Set(answers)).toEqual(new Set(['unavailable']))
  expect(onCommit.mock.calls.map(([error]) => error.message)).toEqual(['too many calls', 'timeout'])
})

test('privacy.md names every column of every table', async () => {
  const rows = readFileSync('docs/privacy.md', 'utf8').match(/^\| `.+/gm) ?? []
  const tables = await database.run((db) => db.introspection.getTables())
  expect(tables).toHaveLength(4)
  for (const { name, columns } of tables) {
    const row = rows.find((text) => text.split('|')[1]?.includes(`\`${name}\``)) ?? ''
    expect(columns.map((column) => column.name).filter((column) => !row.includes(`\`${column}\``))).toEqual([])
  }
})
