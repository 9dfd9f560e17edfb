import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../server/storage/database.ts'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'
import { openDatabase } from '../../server/storage/open-database.ts'
import { openSqlite, serveSqlite } from '../../server/storage/sqlite.ts'
import { ignoredEvents, makeStore, readTable } from '../support/server/databases.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'made', 'on demand', 'leads.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const emails = () => readTable(file, 'subscribers').map((row) => row.email)

/** Two stores on the file, which has one address: one that waits as long as it takes, and a hasty one. */
async function openStores() {
  const database = await serveSqlite(file, () => {})
  onTestFinished(database.close)
  const refused = vi.fn()
  const hasty = makeStore(database, { retryMs: 0, events: { ...ignoredEvents, refused } })
  const patient = makeStore(database)
  expect(await patient.addSubscriber('early@example.com')).toBe('added')
  /** Why the hasty store refused calls, as the log says it. */
  const reasons = () => refused.mock.calls.map(([, error]) => describeDatabaseError(error))
  return { hasty, patient, reasons }
}

const pragma = (database: Database, name: string) =>
  database.run((db) => sql`pragma ${sql.raw(name)}`.execute(db).then(({ rows }) => Object.values(rows[0] ?? {})[0]))

test.each<[string, () => Database | Promise<Database>]>([
  ['a server', () => serveSqlite(file, () => {})],
  ['a command', () => openSqlite(file, 10_000)],
])('%s syncs each commit to the disk, and leaves it in the file alone', async (_, open) => {
  await (await serveSqlite(file, () => {})).close()
  const database = await open()
  onTestFinished(database.close)
  expect([await pragma(database, 'journal_mode'), await pragma(database, 'synchronous')]).toEqual(['truncate', 2])
})

test('a server waits for a lock for 20 ms at most, in which it answers nobody', async () => {
  const database = await serveSqlite(file, () => {})
  onTestFinished(database.close)
  expect(await pragma(database, 'busy_timeout')).toBe(20)
})

test.each([
  ['its owner alone', 0o022, ['700', '600', '600']],
  ['its group too, with a umask of 0027', 0o027, ['750', '640', '640']],
])('the files of a server may be read by %s', async (_, mask, modes) => {
  const umask = process.umask(mask)
  await openStores().finally(() => process.umask(umask))
  const paths = [dirname(file), file, `${file}-journal`]
  expect(paths.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(modes)
})

function replaceByCopy() {
  copyFileSync(file, join(folder, 'copy.db'))
  renameSync(file, join(folder, 'away.db'))
  renameSync(join(folder, 'copy.db'), file)
}

const away = () => join(folder, 'away')

const LOSSES: [loss: string, lose: () => void, putBack: () => void][] = [
  ['moved', () => renameSync(file, away()), () => renameSync(away(), file)],
  ['moved with its folder', () => renameSync(dirname(file), away()), () => renameSync(away(), dirname(file))],
  ['replaced', replaceByCopy, () => renameSync(join(folder, 'away.db'), file)],
]

test.each([...LOSSES.map(([loss, lose]) => [loss, lose] as const), ['deleted', () => rmSync(file)] as const])(
  'a file that is %s takes nothing more',
  async (_, lose) => {
    const { hasty, reasons } = await openStores()
    const reader = new SqliteFile(file)
    onTestFinished(() => void reader.close())
    reader.prepare('select count(*) from subscribers').get()
    lose()
    expect(await hasty.addSubscriber('refused@example.com')).toBe('unavailable')
    expect(await hasty.checkReadiness()).toBe('unavailable')
    expect(reasons()).toEqual(
      Array(2).fill(expect.stringMatching(/^Its file was moved, deleted or replaced: put it back/)),
    )
  },
)

test.each(LOSSES)('a file that was %s is used again once it is put back', async (_, lose, putBack) => {
  const { hasty, patient } = await openStores()
  lose()
  await hasty.addSubscriber('refused@example.com')
  putBack()
  expect(await patient.addSubscriber('late@example.com')).toBe('added')
  expect(emails()).toEqual(['early@example.com', 'late@example.com'])
})

const OTHERS: [action: string, statement: string][] = [
  ['reads', 'select * from subscribers'],
  ['writes', 'delete from subscribers'],
]

test.each(OTHERS)('what comes while another program %s is stored when that ends', async (_, statement) => {
  const { patient } = await openStores()
  const other = new SqliteFile(file)
  other.exec(`begin; ${statement}`)
  const answer = patient.addSubscriber('late@example.com')
  // Reads of other programs go on meanwhile.
  expect(emails()).toEqual(['early@example.com'])
  other.exec('rollback')
  other.close()
  expect(await answer).toBe('added')
})

test.each(OTHERS)('what comes while another program %s for too long is refused', async (_, statement) => {
  const { hasty } = await openStores()
  const other = new SqliteFile(file)
  onTestFinished(() => void other.close())
  other.exec(`begin; ${statement}`)
  expect(await hasty.addSubscriber('refused@example.com')).toBe('unavailable')
})

test('two servers on one file store what comes to each', async () => {
  const { patient } = await openStores()
  const database = await serveSqlite(file, () => {})
  onTestFinished(database.close)
  const answers = [patient, makeStore(database)].map((store, i) => store.addSubscriber(`${i}@example.com`))
  expect(await Promise.all(answers)).toEqual(['added', 'added'])
})

test('the error of a start names the path that this user may not write', async () => {
  mkdirSync(join(folder, 'leads.db'))
  const opened = openDatabase({ kind: 'sqlite', file: join(folder, 'leads.db') }, () => {})
  await expect(opened).rejects.toThrow(
    /^Can't use the database .+leads\.db\. .+ Name a file that can be written in DATABASE_URL\.$/,
  )
})
