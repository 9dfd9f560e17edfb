import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import { makeStore, readTable } from '../support/server/databases.ts'
import { databaseWith, enquiry, leads, read, store, subscriber } from '../support/server/leads.ts'

const SUBSCRIBERS = [subscriber('old@example.com', 40), subscriber('new@example.com')]
const OLD_BACKUPS = ['leads-2020-01-01.db.77.part', 'leads-2020-01-02T021500.000Z.db']
const NEW_BACKUP = `leads-${new Date().toISOString().slice(0, 10)}.db`

const database = databaseWith({ enquiries: [enquiry({}, 40)] }, beforeEach)
let folder: string
beforeEach(() => {
  folder = `${database.file}.backups`
  mkdirSync(folder)
  for (const name of OLD_BACKUPS) writeFileSync(`${folder}/${name}`, '')
})

const daily = (env: Record<string, string>) => leads(database.url, ['daily'], { BACKUP_FOLDER: folder, ...env })

test('the daily work makes a backup, and then erases leads that are too old', async () => {
  await store(database, { subscribers: SUBSCRIBERS })
  const stderr = expect.stringContaining('Backed up and checked: subscribers 2, enquiries 1, in ')
  expect(await daily({ KEEP_SUBSCRIBERS_DAYS: '30' })).toMatchObject({ code: 0, stderr })
  expect(readTable(`${folder}/${readdirSync(folder).at(-1)}`, 'subscribers')).toHaveLength(2)
  expect(await database.rows('subscribers')).toMatchObject([{ email: 'new@example.com' }])
  expect(await database.rows('enquiries')).toHaveLength(1)
})

test('only its owner can read a backup', async () => {
  await read(database.url, 'backup', `${folder}/new.db`)
  expect(statSync(`${folder}/new.db`).mode & 0o777).toBe(0o600)
})

test('there is one backup a day', async () => {
  await daily({})
  await store(database, { subscribers: SUBSCRIBERS })
  expect(await daily({})).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(readTable(`${folder}/${NEW_BACKUP}`, 'subscribers')).toHaveLength(0)
})

test('the newest KEEP_BACKUPS backups stay, and files that are no backups', async () => {
  writeFileSync(`${folder}/another.db`, '')
  await daily({ KEEP_BACKUPS: '2' })
  expect(readdirSync(folder).toSorted()).toEqual(['another.db', OLD_BACKUPS[1], NEW_BACKUP])
})

test('a damaged database gets no backup, and nothing is deleted', async () => {
  await store(database, { subscribers: SUBSCRIBERS })
  const damage = "pragma writable_schema = on; update sqlite_schema set rootpage = 2 where name = 'readiness'"
  new SqliteFile(database.file).unsafeMode().exec(damage).close()
  const stderr = expect.stringMatching(/^.+ is damaged: stop its server.+\n$/)
  expect(await daily({ KEEP_BACKUPS: '1', KEEP_SUBSCRIBERS_DAYS: '30' })).toMatchObject({ code: 1, stderr })
  expect(readdirSync(folder)).toEqual([...OLD_BACKUPS, expect.stringMatching(/\.part$/)])
  expect(await database.rows('subscribers')).toHaveLength(2)
})

test('the daily work never erases all rows of a kind', async () => {
  const stderr = expect.stringContaining('Nothing was erased: all 1 enquiries are older than ')
  expect(await daily({ KEEP_ENQUIRIES_DAYS: '30' })).toMatchObject({ code: 1, stderr })
  expect(await database.rows('enquiries')).toHaveLength(1)
})

test('the daily work deletes no backup if the database is empty', async () => {
  await read(database.url, 'erase', 'e1', '--yes')
  expect(await daily({ KEEP_BACKUPS: '1' })).toMatchObject({ code: 0 })
  expect(readdirSync(folder)).toEqual([...OLD_BACKUPS, NEW_BACKUP])
})

test('a purge and a backup lose no lead that a server acknowledges meanwhile', async () => {
  // More pages than one step of a stepwise copy, which would start again after each commit.
  await store(database, { enquiries: Array.from({ length: 500 }, () => enquiry({ message: 'x'.repeat(2000) })) })
  const server = makeStore(await database.open())
  const acknowledged: string[] = []
  let isDone = false
  const load = (async () => {
    for (let i = 0; !isDone; i++)
      if ((await server.addSubscriber(`${i}@example.com`)) !== 'unavailable') acknowledged.push(`${i}@example.com`)
  })()
  await read(database.url, 'purge', 'enquiries', '--older-than', '30d', '--yes')
  const acknowledgedEarlier = [...acknowledged]
  await read(database.url, 'backup', `${folder}/new.db`)
  isDone = true
  await load
  await server.close()
  const emailsOf = (rows: readonly { email: string }[]) => rows.map(({ email }) => email)
  expect(emailsOf(await database.rows('subscribers'))).toEqual(expect.arrayContaining(acknowledged))
  expect(emailsOf(readTable(`${folder}/new.db`, 'subscribers'))).toEqual(expect.arrayContaining(acknowledgedEarlier))
})

test('a restore replaces the database, and keeps the replaced one', async () => {
  const replaced = () => readdirSync(dirname(database.file)).filter((name) => /\.replaced-.+Z$/.test(name))
  await store(database, { subscribers: SUBSCRIBERS })
  await read(database.url, 'backup', `${folder}/new.db`)
  await store(database, { subscribers: [subscriber('late@example.com')] })
  const server = await database.open()
  const refused = { code: 1, stderr: expect.stringMatching(/^database is locked: Another process .+\n$/) }
  expect(await leads(database.url, ['restore', `${folder}/new.db`])).toMatchObject(refused)
  await server.close()
  expect(await leads(database.url, ['restore', `${folder}/${OLD_BACKUPS[1]}`])).toMatchObject({ code: 1 })
  expect([await database.rows('subscribers'), replaced()]).toMatchObject([{ length: 3 }, []])
  expect(await leads(database.url, ['restore', `${folder}/new.db`])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Restored: subscribers 2, enquiries 1. '),
  })
  expect(await database.rows('subscribers')).toHaveLength(2)
  expect(readTable(join(dirname(database.file), `${replaced()[0]}`), 'subscribers')).toHaveLength(3)
  expect(statSync(database.file).mode & 0o777).toBe(0o600)
})
