import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDatabase, readTable, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, leads, store, subscriber } from '../support/server/leads.ts'

let database: TestDatabase
let folder: string
beforeEach(async () => {
  database = await makeDatabase('sqlite')
  folder = join(dirname(dirname(database.file)), 'backups')
  mkdirSync(folder)
})
afterEach(() => database.remove())

const nightly = (env: Record<string, string> = {}) => leads(database.url, ['nightly', folder], env)

const fill = () =>
  store(database, {
    subscribers: [subscriber('old@example.com', 40), subscriber('new@example.com')],
    enquiries: [enquiry({ message: 'old' }, 40), enquiry({ message: 'new' })],
  })

const OLD = [
  'leads-2026-01-01T021500.000Z.db',
  'leads-2026-01-02T021500.000Z.db.77.part',
  'leads-2026-01-03T021500.000Z.db',
]
const makeOldBackups = () => OLD.map((name) => writeFileSync(join(folder, name), ''))

test('it makes a backup before it erases what is old', async () => {
  await fill()
  expect(await nightly({ KEEP_SUBSCRIBERS_DAYS: '30' })).toMatchObject({ code: 0 })
  const [made = ''] = readdirSync(folder)
  expect(readTable(join(folder, made), 'subscribers')).toHaveLength(2)
  expect(await database.rows('subscribers')).toMatchObject([{ email: 'new@example.com' }])
})

test('it erases each kind after its own time, and one without a time never', async () => {
  await fill()
  await nightly({ KEEP_ENQUIRIES_DAYS: '30', KEEP_SUBSCRIBERS_DAYS: '50' })
  expect(await database.rows('enquiries')).toMatchObject([{ message: 'new' }])
  expect(await database.rows('subscribers')).toHaveLength(2)
})

test('it keeps the newest KEEP_BACKUPS, and whatever is no backup', async () => {
  await fill()
  makeOldBackups()
  writeFileSync(join(folder, 'another.db'), '')
  await nightly({ KEEP_BACKUPS: '2' })
  const names = readdirSync(folder).toSorted()
  expect(names).toEqual(['another.db', OLD[2], expect.stringMatching(/^leads-.+Z\.db$/)])
})

test('a damaged file ends it before anything is deleted', async () => {
  await fill()
  makeOldBackups()
  const sqlite = new SqliteFile(database.file)
  sqlite
    .unsafeMode()
    .exec("pragma writable_schema = on; update sqlite_schema set rootpage = 2 where name = 'readiness'")
  sqlite.close()
  const { code, stderr } = await nightly({ KEEP_BACKUPS: '1', KEEP_SUBSCRIBERS_DAYS: '30' })
  expect([code, stderr]).toEqual([1, expect.stringContaining('is damaged: stop its server')])
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(OLD))
  expect(await database.rows('subscribers')).toHaveLength(2)
})

test('an empty database deletes no backup', async () => {
  await store(database, {})
  makeOldBackups()
  expect(await nightly({ KEEP_BACKUPS: '1' })).toMatchObject({ code: 0 })
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(OLD))
})

test('a wrong setting ends it in one line, before it begins', async () => {
  await fill()
  expect(await nightly({ KEEP_BACKUPS: 'all' })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^KEEP_BACKUPS must be .+\n$/),
  })
  expect(readdirSync(folder)).toEqual([])
})

test('on PostgreSQL, which has backups of its own, it only erases', async () => {
  const postgres = await makeDatabase('postgres')
  await store(postgres, { subscribers: [subscriber('old@example.com', 40), subscriber('new@example.com')] })
  expect(await leads(postgres.url, ['nightly', folder], { KEEP_SUBSCRIBERS_DAYS: '30' })).toMatchObject({ code: 0 })
  expect(await postgres.rows('subscribers')).toHaveLength(1)
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['enquiries', { enquiries: [enquiry({})] }],
  ['subscribers', { subscribers: [subscriber('new@example.com')] }],
])('old backups go where there are only %s, too', async (_, rows) => {
  await store(database, rows)
  makeOldBackups()
  await nightly({ KEEP_BACKUPS: '1' })
  expect(readdirSync(folder)).toHaveLength(1)
})
