import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDatabase } from '../support/server/databases.ts'
import { databaseWith, enquiry, event, leads, leadsProcess, read, store, subscriber } from '../support/server/leads.ts'
import { query } from '../support/server/postgres.ts'

/** Of a group that no other file belongs to. */
const GROUP = 64_321

const isRoot = process.getuid?.() === 0

// A user who is no longer root in the matter of permissions, and can still reach this checkout wherever it is.
const MEMBER = isRoot ? ['setpriv', `--groups=${GROUP}`, '--bounding-set=-dac_override,-dac_read_search'] : []

/** What a command ends with for somebody who only has the rights that `allow` gave. */
const asMember = (command: string) => leadsProcess(database.url, command.split(' '), {}, MEMBER)

/** Gives a path a mode of the group; without root, the same to the owner. */
function allow(path: string, mode: number) {
  if (isRoot) execFileSync('chown', [`65534:${GROUP}`, path])
  chmodSync(path, isRoot ? mode << 3 : mode << 6)
}

const ROWS = {
  subscribers: [subscriber('visitor@example.com', 400), subscriber('other@example.com')],
  enquiries: [enquiry({ email: 'visitor@example.com' })],
  outbox: [event('enquiry', 1, { state: 'failed', last_error: 'HTTP 500' })],
}

const database = databaseWith(ROWS, beforeEach)

afterEach(() => chmodSync(dirname(database.file), 0o700))

const READING = ['list subscribers', 'show e1', 'stats', 'outbox', 'export subscribers', 'report visitor@example.com']

const WRITING = ['erase visitor@example.com', 'purge all --older-than 365d', 'outbox --retry']

/** As systemd and a umask of 0027 leave it. */
function allowReading() {
  const folder = dirname(database.file)
  for (const name of readdirSync(folder)) allow(join(folder, name), 0o4)
  allow(folder, 0o5)
}

test.each(READING)('%s needs no right to write, also beside a server that writes', async (command) => {
  const server = new SqliteFile(database.file)
  // What a server does within a transaction that has not ended.
  server.exec('pragma journal_mode = truncate; begin immediate; delete from subscribers')
  allowReading()
  const files = readdirSync(dirname(database.file))
  const stdout = expect.stringMatching(/./)
  expect(await asMember(command)).toEqual({ code: 0, stdout, stderr: '' })
  server.exec('rollback')
  server.close()
  expect(readdirSync(dirname(database.file))).toEqual(files)
})

test.each(WRITING)('%s is refused before any question to who may only read', async (command) => {
  allowReading()
  const stderr = `You may not write ${database.file}: run this as root.\n`
  expect(await asMember(command)).toEqual({ code: 1, stdout: '', stderr })
})

test.each<[what: string, path: () => string, mode: number, command: string, verb: string]>([
  ['a journal', () => `${database.file}-journal`, 0o4, 'erase s1 --yes', 'write'],
  ['a journal', () => `${database.file}-journal`, 0, 'stats', 'read'],
  ['the folder', () => dirname(database.file), 0o5, 'erase s1 --yes', 'write'],
])('%s that keeps a command away is named', async (_, pathOf, mode, command, verb) => {
  writeFileSync(`${database.file}-journal`, '')
  for (const path of [database.file, `${database.file}-journal`]) allow(path, 0o6)
  allow(dirname(database.file), 0o7)
  allow(pathOf(), mode)
  const stderr = expect.stringMatching(`^You may not ${verb} ${pathOf()}: .+\\n$`)
  expect(await asMember(command)).toEqual({ code: 1, stdout: '', stderr })
})

test.each([0o5, 0])('--out into a folder of mode %i ends in one line', async (mode) => {
  const closed = join(dirname(database.file), 'closed')
  mkdirSync(closed)
  allow(closed, mode)
  allow(database.file, 0o4)
  allow(dirname(database.file), 0o5)
  const stderr = expect.stringMatching(/^EACCES: .+: check that its folder exists and can be written.+\n$/)
  expect(await asMember(`export subscribers --out ${closed}/a.csv`)).toEqual({ code: 1, stdout: '', stderr })
})

test('on PostgreSQL a role that may only select can read, and is refused the rest', async () => {
  const postgres = await makeDatabase('postgres')
  await store(postgres, ROWS)
  const role = `reader_${crypto.randomUUID().replaceAll('-', '')}`
  const rights = `grant select on all tables in schema public to ${role}`
  await query(postgres.url, `create role ${role} login password 'reads'; ${rights}`)
  const { href } = Object.assign(new URL(postgres.url), { username: role, password: 'reads' })
  for (const command of READING) await read(href, ...command.split(' '))
  const stderr = expect.stringMatching(/^The role of DATABASE_URL may only read postgres:\/\/[^@]+: run .+\n$/)
  for (const command of WRITING) expect(await leads(href, command.split(' '))).toEqual({ code: 1, stdout: '', stderr })
  await query(postgres.url, `drop owned by ${role}; drop role ${role}`)
  await postgres.remove()
})
