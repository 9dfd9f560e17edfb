import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { databaseWith, enquiry, event, leads, read, subscriber } from '../support/server/leads.ts'

const CREATED = ['2024-03-10T03:29:00.000Z', '2024-03-10T03:31:00.000Z', '2024-03-10T06:15:15.123Z']
const FIELDS = [{ email: 'c@EXAMPLE.com', message: 'One\r\n\u001b\u202eTwo' }, { message: 'Ask C@Example.com' }]

const database = databaseWith({
  subscribers: [subscriber('old@example.com', 40), subscriber('b@example.com', 2), subscriber('C@example.com')],
  enquiries: CREATED.map((created_at, i) => enquiry({ created_at, ...FIELDS[i] })),
  outbox: [event('enquiry', 1, { state: 'failed', last_error: 'EDNS' }), event('enquiry', 3), event('subscription', 3)],
})

test.each([
  ['the newest leads', '--limit 2', ['C@example.com', 'b@example.com'], 'There are more: see --limit.\n'],
  ['leads since a time', '--since 7d', ['C@example.com', 'b@example.com'], ''],
  ['leads that contain a text in any case', '--search c@EXAMPLE', ['C@example.com'], ''],
])('list shows %s, and says if there are more', async (_, options, emails, hint) => {
  const { stdout, stderr } = await leads(database.url, ['list', 'subscribers', '--json', ...options.split(' ')])
  expect(JSON.parse(stdout).map(({ email }: { email: string }) => email)).toEqual(emails)
  expect(stderr).toBe(hint)
})

test('outbox shows the error of a failed message', async () => {
  expect(await read(database.url, 'outbox')).toMatch(/^e1 +mail +\S+ \S+ +failed +never +0 +EDNS$/m)
})

test('a report has all data from an address, and lists rows that mention it', async () => {
  const [enquiries, outbox] = await Promise.all([database.rows('enquiries'), database.rows('outbox')])
  expect(JSON.parse(await read(database.url, 'report', ' c@example.COM'))).toEqual({
    address: 'c@example.COM',
    made_at: expect.stringMatching(/Z$/),
    subscriptions: (await database.rows('subscribers')).slice(2),
    enquiries: [enquiries[0]],
    messages_to_staff: [outbox[0], outbox[2]],
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
const TIMES = ['2024-03-09 23:59:00', '2024-03-10 00:01:00', '2024-03-10 03:45:15']

test('list shows the times of the machine, and names the zone', async () => {
  const list = await readIn(ST_JOHNS, 'list', 'enquiries')
  expect(list).toContain(`received (${ST_JOHNS})`)
  expect(list.match(/(?<=^e\d {2}).{16}/gm)).toEqual(TIMES.map((time) => time.slice(0, 16)).toReversed())
})

test('the file for Excel has local times, from the local midnight on', async () => {
  const file = `${database.file}.csv`
  await readIn(ST_JOHNS, 'export', 'enquiries', '--excel', '--since', '2024-03-10', '--out', file)
  const cells = readFileSync(file, 'utf16le').match(/(?<=\t")20[^"]+|created_at[^"]+/g)
  expect(cells).toEqual([`created_at (${ST_JOHNS})`, ...TIMES.slice(1)])
})

test('stats count all leads, the leads of each local day, and unsent messages', async () => {
  vi.setSystemTime('2024-03-11T02:45Z')
  const stats = await readIn(ST_JOHNS, 'stats')
  vi.useRealTimers()
  expect(stats).toMatch(/^total +3 +3\n2024-03-11 +0 +0\n2024-03-10 +0 +2\n2024-03-09 +0 +1\n/m)
  expect(stats).toMatch(/\nmail +failed +1\nmail +pending +2\n$/)
})
