import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { databaseWith, enquiry, event, leads, leadsProcess, read, subscriber } from '../support/server/leads.ts'

/** Most of its signs are two columns wide. */
const WIDE_NAME = `ÑANDÚ ${'名'.repeat(16)}`

const at = (created_at: string, fields = {}) => enquiry({ created_at, ...fields })

const database = databaseWith({
  subscribers: [subscriber('old@example.com', 40), subscriber('b@example.com', 2), subscriber('C@example.com')],
  enquiries: [
    at('2026-11-01T02:29:00.000Z', { message: 'One\r\nTwo', last_name: WIDE_NAME, email: 'c@EXAMPLE.com' }),
    at('2026-11-01T02:31:00.000Z', { message: 'Ask C@Example.com' }),
    at('2026-11-01T04:15:15.123Z'),
    at('2026-11-01T05:15:15.123Z'),
  ],
  outbox: [event('enquiry', 1, { state: 'failed' }), event('enquiry', 3), event('subscription', 3)],
})

test.each([
  ['the newest first', '--since 9999d', ['C@example.com', 'b@example.com', 'old@example.com']],
  ['those since a time', '--since 7d', ['C@example.com', 'b@example.com']],
  ['those that contain a text in any case', '--search c@EXAMPLE', ['C@example.com']],
  ['nothing for a wildcard of SQL', '--search %', []],
])('list shows %s', async (_, options, emails) => {
  const rows = JSON.parse(await read(database.url, 'list', 'subscribers', '--json', ...options.split(' ')))
  expect(rows.map(({ email }: { email: string }) => email)).toEqual(emails)
})

test('list says that there are more rows than it shows', async () => {
  const list = (limit: string) => leads(database.url, ['list', 'subscribers', '--limit', limit])
  const stdout = expect.not.stringContaining('old@')
  expect(await list('2')).toEqual({ code: 0, stdout, stderr: 'There are more: see --limit.\n' })
  expect((await list('3')).stderr).toBe('')
})

test('list keeps a row on its line, and columns straight behind wide signs', async () => {
  const lines = (await read(database.url, 'list', 'enquiries')).trimEnd().split('\n')
  expect(lines.at(-2)).toMatch(/ {2}Given Family {19}Ask C/)
  expect(lines.at(-1)).toMatch(/ {2}Given ÑANDÚ 名{8}… {2}One Two$/)
})

test('show gives every field in full', async () => {
  const fields = `^id: e1\nreceived .+\nemail: .+\nname: Given ${WIDE_NAME}\nmessage: One\n {2}Two\n$`
  expect(await read(database.url, 'show', 'e1')).toMatch(new RegExp(fields))
})

test('stats count totals, and the messages that are not sent', async () => {
  expect(await read(database.url, 'stats')).toMatch(/^total +3 +4\n.*^mail +failed +1\nmail +pending +2\n$/ms)
})

test('a report has every column of what came from an address, and names its mentions', async () => {
  const [subscribers, [first, ...others], [about, , third]] = await Promise.all([
    database.rows('subscribers'),
    database.rows('enquiries'),
    database.rows('outbox'),
  ])
  expect(others).toHaveLength(3)
  expect(JSON.parse(await read(database.url, 'report', ' c@example.COM'))).toEqual({
    address: 'c@example.COM',
    made_at: expect.stringMatching(/Z$/),
    subscriptions: subscribers.slice(2),
    enquiries: [first],
    messages_to_staff: [about, third],
    mentioned_by_others: ['e2'],
    not_included: expect.stringMatching(/mention the address: e2\. .+$/),
  })
})

describe('in a zone whose summer time ends on 2026-11-01 at 2:00, 4:30 in UTC', () => {
  const TZ = 'America/St_Johns'
  const here = async (...args: string[]) => (await leadsProcess(database.url, args, { TZ })).stdout
  const TIMES = ['2026-10-31 23:59:00', '2026-11-01 00:01:00', '2026-11-01 01:45:15', '2026-11-01 01:45:15']

  test('list gives the times there, and names the zone', async () => {
    const list = await here('list', 'enquiries')
    expect(list).toContain(`received (${TZ})`)
    expect(list.match(/(?<=^e\d {2}).{16}/gm)).toEqual(TIMES.map((time) => time.slice(0, 16)).toReversed())
  })

  test('a date of --since begins at midnight there', async () => {
    expect((await here('export', 'enquiries', '--since', '2026-11-01')).match(/^\d/gm)).toEqual(['2', '3', '4'])
  })

  test('the file for Excel has times as it reads them, and names the zone', async () => {
    const file = `${database.file}.csv`
    await here('export', 'enquiries', '--excel', '--out', file)
    const cells = readFileSync(file, 'utf16le')
      .slice(1)
      .match(/(?<=^\S+\t")[^"]+/gm)
    expect(cells).toEqual([`created_at (${TZ})`, ...TIMES])
  })

  test('the plain file has times in UTC as ISO 8601', async () => {
    expect(await here('export', 'enquiries')).toMatch(/^"id","created_at",.*^3,"2026-11-01T04:15:15\.123Z",/ms)
  })
})

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('stats count by the days of %s', async (timeZone) => {
  const { stdout } = await leadsProcess(database.url, ['stats', '--json'], { TZ: timeZone })
  const stats: { time_zone: string; leads: { period: string; subscribers: number }[] } = JSON.parse(stdout)
  // Canadian dates are those of ISO 8601.
  const dayOf = (row: { created_at: string }) => new Date(row.created_at).toLocaleDateString('en-CA', { timeZone })
  const days = (await database.rows('subscribers')).slice(1).map(dayOf)
  const counted = stats.leads.filter(({ subscribers }) => subscribers === 1).map(({ period }) => period)
  expect([stats.time_zone, ...counted]).toEqual([timeZone, ...days.toReversed()])
})

test.each(['', ':/etc/localtime', 'Nowhere/None'])('a zone that Node does not know is UTC: TZ=%j', async (TZ) => {
  const { stdout } = await leadsProcess(database.url, ['show', 'e1'], { TZ })
  expect(stdout).toContain('received (UTC): 2026-11-01 02:29\n')
})

test('a zone without a name is told by its distance from UTC', async () => {
  const { stdout } = await leadsProcess(database.url, ['show', 'e1'], { TZ: 'EST5' })
  expect(stdout).toContain('received (UTC-05:00)')
})
