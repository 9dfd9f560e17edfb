import SqliteFile from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { query } from '../../scripts/postgres.ts'
import { type DATABASES, makeDatabase } from '../support/server/databases.ts'
import { leads, READING_COMMANDS, store, subscriber } from '../support/server/leads.ts'

async function makeLeads(kind: (typeof DATABASES)[number]) {
  const database = await makeDatabase(kind)
  onTestFinished(() => database.remove())
  await store(database, { subscribers: [subscriber('one@example.com', 400)] })
  return database.url
}

async function expectAllToRead(url: string) {
  for (const args of READING_COMMANDS) expect([args, await leads(url, args)]).toMatchObject([args, { code: 0 }])
}

test('what only reads a SQLite file needs no lock that another program holds', async () => {
  const url = await makeLeads('sqlite')
  const writer = new SqliteFile(url.replace('sqlite:', ''))
  onTestFinished(() => void writer.close())
  writer.exec('begin immediate; delete from subscribers')
  await expectAllToRead(url)
})

test('what only reads PostgreSQL needs no right but to select, and what writes says which it needs', async () => {
  const url = await makeLeads('postgres')
  const role = `reader_${crypto.randomUUID().replaceAll('-', '')}`
  await query(
    url,
    `create role ${role} login password 'reads';
      grant usage on schema public to ${role};
      grant select on all tables in schema public to ${role}`,
  )
  onTestFinished(async () => void (await query(url, `drop owned by ${role}; drop role ${role}`)))
  const { href } = Object.assign(new URL(url), { username: role, password: 'reads' })
  await expectAllToRead(href)
  expect(await leads(href, ['erase', 'one@example.com', '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /\nRemoved: 0 subscribers.+\npermission denied .+: The role of DATABASE_URL may not /,
    ),
  })
})
