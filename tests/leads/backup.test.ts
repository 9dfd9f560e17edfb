import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { databaseWith, enquiry, makeStore, readTable, subscriber } from '../support/server/databases.ts'
import { leads, read } from '../support/server/leads.ts'

const database = databaseWith({ subscribers: [subscriber('early@example.com')] })
const folder = () => dirname(database.file)
const backup = () => join(folder(), 'new.db')

test('an erasure and a backup lose nothing that a server acknowledges meanwhile', async () => {
  // The database is large: a copy in several steps would start again at each commit, and never end.
  await database.add({ enquiries: Array.from({ length: 500 }, () => enquiry({ message: 'x'.repeat(2000) })) })
  const server = makeStore(database)
  const acknowledged: string[] = []
  let isDone = false
  onTestFinished(() => {
    isDone = true
  })
  const load = (async () => {
    for (let i = 0; !isDone; i++)
      if ((await server.addSubscriber(`${i}@example.com`)) !== 'unavailable') acknowledged.push(`${i}@example.com`)
  })()
  await read(database.url, 'erase', 'visitor@example.com', '--yes')
  const acknowledgedEarlier = [...acknowledged]
  await read(database.url, 'backup', backup())
  isDone = true
  await load
  const emailsOf = (rows: readonly { email: string }[]) => rows.map(({ email }) => email)
  expect(emailsOf(await database.rows('subscribers'))).toEqual(expect.arrayContaining(acknowledged))
  expect(emailsOf(await readTable(`sqlite:${backup()}`, 'subscribers'))).toEqual(
    expect.arrayContaining(acknowledgedEarlier),
  )
})

test('a restore keeps the replaced database; only the owner can read each file', async () => {
  await read(database.url, 'backup', backup())
  await database.add({ subscribers: [subscriber('late@example.com')] })
  const stderr = expect.stringMatching(/^Restored: rows 1\. .+\nRestart the servers if they still run\.\n$/)
  expect(await leads(database.url, ['restore', backup()])).toMatchObject({ code: 0, stderr })
  expect(await database.rows('subscribers')).toHaveLength(1)
  const files = readdirSync(folder())
  const [replaced = ''] = files.filter((name) => /\.replaced-.+Z$/.test(name))
  // No journal may stay beside the restored file: SQLite would apply it.
  expect(files.toSorted()).toEqual(['leads.db', replaced, `${replaced}-journal`, 'new.db'])
  expect(await readTable(`sqlite:${join(folder(), replaced)}`, 'subscribers')).toHaveLength(2)
  expect([backup(), database.file].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
})

test('a restore from standard input works if only the journal of a database is left', async () => {
  await read(database.url, 'backup', backup())
  const file = join(folder(), 'new', 'leads.db')
  mkdirSync(dirname(file))
  writeFileSync(`${file}-journal`, 'of the lost database')
  const command = `"$0" server/leads/main.ts restore <"$1"`
  const env = { ...process.env, DATABASE_URL: `sqlite:${file}` }
  const { stderr } = spawnSync('sh', ['-c', command, process.execPath, backup()], { env, encoding: 'utf8' })
  expect(stderr).toMatch(/^Restored: rows 1\.\n/)
  const files = ['leads.db', expect.stringMatching(/^leads\.db\.replaced-.+-journal$/)]
  expect(readdirSync(dirname(file))).toEqual(files)
  expect(await readTable(env.DATABASE_URL, 'subscribers')).toHaveLength(1)
})
