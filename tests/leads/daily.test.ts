import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { databaseWith, enquiry, readTable, subscriber } from '../support/server/databases.ts'
import { leads, read } from '../support/server/leads.ts'

const ROWS = {
  subscribers: [subscriber('old@example.com', 40), subscriber('new@example.com')],
  enquiries: [enquiry({}, 40)],
}
// A copy that was killed ends with .part, and counts as no backup.
const OLD_BACKUPS = ['01.db', '01.db.a.part', '02.db', '02.db.b.part'].map((day) => `leads-2020-01-${day}`)
const KEEP = { KEEP_SUBSCRIBERS_DAYS: '30', KEEP_ENQUIRIES_DAYS: '30' }
const NEW_BACKUP = `leads-${new Date().toISOString().slice(0, 10)}.db`

const database = databaseWith(ROWS)
let folder: string
beforeEach(() => {
  folder = `${database.file}.backups`
  mkdirSync(folder)
  for (const name of OLD_BACKUPS) writeFileSync(`${folder}/${name}`, '')
})

const daily = (env: Record<string, string>, ...options: string[]) =>
  leads(database.url, ['daily', ...options], { BACKUP_FOLDER: folder, ...env })
const counts = async () => [(await database.rows('subscribers')).length, (await database.rows('enquiries')).length]

test('the daily work makes one backup a day, and then erases rows that are too old', async () => {
  const stderr = expect.stringContaining('Backed up and checked, in ')
  expect(await daily({ KEEP_SUBSCRIBERS_DAYS: '30' })).toMatchObject({ code: 0, stderr })
  expect(readTable(`${folder}/${NEW_BACKUP}`, 'subscribers')).toHaveLength(2)
  expect(await counts()).toEqual([1, 1])
  await database.add({ subscribers: [subscriber('late@example.com')] })
  expect(await daily({})).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(readTable(`${folder}/${NEW_BACKUP}`, 'subscribers')).toHaveLength(2)
})

test('the newest KEEP_BACKUPS backups stay, and files that are no backups', async () => {
  writeFileSync(`${folder}/leads-before.db`, '')
  await daily({ KEEP_BACKUPS: '2' })
  expect(readdirSync(folder).toSorted()).toEqual([...OLD_BACKUPS.slice(2), NEW_BACKUP, 'leads-before.db'])
})

test('a damaged database gets no backup, and nothing is deleted', async () => {
  const damage = "pragma writable_schema = on; update sqlite_schema set rootpage = 2 where name = 'times'"
  new SqliteFile(database.file).unsafeMode().exec(damage).close()
  const stderr = expect.stringMatching(/^.+ is damaged: stop its server.+\n$/)
  expect(await daily({ KEEP_BACKUPS: '1', ...KEEP })).toMatchObject({ code: 1, stderr })
  expect(readdirSync(folder)).toEqual(OLD_BACKUPS)
  expect(await counts()).toEqual([2, 1])
})

test('the daily work deletes no backup if the database is empty', async () => {
  for (const name of ['s1', 's2', 'e1']) await read(database.url, 'erase', name, '--yes')
  expect(await daily({ KEEP_BACKUPS: '1' })).toMatchObject({ code: 0 })
  expect(readdirSync(folder)).toEqual([...OLD_BACKUPS, NEW_BACKUP])
})

test('nothing is erased while the clock is years ahead, unless told that it is right', async () => {
  await daily({})
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 365 * 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
  const stderr = expect.stringMatching(/^Nothing was erased: .+ run leads daily --clock-is-right once\.\n$/m)
  // The second run, an hour later, does not believe it either.
  for (const keep of [KEEP, { KEEP_ENQUIRIES_DAYS: '30' }]) expect(await daily(keep)).toMatchObject({ code: 1, stderr })
  expect(await counts()).toEqual([2, 1])
  expect(await daily(KEEP, '--clock-is-right')).toMatchObject({ code: 0 })
  expect(await counts()).toEqual([0, 0])
})
