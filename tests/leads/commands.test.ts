import { readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { CLOSED_PORT } from '../support/server/free-port.ts'
import { databaseWith, enquiry, event, leads, read } from '../support/server/leads.ts'
import { startWebhookReceiver } from '../support/server/receivers.ts'

const webhookTo = (url: string) => ({ NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: 'a secret of 16 bytes' })

describe('the outbox', () => {
  const database = databaseWith(
    {
      outbox: [
        event('enquiry', 2, { state: 'failed', attempts: 9, last_error: 'ECONNREFUSED' }),
        event('subscription', 1, { channel: 'webhook' }),
      ],
    },
    beforeEach,
  )

  test('says why a message failed', async () => {
    expect(await read(database.url, 'outbox')).toMatch(/^e2 +mail +\S+ \S+ +failed +never +9 +ECONNREFUSED$/m)
  })

  test('says how many messages it does not show', async () => {
    const outbox = (limit: string) => leads(database.url, ['outbox', '--limit', limit])
    expect((await outbox('1')).stderr).toBe('Shown are the newest 1 of 2: see --limit.\n')
    expect((await outbox('2')).stderr).toBe('')
  })

  test('retries nothing where no channel is configured', async () => {
    const stderr = expect.stringMatching(/^No channel .+ messages to staff that are not sent: 2\.\n$/)
    expect(await leads(database.url, ['outbox', '--retry'])).toEqual({ code: 1, stdout: '', stderr })
    expect((await database.rows('outbox')).map(({ state }) => state)).toEqual(['failed', 'pending'])
  })

  test('makes what failed due again', async () => {
    const stderr = 'Messages to staff that are due again: 1\n'
    const retried = await leads(database.url, ['outbox', '--retry'], webhookTo('http://127.0.0.1'))
    expect(retried).toEqual({ code: 0, stdout: '', stderr })
    expect((await database.rows('outbox')).map(({ state }) => state)).toEqual(['pending', 'pending'])
  })
})

describe('what can not be done', () => {
  const database = databaseWith({ enquiries: [enquiry({ message: 'Ask other@example.com' })] })
  const NOBODY = `postgres://user:secret@127.0.0.1:${CLOSED_PORT}/leads`
  test.each<[command: string, line: RegExp, url?: string]>([
    ['stats', /^There is no database \/.+: set DATABASE_URL to that of the server\.\n$/, 'sqlite:FOLDER/none.db'],
    ['stats', /^There are no leads in \/.+: set DATABASE_URL to that of the server\.\n$/, 'sqlite:FOLDER/empty.db'],
    ['stats', /^connect ECONNREFUSED (?!.*secret).+: Nothing listens at .+ DATABASE_URL.+\n$/, NOBODY],
    ['show e99', /^No row 99 in enquiries: "list enquiries" shows the newest\.\n$/],
    ['report other@example.com', /^Nothing is stored from this address: check it\. .+ mention the address: e1\.\n$/],
    ['export enquiries --out FOLDER/none/a.csv', /^ENOENT.+: check that its folder exists and can be written.+\n$/],
    ['backup FOLDER/none/leads.db', /^ENOENT.+: check that its folder exists and can be written.+\n$/],
    ['backup FOLDER/empty.db', /^\/.+\/empty\.db exists already: name a new file\.\n$/],
    ['backup FOLDER/leads.dump', /^PostgreSQL makes its own backups: run pg_dump .+\n$/, NOBODY],
  ])('ends in one line and makes no file: %s', async (command, stderr, url = database.url) => {
    const folder = dirname(database.file)
    writeFileSync(`${folder}/empty.db`, '')
    const files = readdirSync(folder)
    const answer = await leads(url.replace('FOLDER', folder), command.replace('FOLDER', folder).split(' '))
    expect(answer).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) })
    expect(readdirSync(folder)).toEqual(files)
  })

  test.each([
    ...['none', 'show 2', 'list people', 'erase nobody', 'report visitor', 'list enquiries --since 2026-02-30'],
    ...['list enquiries --limit 0', 'purge all --older-than 365'],
  ])('ends with 2 if it is used wrongly: %s', async (words) => {
    const stderr = expect.stringMatching(/^error: .+\n$/)
    expect(await leads('', words.split(' '))).toEqual({ code: 2, stdout: '', stderr })
  })
})

describe('SETTINGS_FILE', () => {
  const database = databaseWith({ enquiries: [enquiry({})] })
  const stats = (settings: string) => {
    const SETTINGS_FILE = `${database.file}.env`
    writeFileSync(SETTINGS_FILE, settings)
    return leads('', ['show', 'e1'], { SETTINGS_FILE })
  }

  test('names the file of the settings', async () => {
    expect(await stats(`# remark\nDATABASE_URL='${database.url}'\n`)).toMatchObject({ code: 0, stderr: '' })
  })

  test('may hold no wrong line, which is named by its number', async () => {
    const stderr = expect.stringMatching(/^Line 2 of .+\.env sets NOTIFI_TO, which is no setting\. .+\n$/)
    expect(await stats('# remark\nNOTIFI_TO=staff@example.com\n')).toEqual({ code: 1, stdout: '', stderr })
  })
})

test('every command has help with an example', async () => {
  const names = (await read('', '--help')).match(/(?<=^ {2})(?!help)[a-z]\S+/gm) ?? []
  expect(names).toContain('purge')
  for (const name of names) expect(await read('', name, '--help')).toContain(`\nExample:\n  leads ${name}`)
})

test.each([
  ['take', 0, 'webhook: delivered (HTTP 204)\n', ''],
  ['refuse', 1, '', expect.stringMatching(/^webhook: failed \(HTTP 503\)\. .+\n$/)],
] as const)('notify-test says what came of it if receivers %s it', async (behaviour, code, stdout, stderr) => {
  const hook = await startWebhookReceiver()
  onTestFinished(hook.stop)
  hook.behave(() => behaviour)
  expect(await leads('', ['notify-test'], webhookTo(hook.url))).toEqual({ code, stdout, stderr })
  expect(hook.deliveries.map(({ content }) => JSON.parse(`${content}`).type)).toEqual(['test'])
})
