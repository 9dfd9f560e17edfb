import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adviceFor } from '../../leads/advice.ts'
import { freePort } from '../../scripts/free-port.ts'
import { CLOSED_PORT } from '../support/server/closed-port.ts'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, event, leads, read, store, subscriber } from '../support/server/leads.ts'

describe.each(DATABASES)('on %s', (kind) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await makeDatabase(kind)
    await store(database, {
      subscribers: [subscriber('old@example.com', 40), subscriber('b@example.com', 2), subscriber('C@example.com')],
      enquiries: [enquiry({}, 40), enquiry({ last_name: 'ÑANDÚ', message: 'No water' }, 2), enquiry({})],
      outbox: [
        event('enquiry', 2, { channel: 'mail', state: 'failed', attempts: 9, last_error: 'ECONNREFUSED' }),
        event('enquiry', 3, { channel: 'mail' }),
        event('enquiry', 3, { channel: 'webhook' }),
        event('subscription', 3, { channel: 'webhook' }),
      ],
    })
  })
  afterAll(() => database.remove())

  const emails = async (...args: string[]) =>
    JSON.parse(await read(database.url, 'list', ...args, '--json')).map((row: { email: string }) => row.email)

  test('stats count totals, today, days and what is unsent, and say that days are UTC', async () => {
    const stats = JSON.parse(await read(database.url, 'stats', '--json'))
    expect(stats).toMatchObject({
      timezone: 'UTC',
      total: { subscribers: 3, enquiries: 3 },
      today: { subscribers: 1, enquiries: 1 },
      unsent: { pending: 1, failed: 1 },
    })
    expect(stats.days).toHaveLength(14)
    expect(stats.days[11]).toMatchObject({ subscribers: 1, enquiries: 1 })
    const chart = await read(database.url, 'stats')
    expect(chart).toMatch(/^total +3 +3$/m)
    expect(chart).toContain(`${stats.days[13].day}              1            1  █`)
    expect(chart).toContain('Enquiries unsent: 1 pending, 1 failed. Days are UTC.')
    expect(parse(await read(database.url, 'stats', '--csv'))).toHaveLength(15)
  })

  test('list shows the newest first, from a time on, with a text, up to a limit', async () => {
    expect(await emails('subscribers')).toEqual(['C@example.com', 'b@example.com', 'old@example.com'])
    expect(await emails('subscribers', '--since', '7d')).toEqual(['C@example.com', 'b@example.com'])
    expect(await emails('subscribers', '--since', '2999-01-01')).toEqual([])
    expect(await emails('subscribers', '--search', 'c@EXAMPLE')).toEqual(['C@example.com'])
    expect(await emails('enquiries', '--search', 'ñandú')).toHaveLength(1)
    expect(await emails('enquiries', '--search', '%')).toEqual([])
    const { stdout, stderr } = await leads(database.url, ['list', 'subscribers', '--limit', '2', '--csv'])
    expect(parse(stdout)).toHaveLength(3)
    expect(stderr).toBe('Only the newest 2 are shown: see --limit.\n')
    expect((await read(database.url, 'list', 'enquiries')).split('\n').slice(0, 2)).toEqual([
      'id  received (UTC)    email                name          message',
      expect.stringMatching(
        /^e3 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}visitor@example\.com {2}Given Family {2}When will you start\?$/,
      ),
    ])
  })

  test('show tells all of one, whose number says of which kind it is', async () => {
    expect(await read(database.url, 'show', 's2')).toMatch(/^id: 2\ncreated_at: .+Z\nemail: b@example\.com\n$/)
    expect(JSON.parse(await read(database.url, 'show', 'e2', '--json'))).toMatchObject({ last_name: 'ÑANDÚ' })
    expect(await leads(database.url, ['show', 'e99'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'No row 99 in enquiries: "list enquiries" shows the newest.\n',
    })
    expect(await leads(database.url, ['show', '2'])).toMatchObject({ code: 2, stdout: '' })
  })

  test('outbox shows what waits or failed and why, and makes the failed due again', async () => {
    expect(await read(database.url, 'outbox')).toMatch(/^e2 +mail +\S+ \S+ +failed +never +9 +ECONNREFUSED$/m)
    expect(JSON.parse(await read(database.url, 'outbox', '--json'))).toHaveLength(4)
    expect((await leads(database.url, ['outbox', '--retry'])).stderr).toBe('To be retried: 1\n')
    expect((await database.rows('outbox')).map(({ state }) => state)).toEqual(Array(4).fill('pending'))
  })
})

describe('what can not be done ends in one line that says what to do', () => {
  const line = (code: number, text: RegExp) => ({ code, stdout: '', stderr: expect.stringMatching(text) })

  test('where there is no file of that name; none is made', async () => {
    const database = await makeDatabase('sqlite')
    for (const args of [['stats'], ['backup', 'never.db'], ['copy', '--to', 'sqlite:never.db']]) {
      expect(await leads(database.url, args)).toEqual(
        line(1, /^There is no database \/.+: set DATABASE_URL to that of the server\.\n$/),
      )
    }
    expect(existsSync(database.url.replace('sqlite:', ''))).toBe(false)
    await database.remove()
  })

  test('where a file of another program would be taken for one', async () => {
    const file = join(tmpdir(), `empty-${process.pid}.db`)
    writeFileSync(file, '')
    const answer = await leads(`sqlite:${file}`, ['stats'])
    expect(answer).toEqual(line(1, /^There are no leads in \/.+: set DATABASE_URL to that of the server\.\n$/))
    expect(readFileSync(file)).toHaveLength(0)
    rmSync(file)
  })

  test('where a file can not be written', async () => {
    const database = await makeDatabase('sqlite')
    await store(database, { subscribers: [subscriber('visitor@example.com')] })
    const name = `/proc/${'x'.repeat(100)}.db`
    expect(await leads(database.url, ['backup', name])).toEqual(line(1, /^Can't use .+ in the command\.\n$/))
    expect(await leads(database.url, ['copy', '--to', `sqlite:${name}`])).toEqual(line(1, /^Can't use .+ in --to\.\n$/))
    await database.remove()
  })

  test('where nobody listens', async () => {
    const url = `postgres://user:secret@127.0.0.1:${await freePort()}/leads`
    const answer = await leads(url, ['stats'])
    expect(answer).toEqual(line(1, /^connect ECONNREFUSED .+: Nothing listens at .+ DATABASE_URL.+\n$/))
    expect(answer.stderr).not.toContain('secret')
    const several = await leads(url.replace('127.0.0.1', `127.0.0.1:${CLOSED_PORT},127.0.0.1`), ['stats'])
    expect(several).toEqual(
      line(1, /^No host of DATABASE_URL accepts writes\. 127\S+: Nothing .+ 127\S+: Nothing .+\.\n$/),
    )
    expect(several.stderr).not.toContain('secret')
  })

  test('nor of a host that is dead where another accepts writes', async () => {
    const database = await makeDatabase('postgres')
    await store(database, { subscribers: [subscriber('visitor@example.com')] })
    const several = database.url.replace('@', `@127.0.0.1:${CLOSED_PORT},`)
    expect(await read(several, 'list', 'subscribers', '--csv')).toContain('visitor@example.com')
  })

  test('where no channel is configured', async () => {
    expect(await leads('', ['notify-test'])).toEqual(line(1, /^No channel configured: .+\n$/))
  })

  test('where the folder of a backup is not there; none is made', async () => {
    const database = await makeDatabase('sqlite')
    await store(database, { subscribers: [subscriber('visitor@example.com')] })
    const folder = join(tmpdir(), `none-${process.pid}`)
    const answer = await leads(database.url, ['backup', join(folder, 'leads.db')])
    expect(answer).toEqual(line(1, new RegExp(`^There is no folder ${folder}: create it first\\.\\n$`)))
    expect(existsSync(folder)).toBe(false)
    await database.remove()
  })

  test('where it is used wrongly', async () => {
    const wrong = [
      'list',
      'list people',
      'list enquiries --since 2026-02-30',
      'list enquiries --limit 0',
      'purge',
      'none',
    ]
    const answers = await Promise.all(wrong.map((words) => leads('', words.split(' '))))
    expect(answers).toEqual(wrong.map(() => line(2, /^error: .+\n$/)))
  })

  test('every command has help with an example', async () => {
    const help = await read('', '--help')
    const names = [...help.matchAll(/^ {2}([a-z-]+) .*/gm)]
      .map(([, name]) => name ?? '')
      .filter((name) => name !== 'help')
    expect(names).toHaveLength(11)
    const helps = await Promise.all(names.map((name) => read('', name, '--help')))
    for (const [i, name] of names.entries()) expect(helps[i]).toContain(`\nExample:\n  leads ${name}`)
    const { stdout } = await leads('', ['stats', '--help'], { npm_lifecycle_event: 'leads' })
    expect(stdout).toContain('\nExample:\n  npm run -s leads -- stats')
  })
})

test('notify-test says what came back each way, and fails if one did not take it', async () => {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(JSON.parse(Buffer.concat(await request.toArray()).toString()).type)
    response.writeHead(bodies.length === 1 ? 204 : 503).end()
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const env = { NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${port}`, NOTIFY_WEBHOOK_SECRET: 'a secret of 16 bytes' }
  expect(await leads('', ['notify-test'], env)).toEqual({
    code: 0,
    stdout: '',
    stderr: 'webhook: delivered (HTTP 204)\n',
  })
  expect(await leads('', ['notify-test'], env)).toMatchObject({
    code: 1,
    stderr: 'webhook: failed (HTTP 503). The receiver failed: see its log.\n',
  })
  expect(bodies).toEqual(['test', 'test'])
  server.close()
})

describe('notify-test says what to do about a code', () => {
  test.each([
    ['ECONNREFUSED', /nothing listens/i],
    ['ENOTFOUND', /resolved/],
    ['EDNS', /resolved/],
    ['ETIMEDOUT', /firewall/],
    ['TimeoutError', /firewall/],
    ['UND_ERR_CONNECT_TIMEOUT', /firewall/],
    ['ESOCKET', /smtps/],
    ['ECONNECTION', /smtps/],
    ['ETLS 500', /smtps/],
    ['EAUTH 535', /password/],
    ['EENVELOPE 550', /NOTIFY_FROM/],
    ['EMESSAGE 554', /spam/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /certificate/],
    ['CERT_HAS_EXPIRED', /certificate/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /certificate/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /http:/],
    ['bad port', /another one/],
    ['HTTP 301', /redirects/],
    ['HTTP 401', /NOTIFY_WEBHOOK_SECRET/],
    ['HTTP 403', /NOTIFY_WEBHOOK_SECRET/],
    ['HTTP 404', /path/],
    ['HTTP 410', /path/],
    ['HTTP 422', /rejects the event/],
    ['HTTP 429', /limits the rate/],
    ['HTTP 502', /failed/],
    ['of another kind', /log/],
  ])('%s', (code, advice) => {
    expect(adviceFor(code)).toMatch(advice)
  })
})
