import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { CLOSED_PORT } from '../support/server/free-port.ts'
import { databaseWith, enquiry, leads, read } from '../support/server/leads.ts'
import { mailEnvironment } from '../support/server/mail-settings.ts'
import { query } from '../support/server/postgres.ts'

const CLOSED = `postgres://user:secret@127.0.0.1:${CLOSED_PORT}/leads`
const ROWS = { enquiries: [enquiry({ message: 'Ask other@example.com' })] }
const database = databaseWith(ROWS, beforeEach)
const postgres = databaseWith(ROWS, beforeAll, 'postgres')
const folder = () => dirname(database.file)

test.each<[command: string, line: RegExp, url?: string]>([
  ['outbox', /^There is no database \/.+: set DATABASE_URL to that of the server\.\n$/, 'sqlite:FOLDER/none.db'],
  ['outbox', /^\/.+ lacks tables of this release: set DATABASE_URL .+\n$/, 'sqlite:FOLDER/empty.db'],
  ['outbox', /^connect ECONNREFUSED (?!.*secret).+: Nothing listens at .+ DATABASE_URL.+\n$/, CLOSED],
  ['report other@example.com', /^Nothing is stored from this address: check it\. .+ mention the address: e1\.\n$/],
  ['backup FOLDER/none/a.db', /^ENOENT.+: check that its folder exists and can be written.+\n$/],
  ['backup FOLDER/empty.db', /^\/.+\/empty\.db exists already: name a new file\.\n$/],
  ['backup FOLDER/leads.dump', /^PostgreSQL makes its own backups: run pg_dump .+\n$/, CLOSED],
  ['restore FOLDER/none.db', /^There is no file \/.+\/none\.db\.\n$/],
  ['outbox --retry', /^No mail is configured: .+ Nothing is retried\.\n$/],
])('prints one line, makes no file: %s', async (command, line, url = database.url) => {
  writeFileSync(`${folder()}/empty.db`, '')
  const files = readdirSync(folder())
  const ended = await leads(url.replace('FOLDER', folder()), command.replace('FOLDER', folder()).split(' '))
  expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
  expect(readdirSync(folder())).toEqual(files)
})

test.each(['erase 2', 'erase x7', 'report visitor', 'export enquiries --since 2026-02-30'])(
  'a wrong use exits with 2: %s',
  async (command) => {
    const stderr = expect.stringMatching(/^error: .+\n$/)
    expect(await leads('', command.split(' '))).toEqual({ code: 2, stdout: '', stderr })
  },
)

test('notify-test exits with 1 if the mail server does not accept the mail', async () => {
  const stderr = expect.stringMatching(/^failed \(ECONNREFUSED\)\. Nothing listens.+\n$/)
  expect(await leads('', ['notify-test'], mailEnvironment(CLOSED_PORT))).toEqual({ code: 1, stdout: '', stderr })
})

// File modes also apply to root if it gives up these rights.
const WITHOUT_ROOT_RIGHTS = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []

const journal = () => `${database.file}-journal`

/** Runs a command as a user to whom file modes apply. */
function leadsByModes(...args: string[]) {
  const [program = '', ...words] = [...WITHOUT_ROOT_RIGHTS, process.execPath, 'server/leads/main.ts', ...args]
  const env = { ...process.env, DATABASE_URL: database.url }
  const ended = spawnSync(program, words, { env, encoding: 'utf8' })
  chmodSync(folder(), 0o700)
  return ended
}

test('a user with only read permission can read leads while a server writes', () => {
  const server = new SqliteFile(database.file)
  // The statements of a server in a transaction that has not ended.
  server.exec('pragma journal_mode = truncate; begin immediate; delete from enquiries')
  for (const path of [database.file, journal()]) chmodSync(path, 0o400)
  chmodSync(folder(), 0o500)
  expect(leadsByModes('export', 'enquiries')).toMatchObject({ status: 0, stderr: '' })
  server.close()
})

test.each([
  ['write the file', 'erase e1', () => database.file, 0o400],
  ['read the journal', 'outbox', journal, 0],
])('a user without permission to %s gets an error before any question', (_right, command, path, mode) => {
  // A journal with content may belong to a transaction that was not committed.
  writeFileSync(journal(), path === journal ? 'x'.repeat(512) : '')
  chmodSync(path(), mode)
  const stderr = expect.stringMatching(/^[^\n]+: This user may not use its file or folder: .+\n$/)
  expect(leadsByModes(...command.split(' '))).toMatchObject({ status: 1, stdout: '', stderr })
})

test('on PostgreSQL a role that may only select can read, but change nothing', async () => {
  const role = `reader_${crypto.randomUUID().replaceAll('-', '')}`
  const rights = `grant select on all tables in schema public to ${role}`
  await query(postgres.url, `create role ${role} login password 'reads'; ${rights}`)
  const { href } = Object.assign(new URL(postgres.url), { username: role, password: 'reads' })
  const readingCommands = ['outbox', 'export enquiries', 'report visitor@example.com']
  for (const command of readingCommands) await read(href, ...command.split(' '))
  const stderr = expect.stringMatching(/^[^\n]*: The role of DATABASE_URL may not do this.+\n$/)
  for (const command of ['erase e1', 'daily', 'outbox --retry'])
    expect(await leads(href, command.split(' '))).toEqual({ code: 1, stdout: '', stderr })
})
