import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, event, store, subscriber } from '../support/server/leads.ts'
import { query } from '../support/server/postgres.ts'

/** Of a group that no other file belongs to. */
const GROUP = 64_321

const isRoot = process.getuid?.() === 0

// A user who is no longer root in the matter of permissions, and can still reach this checkout wherever it is.
const MEMBER = isRoot ? ['setpriv', `--groups=${GROUP}`, '--bounding-set=-dac_override,-dac_read_search'] : []

/** Runs a command as somebody who can only read what `forReading` has prepared, without a terminal. */
function asMember(words: string, DATABASE_URL: string, program = ['server/leads/main.ts']) {
  const [command = '', ...args] = [...MEMBER, process.execPath, ...program, ...words.split(' ')]
  const env = { ...process.env, DATABASE_URL }
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** As systemd and a umask of 0027 leave it: root's tests read by the group, others as an owner who took his own right away. */
function forReading(folder: string) {
  if (isRoot) execFileSync('chown', ['-R', `65534:${GROUP}`, folder])
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), isRoot ? 0o640 : 0o440)
  chmodSync(folder, isRoot ? 0o750 : 0o550)
}

let database: TestDatabase
let file: string
let killed: string
beforeAll(async () => {
  database = await makeDatabase('sqlite')
  file = database.url.replace('sqlite:', '')
  await store(database, ROWS)
  killed = join(dirname(dirname(file)), 'killed')
  // So little is kept in memory that half of it is in the file before its end.
  const server = beginWriting(
    'delete from subscribers; pragma cache_size = 1; create table more as select randomblob(1e6)',
  )
  cpSync(dirname(file), killed, { recursive: true })
  server.exec('rollback')
  server.close()
  forReading(killed)
})
afterAll(() => {
  for (const folder of [dirname(file), killed]) chmodSync(folder, 0o700)
  return database.remove()
})

/** What a server does within a transaction that has not ended. */
function beginWriting(statements: string) {
  const server = new SqliteFile(file)
  server.exec(`pragma journal_mode = truncate; begin immediate; ${statements}`)
  return server
}

const ROWS = {
  subscribers: [subscriber('Visitor@Example.com', 400), subscriber('other@example.com')],
  enquiries: [
    enquiry({ email: 'VISITOR@example.com', message: 'One\u202e\u001b' }),
    enquiry({ email: 'other@example.com', message: 'Ask visitor@example.com.' }),
  ],
  outbox: [event('enquiry', 1, { state: 'failed', last_error: 'HTTP 500' }), event('enquiry', 2)],
}

const READING = [
  ...['list subscribers', 'list enquiries --limit 1', 'list enquiries --search none', 'show e1', 'stats', 'outbox'],
  ...['export subscribers', 'report visitor@example.com', 'purge all --older-than 365d --dry-run'],
]

const WRITING = ['erase visitor@example.com', 'purge all --older-than 365d', 'outbox --retry']

test('every reading command needs no right to write, also beside a server that writes, leaves nothing, and says nothing but its data', () => {
  const server = beginWriting('delete from subscribers')
  forReading(dirname(file))
  const files = readdirSync(dirname(file))
  for (const command of READING) {
    const { stdout, ...ended } = asMember(command, database.url)
    expect(ended, command).toEqual({ status: 0, stderr: '' })
    expect(stdout === '', command).toBe(command.includes('none'))
  }
  expect(asMember('list subscribers', database.url).stdout).toContain('other@example.com')
  server.exec('rollback')
  server.close()
  expect(readdirSync(dirname(file))).toEqual(files)
})

test('a writing command is refused in one line to who may only read, and changes nothing', () => {
  const before = [readdirSync(dirname(file)), readFileSync(file)]
  const refused = { status: 1, stdout: '', stderr: `You may only read ${file}: run this as root.\n` }
  for (const command of [...WRITING, `backup ${file}.copy`]) expect(asMember(command, database.url)).toEqual(refused)
  const copy = asMember(`copy ${file}`, 'postgres://127.0.0.1/leads')
  expect(copy).toEqual(refused)
  expect([readdirSync(dirname(file)), readFileSync(file)]).toEqual(before)
})

test('what a killed server left is told in one line, and put in order by who may write', () => {
  const url = `sqlite:${killed}/leads.db`
  const stderr = 'The server was killed amid a write: start it first, which puts the file in order.\n'
  expect(asMember('list subscribers', url)).toEqual({ status: 1, stdout: '', stderr })
  expect(statSync(join(killed, 'leads.db-journal')).size).toBeGreaterThan(0)
  for (const path of [killed, ...readdirSync(killed).map((name) => join(killed, name))]) chmodSync(path, 0o777)
  expect(asMember('list subscribers', url).stdout).toContain('other@example.com')
})

test('who may not even read is told', () => {
  const folder = join(dirname(dirname(file)), 'closed')
  mkdirSync(folder)
  if (isRoot) execFileSync('chown', ['65534', folder])
  chmodSync(folder, isRoot ? 0o700 : 0)
  const stderr = `You may not read ${folder}/leads.db: run this as root, or join its group.\n`
  expect(asMember('stats', `sqlite:${folder}/leads.db`)).toEqual({ status: 1, stdout: '', stderr })
  chmodSync(folder, 0o700)
})

test('on PostgreSQL a role that may only select suffices to read, and a writing command is refused in one line', async () => {
  const postgres = await makeDatabase('postgres')
  await store(postgres, ROWS)
  const role = `reader_${crypto.randomUUID().replaceAll('-', '')}`
  const rights = `grant select on all tables in schema public to ${role}`
  await query(postgres.url, `create role ${role} login password 'reads'; ${rights}`)
  const { href } = Object.assign(new URL(postgres.url), { username: role, password: 'reads' })
  for (const command of READING) expect(asMember(command, href), command).toMatchObject({ status: 0, stderr: '' })
  const stderr = expect.stringMatching(/^You may only read postgres:\/\/[^@]+: run this as root\.\n$/)
  for (const command of WRITING) expect(asMember(command, href)).toEqual({ status: 1, stdout: '', stderr })
  await query(postgres.url, `drop owned by ${role}; drop role ${role}`)
  await postgres.remove()
})

test('the command of a release takes the settings of the environment, of the service, or of its readers, and else says whom to ask', () => {
  const release = join(dirname(dirname(file)), 'release')
  mkdirSync(join(release, 'bin'), { recursive: true })
  for (const name of ['server', 'src', 'package.json', 'node_modules']) symlinkSync(resolve(name), join(release, name))
  symlinkSync(process.execPath, join(release, 'bin/node'))
  cpSync('deploy/leads', join(release, 'bin/leads'))
  const service = join(release, 'settings.env')
  const readers = join(release, 'settings-leads.env')
  const stats = (url?: string) => {
    const env = { ...process.env, DATABASE_URL: url, LEADS_ENVIRONMENT_FILE: service }
    const [command = '', ...args] = [...MEMBER, join(release, 'bin/leads'), 'stats']
    return spawnSync(command, args, { env, encoding: 'utf8' }).stderr
  }
  const missing = (name: string) => `There is no database /${name}.db: set DATABASE_URL to that of the server.\n`
  writeFileSync(service, "DATABASE_URL='sqlite:/service.db'")
  writeFileSync(readers, "DATABASE_URL='sqlite:/readers.db'")
  if (isRoot) execFileSync('chown', [`65534:${GROUP}`, service, readers])
  expect(stats()).toBe(missing('service'))
  expect(stats('sqlite:/own.db')).toBe(missing('own'))
  chmodSync(service, 0)
  expect(stats()).toBe(missing('readers'))
  chmodSync(readers, 0)
  expect(stats()).toMatch(/^Can't read .+-leads\.env: join the group leads \(usermod -aG leads NAME, as root\) .+\n$/)
  expect(stats('sqlite:/own.db')).toBe(missing('own'))
})
