import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { databaseWith, enquiry, makeDatabase, subscriber } from '../support/server/databases.ts'
import { leads, read } from '../support/server/leads.ts'
import { query } from '../support/server/postgres.ts'

/** Systems assign no port below 1024 by themselves, and no service uses this port. */
const CLOSED = 'postgres://user:secret@127.0.0.1:2/leads'
const ROWS = {
  subscribers: [subscriber('b@example.com'), subscriber('C@example.com')],
  enquiries: [
    enquiry({ email: 'c@EXAMPLE.com', mail_error: 'EDNS' }),
    enquiry({ message: 'Ask C@Example.com, or other@example.com' }),
  ],
}
const database = databaseWith(ROWS)

test.each<[command: string, line: RegExp, url?: string]>([
  ['outbox', /^There is no database \/.+: set DATABASE_URL to that of the server\.\n$/, 'sqlite:FOLDER/none.db'],
  ['outbox', /^connect ECONNREFUSED (?!.*secret).+: Nothing listens at .+ DATABASE_URL.+\n$/, CLOSED],
  // In SQL an underscore stands for any character.
  ['report _ther@example.com', /^Nothing is stored from this address: .+ mention the address: none\.\n$/],
  ['backup FOLDER/empty.db', /^\/.+\/empty\.db exists already: name a new file\.\n$/],
])('prints one line, makes no file: %s', async (command, line, url = database.url) => {
  const folder = dirname(database.file)
  writeFileSync(`${folder}/empty.db`, '')
  const files = readdirSync(folder)
  const ended = await leads(url.replace('FOLDER', folder), command.replace('FOLDER', folder).split(' '))
  expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
  expect(readdirSync(folder)).toEqual(files)
})

test.each(['erase x7', 'report visitor'])('a wrong use exits with 2: %s', async (command) => {
  const stderr = expect.stringMatching(/^error: .+\n$/)
  expect(await leads('', command.split(' '))).toEqual({ code: 2, stdout: '', stderr })
})

test('outbox shows the enquiries whose mail is not sent, and why', async () => {
  expect(await read(database.url, 'outbox')).toMatch(/^e1 failed since \S+ \S+, attempts 0: EDNS\. See .+\n$/)
})

test('a report has all data from an address, and lists rows that mention it', async () => {
  expect(JSON.parse(await read(database.url, 'report', ' c@example.COM'))).toEqual({
    address: 'c@example.COM',
    made_at: expect.stringMatching(/Z$/),
    subscribers: (await database.rows('subscribers')).slice(1),
    enquiries: (await database.rows('enquiries')).slice(0, 1),
    mentioned_by_others: ['e2'],
    not_included: expect.stringMatching(/mention the address: e2\. .+$/),
  })
})

test.each([
  ['is full', '>/dev/full', 1, /^Can't write .+ \(ENOSPC\): .+\n$/],
  ['was closed by the next program', '| true', 0, /^$/],
])('when standard output %s, an export ends in order', (_, output, code, error) => {
  const command = `"$0" server/leads/main.ts export enquiries ${output}`
  const env = { ...process.env, DATABASE_URL: database.url }
  const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath], { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([code, expect.stringMatching(error)])
})

// After the way back from an update, for example.
test('commands read the tables of a later release', async () => {
  await database.run((db) => sql`update schema_version set version = version + 1`.execute(db))
  expect(await read(database.url, 'export', 'subscribers')).toContain('b@example.com')
})

test('a role that may only select can read, and gets an error before any question', async () => {
  const postgres = await makeDatabase('postgres')
  onTestFinished(postgres.remove)
  const role = `reader_${crypto.randomUUID().replaceAll('-', '')}`
  const rights = `grant select on all tables in schema public to ${role}`
  await query(postgres.url, `create role ${role} login password 'reads'; ${rights}`)
  const { href } = Object.assign(new URL(postgres.url), { username: role, password: 'reads' })
  for (const command of ['outbox', 'export enquiries']) await read(href, ...command.split(' '))
  const stderr = expect.stringMatching(/^[^\n]*: The role of DATABASE_URL may not do this.+\n$/)
  for (const command of ['erase e1', 'daily', 'outbox --retry'])
    expect(await leads(href, command.split(' '))).toEqual({ code: 1, stdout: '', stderr })
})
