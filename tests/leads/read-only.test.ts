import SqliteFile from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { makeDatabase } from '../support/server/databases.ts'
import { leads, readAll, store, subscriber } from '../support/server/leads.ts'
import { query } from '../support/server/postgres.ts'

test('what only reads a SQLite file needs no lock that another program holds', async () => {
  const database = await makeDatabase('sqlite')
  onTestFinished(database.remove)
  await store(database, { subscribers: [subscriber('one@example.com', 400)] })
  const writer = new SqliteFile(database.url.replace('sqlite:', ''))
  onTestFinished(() => void writer.close())
  writer.exec('begin immediate; delete from subscribers')
  await readAll(database.url)
})

test('what only reads PostgreSQL needs no right but to select, and what writes says which it needs', async () => {
  const database = await makeDatabase('postgres')
  await store(database, { subscribers: [subscriber('one@example.com', 400)] })
  const role = `reader_${crypto.randomUUID().replaceAll('-', '')}`
  const rights = `grant usage on schema public to ${role}; grant select on all tables in schema public to ${role}`
  await query(database.url, `create role ${role} login password 'reads'; ${rights}`)
  onTestFinished(async () => void (await query(database.url, `drop owned by ${role}; drop role ${role}`)))
  const { href } = Object.assign(new URL(database.url), { username: role, password: 'reads' })
  await readAll(href)
  expect(await leads(href, ['erase', 'one@example.com', '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /\nRemoved: 0 subscribers.+\npermission denied .+: The role of DATABASE_URL may not /,
    ),
  })
})
