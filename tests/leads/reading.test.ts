import { afterEach, expect, test, vi } from 'vitest'
import { databaseWith, enquiry, read, subscriber } from '../support/server/leads.ts'

const CREATED = ['2024-03-10T03:29:00.000Z', '2024-03-10T03:31:00.000Z', '2024-03-10T06:15:15.123Z']
const FIELDS = [
  { email: 'c@EXAMPLE.com', message: 'One\r\n\u001b\u202eTwo', mail_error: 'EDNS' },
  { message: 'Ask C@Example.com' },
]

const database = databaseWith({
  subscribers: [subscriber('old@example.com', 40), subscriber('b@example.com', 2), subscriber('C@example.com')],
  enquiries: CREATED.map((created_at, i) => enquiry({ created_at, ...FIELDS[i] })),
})

test('an export as JSON has the leads since a time, with every text unchanged', async () => {
  const json = await read(database.url, 'export', 'subscribers', '--json', '--since', '7d')
  expect(JSON.parse(json).map(({ email }: { email: string }) => email)).toEqual(['b@example.com', 'C@example.com'])
  const [first] = JSON.parse(await read(database.url, 'export', 'enquiries', '--json'))
  expect(first.message).toBe(FIELDS[0]?.message)
})

test('outbox shows the enquiries whose mail is not sent, and why', async () => {
  expect(await read(database.url, 'outbox')).toMatch(/^e1 failed since \S+ \S+, attempts 0: EDNS\. See .+\n$/)
})

test('a report has all data from an address, and lists rows that mention it', async () => {
  expect(JSON.parse(await read(database.url, 'report', ' c@example.COM'))).toEqual({
    address: 'c@example.COM',
    made_at: expect.stringMatching(/Z$/),
    subscribers: (await database.rows('subscribers')).slice(2),
    enquiries: (await database.rows('enquiries')).slice(0, 1),
    mentioned_by_others: ['e2'],
    not_included: expect.stringMatching(/mention the address: e2\. .+$/),
  })
})

/** Returns the output of a command in this time zone. The modules read the zone when they are loaded. */
async function readIn(TZ: string, ...args: string[]): Promise<string> {
  vi.resetModules()
  vi.stubEnv('TZ', TZ)
  return (await import('../support/server/leads.ts')).read(database.url, ...args)
}

afterEach(() => void vi.resetModules())

// Summer time begins there on 2024-03-10 at 2:00, 5:30 in UTC: that day has 23 hours.
const ST_JOHNS = 'America/St_Johns'
const TIMES = ['2024-03-10 00:01:00', '2024-03-10 03:45:15']

test('the file for Excel has local times, from the local midnight on', async () => {
  const text = await readIn(ST_JOHNS, 'export', 'enquiries', '--excel', '--since', '2024-03-10')
  const cells = text.match(/(?<=\t")20[^"]+|created_at[^"]+/g)
  expect(cells).toEqual([`created_at (${ST_JOHNS})`, ...TIMES])
})
