import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { adviceFor } from '../../server/messages/advice.ts'
import { makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { CLOSED_PORT } from '../support/server/free-port.ts'
import { enquiry, event, leads, read, store, subscriber } from '../support/server/leads.ts'
import { startWebhookReceiver } from '../support/server/receivers.ts'

/** Most of its signs are two columns wide. */
const WIDE_NAME = `ÑANDÚ ${'名'.repeat(16)}`

const MORE = 'There are more: see --limit.\n'

const webhookTo = (url: string) => ({ NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: 'a secret of 16 bytes' })

describe('what is stored', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await makeDatabase('sqlite')
    await store(database, {
      subscribers: [subscriber('old@example.com', 40), subscriber('b@example.com', 2), subscriber('C@example.com')],
      enquiries: [enquiry({}, 40), enquiry({ last_name: WIDE_NAME, message: 'One\r\nTwo' }, 2), enquiry({})],
      outbox: [
        event('enquiry', 2, { channel: 'mail', state: 'failed', attempts: 9, last_error: 'ECONNREFUSED' }),
        event('enquiry', 3, { channel: 'mail' }),
        event('enquiry', 3, { channel: 'webhook' }),
        event('subscription', 1, { channel: 'webhook' }),
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
    const table = await read(database.url, 'stats')
    expect(table).toMatch(/^total +3 +3\ntoday +1 +1\n/m)
    expect(table).toMatch(new RegExp(`^${stats.days[11].day} +1 +1$`, 'm'))
    expect(table).toContain('Enquiries unsent: 1 pending, 1 failed. Days are UTC.')
  })

  test('list shows the newest first, from a time on, with a text, up to a limit, and show all of one', async () => {
    expect(await emails('subscribers')).toEqual(['C@example.com', 'b@example.com', 'old@example.com'])
    expect(await emails('subscribers', '--since', '7d')).toEqual(['C@example.com', 'b@example.com'])
    expect(await emails('subscribers', '--search', 'c@EXAMPLE')).toEqual(['C@example.com'])
    expect(await emails('enquiries', '--search', 'ñandú')).toHaveLength(1)
    expect(await emails('enquiries', '--search', '%')).toEqual([])
    const list = (limit: string) => leads(database.url, ['list', 'subscribers', '--limit', limit])
    expect(await list('2')).toMatchObject({ stdout: expect.stringMatching(/^(?!.*old@).*b@/s), stderr: MORE })
    expect(await list('3')).toMatchObject({ stdout: expect.stringContaining('old@'), stderr: '' })
    expect(await read(database.url, 'show', 's2')).toMatch(/^id: 2\ncreated_at: .+Z\nemail: b@example\.com\n$/)
    expect((await read(database.url, 'list', 'enquiries')).split('\n').slice(0, 3)).toEqual([
      'id  received (UTC)    email                name                           message',
      expect.stringMatching(/^e3 {2}[\d-]{10} [\d:]{5} {2}visitor@example\.com {2}Given Family {19}When will .+/),
      expect.stringMatching(/ {2}visitor@example\.com {2}Given ÑANDÚ 名{8}… {2}One Two$/),
    ])
  })

  test('outbox shows what waits or failed and why, and makes the failed due again', async () => {
    expect(await read(database.url, 'outbox')).toMatch(/^e2 +mail +\S+ \S+ +failed +never +9 +ECONNREFUSED$/m)
    expect(JSON.parse(await read(database.url, 'outbox', '--json'))).toHaveLength(4)
    const retry = (env = {}) => leads(database.url, ['outbox', '--retry'], env)
    const waiting = 'Nothing is retried, and not sent yet: 4 messages to staff.\n'
    expect(await retry()).toMatchObject({ code: 1, stderr: expect.stringMatching(`^No channel .+\\. ${waiting}$`) })
    expect((await database.rows('outbox')).filter(({ state }) => state === 'failed')).toHaveLength(1)
    for (const retried of ['1 message', '0 messages']) {
      const stderr = `To be retried: ${retried} to staff\n`
      expect(await retry(webhookTo('http://127.0.0.1'))).toEqual({ code: 0, stdout: '', stderr })
    }
    expect((await database.rows('outbox')).map(({ state }) => state)).toEqual(Array(4).fill('pending'))
  })
})

describe('what can not be done ends in one line that says what to do, and makes no file', () => {
  let database: TestDatabase
  let folder: string
  beforeAll(async () => {
    database = await makeDatabase('sqlite')
    await store(database, { subscribers: [subscriber('visitor@example.com')] })
    folder = dirname(database.file)
    writeFileSync(join(folder, 'empty.db'), '')
  })
  afterAll(() => database.remove())

  const NOBODY = `postgres://user:secret@127.0.0.1:${CLOSED_PORT}/leads`
  test.each<[command: string, line: RegExp, url?: string]>([
    ['stats', /^There is no database \/.+: set DATABASE_URL to that of the server\.$/, 'sqlite:FOLDER/none.db'],
    ['stats', /^There are no leads in \/.+: set DATABASE_URL to that of the server\.$/, 'sqlite:FOLDER/empty.db'],
    ['show e99', /^No row 99 in enquiries: "list enquiries" shows the newest\.$/],
    ['backup FOLDER/none/leads.db', /^ENOENT.+: check that its folder exists and can be written.+$/],
    ['backup FOLDER/empty.db', /^\/.+\/empty\.db exists already: name a new file\.$/],
    [
      'backup FOLDER/leads.dump',
      /Run: pg_dump --format=custom --file='\/.+\/leads\.dump' 'postgres:\/\/user@127\.0\.0\.1:\d+\/leads'$/,
      NOBODY,
    ],
    ['copy FOLDER/empty.db', /^Set DATABASE_URL to the PostgreSQL database that is to get the rows\.$/],
    ['stats', /^connect ECONNREFUSED .+: Nothing listens at .+ DATABASE_URL.+$/, NOBODY],
  ])('%s: %s', async (command, line, url = database.url) => {
    const files = readdirSync(folder)
    const args = command.replace('FOLDER', folder).split(' ')
    const answer = await leads(url.replace('FOLDER', folder), args)
    expect(answer).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^.+\n$/) })
    expect(answer.stderr.trimEnd()).toMatch(line)
    expect(answer.stderr).not.toContain('secret')
    expect(readdirSync(folder)).toEqual(files)
  })

  test.each([
    ...['none', 'show 2', 'list people', 'erase nobody', 'report visitor', 'list enquiries --since 2026-02-30'],
    ...['list enquiries --limit 0', 'purge all --older-than 365'],
  ])('%s is used wrongly', async (words) => {
    const stderr = expect.stringMatching(/^error: .+\n$/)
    expect(await leads('', words.split(' '))).toEqual({ code: 2, stdout: '', stderr })
  })

  test('every command has help with an example', async () => {
    const names = (await read('', '--help')).match(/(?<=^ {2})(?!help)[a-z]\S+/gm) ?? []
    expect(names).toContain('purge')
    for (const name of names) expect(await read('', name, '--help')).toContain(`\nExample:\n  leads ${name}`)
  })
})

test('notify-test says what came back each way, and fails if one did not take it', async () => {
  const hook = await startWebhookReceiver()
  onTestFinished(hook.stop)
  const test = () => leads('', ['notify-test'], webhookTo(hook.url))
  expect(await test()).toEqual({ code: 0, stdout: 'webhook: delivered (HTTP 204)\n', stderr: '' })
  hook.behave(() => 'refuse')
  const stderr = 'webhook: failed (HTTP 503). The receiver failed: see its log.\n'
  expect(await test()).toEqual({ code: 1, stdout: '', stderr })
  expect(hook.deliveries.map(({ content }) => JSON.parse(`${content}`).type)).toEqual(['test', 'test'])
})

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', /certificate/],
  ['HTTP 403', /NOTIFY_WEBHOOK_SECRET/],
  ['HTTP 422', /rejects the event/],
  ['of another kind', /log/],
])('notify-test says what to do about %s', (code, advice) => {
  expect(adviceFor(code)).toMatch(advice)
})
