import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DATABASES, makeDatabase } from '../support/server/databases.ts'
import { enquiry, event, leads, read, store, subscriber } from '../support/server/leads.ts'

test.each(DATABASES)(
  'on %s a report has every column of all that came from any spelling of an address, and tells who else mentions it',
  async (kind) => {
    const database = await makeDatabase(kind)
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
    const [subscribers, enquiries, outbox] = [
      await database.rows('subscribers'),
      await database.rows('enquiries'),
      await database.rows('outbox'),
    ]
    expect(JSON.parse(text)).toEqual({
      address: 'vISITOR@example.com',
      made_at: expect.stringMatching(/Z$/),
      subscriptions: [subscribers[0]],
      enquiries: [enquiries[0], enquiries[2]],
      messages_to_staff: [outbox[0], outbox[3]],
      mentioned_by_others: ['e2'],
      not_included: expect.stringMatching(
        /^Enquiries of other people that mention the address: e2\. They are not incl/,
      ),
    })
    const file = join(dirname(database.url.replace('sqlite:', '')), 'report.json')
    if (kind === 'sqlite') {
      await read(database.url, 'report', 'visitor@example.com', '--out', file)
      expect([JSON.parse(readFileSync(file, 'utf8')).enquiries, statSync(file).mode & 0o777]).toEqual([
        [enquiries[0], enquiries[2]],
        0o600,
      ])
    }
    const unknown = await leads(database.url, ['report', 'visitor@example.co'])
    const stderr = expect.stringMatching(
      /^Nothing is stored from this address: check it\. .+ mention the address: e2\.\n$/,
    )
    expect(unknown).toEqual({ code: 1, stdout: '', stderr })
  },
)
