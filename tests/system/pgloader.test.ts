import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { makeDatabase, makeStore, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, event, store, subscriber } from '../support/server/leads.ts'

const TEXTS = [
  ...[
    'One\r\n\u202e"Two"',
    '\\N',
    '\\.\n\\t \\\\',
    '\t\u0001\u0007',
    '名前 👩‍🚒 𠮷 e\u0301',
    "'; drop table enquiries; --",
  ],
  ...['', ' ', 'NULL', '{"a":1}', '|,;', '007', '1e5', '2026-11-01', '\\x41', 'W'.repeat(20_000)],
]

/** What a server does at its start. */
async function makeTables(database: TestDatabase) {
  const server = makeStore(await database.open())
  expect(await server.checkReadiness()).toBe('ready')
  await server.close()
}

test('to-postgres.load moves every row as it is, and new rows get new numbers', async () => {
  const [source, target] = [await makeDatabase('sqlite'), await makeDatabase('postgres')]
  onTestFinished(source.remove)
  for (const database of [source, target]) await makeTables(database)
  await store(source, {
    subscribers: [subscriber('one@example.com', 3), { ...subscriber('+Two@example.com'), id: 70 }],
    enquiries: TEXTS.map((text) => enquiry({ message: text, first_name: text })),
    outbox: [
      event('enquiry', 1, { claimed_until: '2026-01-01T00:00:00.000Z', attempts: 2, last_error: 'HTTP 500' }),
      event('subscription', 70, { channel: 'webhook', state: 'failed' }),
    ],
  })
  const env = { ...process.env, SQLITE_FILE: source.file, POSTGRES_URL: target.url }
  execFileSync('pgloader', ['deploy/to-postgres.load'], { env, stdio: 'pipe' })
  for (const table of ['subscribers', 'enquiries', 'outbox'] as const) {
    expect(await target.rows(table)).toEqual(await source.rows(table))
  }
  await store(target, { subscribers: [subscriber('next@example.com')] })
  expect((await target.rows('subscribers')).map(({ id }) => id)).toEqual([1, 70, 71])
})
