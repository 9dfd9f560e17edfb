import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { makeDatabase } from '../support/server/databases.ts'
import { enquiry, event, leads, read, store, subscriber } from '../support/server/leads.ts'

test('a report has every column of all that came from an address, and tells who else mentions it', async () => {
  const database = await makeDatabase('sqlite')
  onTestFinished(database.remove)
  await store(database, {
    subscribers: [subscriber('Visitor@Example.com'), subscriber('other@example.com')],
    enquiries: [
      enquiry({ email: 'VISITOR@example.com', message: 'One\u202e\u001b\nTwo' }),
      enquiry({ email: 'other@example.com', message: 'Ask Visitor@example.com.' }),
      enquiry({ email: 'visitor@example.com' }),
    ],
    outbox: [event('subscription', 1), event('subscription', 2), event('enquiry', 2), event('enquiry', 3)],
  })
  const text = await read(database.url, 'report', ' vISITOR@example.com')
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
  const outbox = await database.rows('outbox')
  const others = 'Enquiries of other people that mention the address: e2.'
  expect(JSON.parse(text)).toEqual({
    address: 'vISITOR@example.com',
    made_at: expect.stringMatching(/Z$/),
    subscriptions: (await database.rows('subscribers')).slice(0, 1),
    enquiries: (await database.rows('enquiries')).filter(({ id }) => id !== 2),
    messages_to_staff: [outbox[0], outbox[3]],
    mentioned_by_others: ['e2'],
    not_included: `${others} They are not included, because they are personal data of others.`,
  })
  const file = `${database.file}.json`
  await read(database.url, 'report', 'visitor@example.com', '--out', file)
  expect(JSON.parse(readFileSync(file, 'utf8')).enquiries).toHaveLength(2)
  // It is in what the other one wrote.
  const stderr = `Nothing is stored from this address: check it. ${others}\n`
  expect(await leads(database.url, ['report', 'visitor@example.co'])).toEqual({ code: 1, stdout: '', stderr })
})
