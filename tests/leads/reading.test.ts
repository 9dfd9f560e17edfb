import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { type Ended, enquiry, event, leads, read, store, subscriber } from '../support/server/leads.ts'
import { query } from '../support/server/postgres.ts'

/** Of a group that no other file belongs to. */
const GROUP = 64_321

const isRoot = process.getuid?.() === 0

// A user who is no longer root in the matter of permissions, and can still reach this checkout wherever it is.
const MEMBER = isRoot ? ['setpriv', `--groups=${GROUP}`, '--bounding-set=-dac_override,-dac_read_search'] : []

/** Runs a command as somebody who can only read what `forReading` has prepared. */
function asMember(program: string[], environment: NodeJS.ProcessEnv) {
  const [command = '', ...args] = [...MEMBER, ...program]
  const env = { ...process.env, ...environment }
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' })
  if (status === null || status > 2) throw new Error(stderr)
  return { stdout, stderr }
}

/** What each of these commands ends with and says, one after the other in one process, without a terminal. */
function leadsAsMember(commands: readonly string[], DATABASE_URL: string): Ended[] {
  const program = `import { runCommand } from '${new URL('../../server/leads/main.ts', import.meta.url)}'
    const ends = []
    for (const command of ${JSON.stringify(commands)}) {
      const end = { code: 0, stdout: '', stderr: '' }
      const { write } = process.stdout
      for (const name of ['stdout', 'stderr']) process[name].write = (chunk) => !!(end[name] += chunk)
      end.code = await runCommand(command.split(' '))
      ends.push(end)
      process.stdout.write = write
    }
    console.log(JSON.stringify(ends))`
  return JSON.parse(asMember([process.execPath, '--input-type=module', '--eval', program], { DATABASE_URL }).stdout)
}

/** As systemd and a umask of 0027 leave it: root's tests read by the group, others as an owner who took his own right away. */
function forReading(folder: string) {
  if (isRoot) execFileSync('chown', ['-R', `65534:${GROUP}`, folder])
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), isRoot ? 0o640 : 0o440)
  chmodSync(folder, isRoot ? 0o750 : 0o550)
}

let database: TestDatabase
let file: string
beforeAll(async () => {
  database = await makeDatabase('sqlite')
  file = database.file
  await store(database, ROWS)
  forReading(dirname(file))
})
afterAll(() => {
  chmodSync(dirname(file), 0o700)
  return database.remove()
})

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
  chmodSync(dirname(file), 0o700)
  chmodSync(file, 0o600)
  // What a server does within a transaction that has not ended.
  const server = new SqliteFile(file)
  server.exec('pragma journal_mode = truncate; begin immediate; delete from subscribers')
  forReading(dirname(file))
  const files = readdirSync(dirname(file))
  const ends = leadsAsMember(READING, database.url)
  expect(ends.map(({ stdout, ...ended }) => ended)).toEqual(READING.map(() => ({ code: 0, stderr: '' })))
  expect(READING.filter((_, i) => ends[i]?.stdout === '')).toEqual(['list enquiries --search none'])
  expect(ends[0]?.stdout).toContain('other@example.com')
  server.exec('rollback')
  server.close()
  expect(readdirSync(dirname(file))).toEqual(files)
})

test('a writing command is refused in one line to who may only read, and changes nothing', () => {
  const before = [readdirSync(dirname(file)), readFileSync(file)]
  const refused = { code: 1, stdout: '', stderr: `You may only read ${file}: run this as root.\n` }
  expect(leadsAsMember([...WRITING, `backup ${file}.copy`], database.url)).toEqual(Array(4).fill(refused))
  expect(leadsAsMember([`copy ${file}`], 'postgres://127.0.0.1/leads')).toEqual([refused])
  expect([readdirSync(dirname(file)), readFileSync(file)]).toEqual(before)
})

test('on PostgreSQL a role that may only select suffices to read, and a writing command is refused in one line', async () => {
  const postgres = await makeDatabase('postgres')
  await store(postgres, ROWS)
  const role = `reader_${crypto.randomUUID().replaceAll('-', '')}`
  const rights = `grant select on all tables in schema public to ${role}`
  await query(postgres.url, `create role ${role} login password 'reads'; ${rights}`)
  const { href } = Object.assign(new URL(postgres.url), { username: role, password: 'reads' })
  for (const command of READING) await read(href, ...command.split(' '))
  const stderr = expect.stringMatching(/^You may only read postgres:\/\/[^@]+: run this as root\.\n$/)
  for (const command of WRITING) expect(await leads(href, command.split(' '))).toEqual({ code: 1, stdout: '', stderr })
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
  const stats = (DATABASE_URL?: string) =>
    asMember([join(release, 'bin/leads'), 'stats'], { DATABASE_URL, LEADS_ENVIRONMENT_FILE: service }).stderr
  const missing = (name: string) => `There is no database /${name}.db: set DATABASE_URL to that of the server.\n`
  writeFileSync(service, "DATABASE_URL='sqlite:/service.db'")
  writeFileSync(readers, "DATABASE_URL='sqlite:/readers.db'")
  if (isRoot) execFileSync('chown', [`65534:${GROUP}`, service, readers])
  expect([stats(), stats('sqlite:/own.db')]).toEqual([missing('service'), missing('own')])
  chmodSync(service, 0)
  expect(stats()).toBe(missing('readers'))
  chmodSync(readers, 0)
  expect(stats()).toMatch(/^Can't read .+-leads\.env: join the group leads \(usermod -aG leads NAME, as root\) .+\n$/)
})
