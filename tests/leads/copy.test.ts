import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, event, leads, leadsProcess, signalledHalfway, store, subscriber } from '../support/server/leads.ts'
import { startLoad } from '../support/server/load.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'copy-'))
  file = join(folder, 'backup.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

async function make(kind: (typeof DATABASES)[number]) {
  const database = await makeDatabase(kind)
  onTestFinished(database.remove)
  return database
}

const rowsOf = async (database: TestDatabase) => ({
  subscribers: await database.rows('subscribers'),
  enquiries: await database.rows('enquiries'),
  outbox: await database.rows('outbox'),
})

const ROWS = {
  subscribers: [subscriber('one@example.com', 3), { ...subscriber('Two@example.com'), id: 70 }],
  enquiries: [enquiry({ message: 'One\r\n\u202e"Two"', last_name: '名前' }), enquiry({ email: 'last@example.com' })],
  outbox: [
    event('enquiry', 1, { id: 3, lease_until: '2026-01-01T00:00:00.000Z', attempts: 2, last_error: 'HTTP 500' }),
    event('subscription', 70, { id: 4, channel: 'webhook', state: 'failed' }),
  ],
}

test.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('a backup of %s restored to %s has every row as it is, and no number is given again', async (...kinds) => {
  const [source, target] = [await make(kinds[0]), await make(kinds[1])]
  await store(source, ROWS)
  await leads(source.url, ['erase', 'last@example.com', '--yes'])
  await leads(source.url, ['backup', file])
  const stderr = expect.stringContaining('Copied and counted: 2 subscribers.\n')
  expect(await leads(target.url, ['restore', file])).toEqual({ code: 0, stdout: '', stderr })
  expect(await rowsOf(target)).toEqual(await rowsOf(source))
  const refused = { code: 1, stdout: '', stderr: 'The target database has rows already: name an empty one.\n' }
  expect(await leads(target.url, ['restore', file])).toEqual(refused)
  await store(target, { subscribers: [subscriber('next@example.com')], enquiries: [enquiry({})] })
  expect((await target.rows('subscribers')).map(({ id }) => id)).toEqual([1, 70, 71])
  expect((await target.rows('enquiries')).map(({ id }) => id)).toEqual([1, 3])
})

test('a restoration that is killed leaves nothing of the backup but the backup, and no row', async () => {
  const [source, target] = [await make('sqlite'), await make('sqlite')]
  await store(source, ROWS)
  await leads(source.url, ['backup', file])
  const env = { ...signalledHalfway('SIGKILL'), TMPDIR: folder, SQLITE_TMPDIR: folder }
  const killed = { code: null, stderr: 'Copying subscribers: 2 of 2\n' }
  expect(await leadsProcess(target.url, ['restore', file], env)).toMatchObject(killed)
  expect(readdirSync(folder)).toEqual(['backup.db'])
  expect(await rowsOf(target)).toEqual({ subscribers: [], enquiries: [], outbox: [] })
})

test.each(DATABASES)('on %s, a purge and a backup under load lose nothing that was acknowledged', async (kind) => {
  const [database, fresh] = [await make(kind), await make(kind)]
  await store(database, { enquiries: Array.from({ length: 3000 }, () => enquiry({ message: 'old' }, 400)) })
  const sandbox = makeServerFolder()
  onTestFinished(sandbox.remove)
  const server = await sandbox.start({ DATABASE_URL: database.url })
  const load = startLoad(server.origin, 20)
  await load.more(200)
  await leads(database.url, ['purge', '--older-than', '365d', '--yes'])
  const before = [...load.acknowledged]
  expect(await leads(database.url, ['backup', file])).toMatchObject({ code: 0, stdout: '' })
  await load.stop()
  const bytes = readFileSync(file)
  await leads(fresh.url, ['restore', file])
  const { subscribers, enquiries } = await rowsOf(fresh)
  expect(load.missingFrom(subscribers, enquiries).filter((each) => before.includes(each))).toEqual([])
  expect(enquiries.filter(({ message }) => message === 'old')).toEqual([])
  // Writing a SQLite file anew may take longer than a visitor is kept waiting.
  expect([200, 503]).toEqual(expect.arrayContaining([...load.statuses.keys()]))
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect([statSync(file).mode & 0o777, readdirSync(folder)]).toEqual([0o600, ['backup.db']])
})
