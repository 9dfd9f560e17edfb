import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DATABASES, makeDatabase, readTable, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, event, leads, startLeads, store, storeMany, subscriber } from '../support/server/leads.ts'
import { startLoad } from '../support/server/load.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder } from '../support/server/server-process.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

let folder: string
const made: TestDatabase[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'copy-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  for (const database of made.splice(0)) await database.remove()
})

async function make(kind: (typeof DATABASES)[number]) {
  const database = await makeDatabase(kind)
  made.push(database)
  return database
}

const rowsOf = async (database: TestDatabase) => ({
  subscribers: await database.rows('subscribers'),
  enquiries: await database.rows('enquiries'),
  // PostgreSQL has a column more, for servers of the previous release.
  outbox: (await database.rows('outbox')).map((row) => ({ ...row, way: undefined })),
})

const ROWS = {
  subscribers: [subscriber('one@example.com', 3), { ...subscriber('Two@example.com'), id: 70 }],
  enquiries: [enquiry({ id: 7, message: 'One\r\n\u202e"Two"', last_name: '名前' })],
  outbox: [
    event('enquiry', 7, { id: 3, lease_until: '2026-01-01T00:00:00.000Z', attempts: 2, last_error: 'HTTP 500' }),
    event('subscription', 70, { id: 4, channel: 'webhook', state: 'failed' }),
  ],
}

describe.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['sqlite', 'sqlite'],
] as const)('from %s to %s', (one, other) => {
  test('copy takes every row as it is, and new ones count on', async () => {
    const [source, target] = [await make(one), await make(other)]
    await store(source, ROWS)
    const { code, stdout, stderr } = await leads(source.url, ['copy', '--to', target.url])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain('Copied and counted: 2 subscribers.\n')
    expect(await rowsOf(target)).toEqual(await rowsOf(source))
    expect((await rowsOf(target)).outbox).toHaveLength(2)
    await store(target, { subscribers: [subscriber('next@example.com')], enquiries: [enquiry({})] })
    expect((await target.rows('subscribers')).at(-1)).toMatchObject({ id: 71, email: 'next@example.com' })
    expect((await target.rows('enquiries')).at(-1)?.id).toBe(8)
  })

  test('copy has no number given again that an erased row had', async () => {
    const [source, target] = [await make(one), await make(other)]
    await store(source, { enquiries: [enquiry({}), enquiry({ email: 'last@example.com' })] })
    expect((await leads(source.url, ['erase', 'last@example.com', '--yes'])).code).toBe(0)
    expect((await leads(source.url, ['copy', '--to', target.url])).code).toBe(0)
    await store(target, { enquiries: [enquiry({})] })
    expect((await target.rows('enquiries')).map(({ id }) => id)).toEqual([1, 3])
  })

  test('copy never adds to a database that has rows', async () => {
    const [source, target] = [await make(one), await make(other)]
    await store(source, ROWS)
    await store(target, { enquiries: [enquiry({})] })
    const before = await rowsOf(target)
    expect(await leads(source.url, ['copy', '--to', target.url])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The target database has rows already: name an empty one.\n',
    })
    expect(await rowsOf(target)).toEqual(before)
  })
})

test.each(DATABASES)('a copy that is ended in the middle leaves no row on %s', async (kind) => {
  const [source, target] = [await make('sqlite'), await make(kind)]
  await storeMany(source, 200_000)
  const { child, said, ended } = startLeads(source.url, ['copy', '--to', target.url])
  await vi.waitUntil(() => said.stderr.includes('Copying enquiries'), { timeout: WAIT_TIMEOUT, interval: 1 })
  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
  expect(await rowsOf(target)).toEqual({ subscribers: [], enquiries: [], outbox: [] })
})

test('a restoration that is killed leaves nothing of the backup but the backup', async () => {
  const [source, target] = [await make('sqlite'), await make('sqlite')]
  await storeMany(source, 50_000)
  const [backups, temporary, backup] = [join(folder, 'backups'), join(folder, 'tmp'), join(folder, 'backups', 'one.db')]
  for (const each of [backups, temporary]) mkdirSync(each)
  expect((await leads(source.url, ['backup', backup])).code).toBe(0)
  const { child, said, ended } = startLeads(target.url, ['restore', backup], {
    TMPDIR: temporary,
    SQLITE_TMPDIR: temporary,
  })
  await vi.waitUntil(() => said.stderr.includes('Copying enquiries'), { timeout: WAIT_TIMEOUT, interval: 1 })
  child.kill('SIGKILL')
  await ended
  expect([readdirSync(temporary), readdirSync(backups)]).toEqual([[], ['one.db']])
  expect(await rowsOf(target)).toEqual({ subscribers: [], enquiries: [], outbox: [] })
}, 60_000)

describe.each(DATABASES)('a backup of %s', (kind) => {
  test('that is made under load and restored into a fresh server holds all that was acknowledged before', async () => {
    const [database, fresh, file] = [await make(kind), await make(kind), join(folder, 'backup.db')]
    const sandbox = makeServerFolder()
    await storeMany(database, 20_000)
    const server = await sandbox.start({ DATABASE_URL: database.url })
    const load = startLoad(server.origin, 20)
    await vi.waitUntil(() => load.acknowledged.length > 500, { timeout: WAIT_TIMEOUT })
    const before = [...load.acknowledged]
    expect(await leads(database.url, ['backup', file])).toMatchObject({ code: 0, stdout: '' })
    const during = load.acknowledged.length - before.length
    await load.stop()
    const bytes = readFileSync(file)
    expect(await leads(fresh.url, ['restore', file])).toMatchObject({ code: 0 })
    const restored = await sandbox.start({ DATABASE_URL: fresh.url })
    const { body } = await post(`${restored.origin}/api/subscribe`, { email: before[0] ?? '' })
    const emails = new Set((await fresh.rows('subscribers')).map(({ email }) => email))
    const lost = before.filter((email) => !emails.has(email))
    console.log(
      `backup of ${kind} under load: ${before.length} acknowledged before it began, ${during} during, ${lost.length} lost`,
    )
    await sandbox.remove()
    expect(lost).toEqual([])
    expect(body).toEqual({ success: true, email_exists: true })
    expect([...load.statuses.keys()]).toEqual([200])
    expect(during).toBeGreaterThan(0)
    expect(readFileSync(file).equals(bytes)).toBe(true)
    expect([statSync(file).mode & 0o777, readdirSync(folder)]).toEqual([0o600, ['backup.db']])
    expect(readTable(file, 'enquiries')).toHaveLength(20_000)
  }, 60_000)

  test('is taken for one only if it is', async () => {
    const [database, file] = [await make(kind), join(folder, 'bookmarks.db')]
    const other = new SqliteFile(file)
    other.exec('create table bookmarks (url text)')
    other.close()
    writeFileSync(`${file}.csv`, '"id"\r\n'.repeat(1000))
    for (const name of [file, `${file}.csv`, folder]) {
      const answer = await leads(database.url, ['restore', name])
      expect(answer).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(` ${name}`) })
      expect(answer.stderr).toMatch(/^.+: name a file that "backup" wrote\.\n$/)
    }
  })

  test('never takes the place of a file, nor its restoration that of rows', async () => {
    const [database, file] = [await make(kind), join(folder, 'backup.db')]
    await store(database, ROWS)
    expect((await leads(database.url, ['backup', file])).code).toBe(0)
    const bytes = readFileSync(file)
    const line = { code: 1, stdout: '', stderr: expect.stringMatching(/^.+\n$/) }
    expect(await leads(database.url, ['backup', file])).toEqual(line)
    expect(await leads(database.url, ['restore', file])).toEqual(line)
    expect(await leads(database.url, ['restore', `${file}.none`])).toEqual(line)
    expect([readFileSync(file).equals(bytes), await database.rows('subscribers')]).toMatchObject([true, { length: 2 }])
  })
})
