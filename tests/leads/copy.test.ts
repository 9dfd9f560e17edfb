import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type DATABASES, makeDatabase, readTable, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, event, leads, leadsProcess, store, subscriber } from '../support/server/leads.ts'
import { startLoad } from '../support/server/load.ts'
import { beginElsewhere, lockWaits } from '../support/server/postgres.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

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

test('a copy in PostgreSQL has every row of a file as it is, and no number is given again', async () => {
  const [source, target] = [await make('sqlite'), await make('postgres')]
  await store(source, ROWS)
  await leads(source.url, ['erase', 'last@example.com', '--yes'])
  const copy = ['copy', source.file]
  const stderr = expect.stringMatching(
    /^Copied and counted: 2 subscribers\n.*1 enquiry\n.*2 messages .+\nStart the servers .+\n$/,
  )
  expect(await leads(target.url, copy)).toEqual({ code: 0, stdout: '', stderr })
  expect(await rowsOf(target)).toEqual(await rowsOf(source))
  const refused = expect.stringMatching(/^The database of DATABASE_URL has rows already: .+\n$/)
  expect(await leads(target.url, copy)).toEqual({ code: 1, stdout: '', stderr: refused })
  await store(target, { subscribers: [subscriber('next@example.com')], enquiries: [enquiry({})] })
  expect((await target.rows('subscribers')).map(({ id }) => id)).toEqual([1, 70, 71])
  expect((await target.rows('enquiries')).map(({ id }) => id)).toEqual([1, 3])
})

test('nobody writes to a file while it is copied', async () => {
  const [source, target] = [await make('sqlite'), await make('postgres')]
  await store(source, ROWS)
  await (await target.open()).close()
  const server = await source.open()
  const refused = { code: 1, stdout: '', stderr: expect.stringMatching(/^Another server runs on .+: stop it, .+\n$/) }
  expect(await leads(target.url, ['copy', source.file])).toEqual(refused)
  await server.close()
  const release = await beginElsewhere(target.url, 'lock table subscribers in access exclusive mode')
  const copied = leadsProcess(target.url, ['copy', source.file], {})
  await until(() => lockWaits(target.url))
  const command = new SqliteFile(source.file, { timeout: 0 })
  expect(() => command.exec('delete from outbox')).toThrow('database is locked')
  await release()
  expect(await copied).toMatchObject({ code: 0 })
  command.exec('delete from outbox')
  command.close()
})

test('a purge and a backup under load lose nothing that was acknowledged', async () => {
  const database = await make('sqlite')
  await store(database, { enquiries: Array.from({ length: 3000 }, () => enquiry({ message: 'old' }, 400)) })
  const sandbox = makeServerFolder()
  onTestFinished(sandbox.remove)
  const server = await sandbox.start({ DATABASE_URL: database.url })
  const load = startLoad(server.origin, 20)
  await load.more(200)
  await leads(database.url, ['purge', 'all', '--older-than', '365d', '--yes'])
  const before = [...load.acknowledged]
  const folder = mkdtempSync(join(tmpdir(), 'copy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'backup.db')
  const backedUp = await leads(database.url, ['backup', file])
  await load.stop()
  const { subscribers, enquiries } = await rowsOf(database)
  expect(load.missingFrom(subscribers, enquiries)).toEqual([])
  expect(enquiries.filter(({ message }) => message === 'old')).toEqual([])
  // Writing a SQLite file anew may take longer than a visitor is kept waiting.
  expect([200, 503]).toEqual(expect.arrayContaining([...load.statuses.keys()]))
  expect(backedUp).toEqual({ code: 0, stdout: '', stderr: '' })
  expect([statSync(file).mode & 0o777, readdirSync(folder)]).toEqual([0o600, ['backup.db']])
  const missing = load.missingFrom(readTable(file, 'subscribers'), readTable(file, 'enquiries'))
  expect(missing.filter((each) => before.includes(each))).toEqual([])
})
