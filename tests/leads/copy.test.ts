import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, event, leads, leadsProcess, signalledHalfway, store, subscriber } from '../support/server/leads.ts'
import { startLoad } from '../support/server/load.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

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
] as const)(
  'a backup of %s restored to %s has every row as it is, and no number is given again, of an erased row neither',
  async (...kinds) => {
    const [source, target] = [await make(kinds[0]), await make(kinds[1])]
    await store(source, ROWS)
    expect((await leads(source.url, ['erase', 'last@example.com', '--yes'])).code).toBe(0)
    const file = join(folder, 'backup.db')
    expect((await leads(source.url, ['backup', file])).code).toBe(0)
    expect(await leads(target.url, ['restore', file])).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('Copied and counted: 2 subscribers.\n'),
    })
    const copied = await rowsOf(target)
    expect(copied).toEqual(await rowsOf(source))
    expect(copied.outbox).toHaveLength(2)
    expect(await leads(target.url, ['restore', file])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The target database has rows already: name an empty one.\n',
    })
    expect(await rowsOf(target)).toEqual(copied)
    await store(target, { subscribers: [subscriber('next@example.com')], enquiries: [enquiry({})] })
    expect((await target.rows('subscribers')).map(({ id }) => id)).toEqual([1, 70, 71])
    expect((await target.rows('enquiries')).map(({ id }) => id)).toEqual([1, 3])
  },
)

describe.each(DATABASES)('on %s', (kind) => {
  test('a restoration that is killed leaves nothing of the backup but the backup, and no row', async () => {
    const [source, target] = [await make('sqlite'), await make(kind)]
    await store(source, ROWS)
    const [backups, temporary] = [join(folder, 'backups'), join(folder, 'tmp')]
    for (const each of [backups, temporary]) mkdirSync(each)
    expect((await leads(source.url, ['backup', join(backups, 'one.db')])).code).toBe(0)
    const env = { ...signalledHalfway('SIGKILL', temporary), TMPDIR: temporary, SQLITE_TMPDIR: temporary }
    expect(await leadsProcess(target.url, ['restore', join(backups, 'one.db')], env)).toMatchObject({
      code: null,
      stderr: 'Copying subscribers: 2 of 2\nfiles: \n',
    })
    expect([readdirSync(temporary), readdirSync(backups)]).toEqual([[], ['one.db']])
    expect(await rowsOf(target)).toEqual({ subscribers: [], enquiries: [], outbox: [] })
  })

  test('a purge and a backup under load lose no answer, and what is restored holds all that was acknowledged before', async () => {
    const [database, fresh, file] = [await make(kind), await make(kind), join(folder, 'backup.db')]
    await store(database, { enquiries: Array.from({ length: 3000 }, () => enquiry({ message: 'old' }, 400)) })
    const sandbox = makeServerFolder()
    const server = await sandbox.start({ DATABASE_URL: database.url })
    const load = startLoad(server.origin, 20)
    await load.more(200)
    expect(await leads(database.url, ['purge', '--older-than', '365d', '--yes'])).toMatchObject({ code: 0 })
    const before = [...load.acknowledged]
    expect(await leads(database.url, ['backup', file])).toMatchObject({ code: 0, stdout: '' })
    await load.stop()
    await sandbox.remove()
    const bytes = readFileSync(file)
    expect(await leads(fresh.url, ['restore', file])).toMatchObject({ code: 0 })
    const { subscribers, enquiries } = await rowsOf(fresh)
    expect(load.missingFrom(subscribers, enquiries).filter((each) => before.includes(each))).toEqual([])
    expect(enquiries.filter(({ message }) => message === 'old')).toEqual([])
    // Writing a SQLite file anew may take longer than a visitor is kept waiting.
    expect([200, 503]).toEqual(expect.arrayContaining([...load.statuses.keys()]))
    expect(readFileSync(file).equals(bytes)).toBe(true)
    expect([statSync(file).mode & 0o777, readdirSync(folder)]).toEqual([0o600, ['backup.db']])
  })
})
