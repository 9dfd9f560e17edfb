import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../server/storage/database.ts'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'
import { openSqlite, serveSqlite } from '../../server/storage/sqlite.ts'
import { UserError } from '../../server/user-error.ts'
import { ignoredEvents, makeStore, readTable } from '../support/server/databases.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'made', 'on demand', 'leads.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const serve = (path = file) => serveSqlite(path, () => {})

const emails = (path = file) => readTable(path, 'subscribers').map((row) => row.email)

/** Two stores on the file, which has one address: one that waits as long as it takes, and a hasty one with why it refused. */
async function openStores() {
  const database = await serve()
  onTestFinished(database.close)
  const refused = vi.fn()
  const hasty = makeStore(database, { timeoutMs: 200, events: { ...ignoredEvents, refused } })
  const patient = makeStore(database)
  expect(await patient.addSubscriber('before@example.com')).toBe('added')
  return { hasty, patient, reasons: () => refused.mock.calls.map(([, cause]) => describeDatabaseError(cause)) }
}

test('server and commands sync commits to the disk, and leave them in the file alone', async () => {
  const server = await serve()
  const command = openSqlite(file, 10_000)
  const read = (database: Database) => (name: string) =>
    database.run((db) => sql`pragma ${sql.raw(name)}`.execute(db).then(({ rows }) => rows[0]))
  const pragmas = ['journal_mode', 'synchronous', 'busy_timeout']
  const durable = [{ journal_mode: 'truncate' }, { synchronous: 2 }]
  // A server that waits for a lock answers nobody.
  expect(await Promise.all(pragmas.map(read(server)))).toEqual([...durable, { timeout: 20 }])
  expect(await Promise.all(pragmas.map(read(command)))).toEqual([...durable, { timeout: 10_000 }])
  await Promise.all([server.close(), command.close()])
})

test.each([
  ['its owner alone', 0o022, ['700', '600', '600', '600']],
  ['its group too, with a umask of 0027', 0o027, ['750', '640', '640', '640']],
])('what a server makes may be read by %s, and by nobody else', async (_, mask, modes) => {
  const umask = process.umask(mask)
  await openStores().finally(() => process.umask(umask))
  const paths = [dirname(file), file, `${file}-journal`, `${file}-lock`]
  expect(paths.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(modes)
})

function replaceByCopy() {
  copyFileSync(file, join(folder, 'copy.db'))
  renameSync(file, join(folder, 'away.db'))
  renameSync(join(folder, 'copy.db'), file)
}

const moved = () => join(folder, 'moved')

test.each<[what: string, lose: () => void, putBack: () => void]>([
  ['moved', () => renameSync(file, moved()), () => renameSync(moved(), file)],
  ['moved with its folder', () => renameSync(dirname(file), moved()), () => renameSync(moved(), dirname(file))],
  ['replaced', replaceByCopy, () => renameSync(join(folder, 'away.db'), file)],
])(
  'a file that is %s, beside a reader, takes nothing more, which is told, until it is put back',
  async (_, lose, putBack) => {
    const { hasty, patient, reasons } = await openStores()
    const reader = new SqliteFile(file)
    onTestFinished(() => void reader.close())
    reader.prepare('select count(*) from subscribers').get()
    lose()
    expect(await hasty.addSubscriber('refused@example.com')).toBe('unavailable')
    expect(await hasty.checkReadiness()).toBe('unavailable')
    expect(reasons()).toEqual(
      Array(2).fill(expect.stringMatching(/^Its file was moved, deleted or replaced: put it back/)),
    )
    putBack()
    expect(await patient.addSubscriber('after@example.com')).toBe('added')
    expect(emails()).toEqual(['before@example.com', 'after@example.com'])
  },
)

test('a file that is deleted takes nothing more', async () => {
  const { hasty, reasons } = await openStores()
  rmSync(file)
  expect(await hasty.addSubscriber('refused@example.com')).toBe('unavailable')
  expect(reasons()).toEqual([expect.stringContaining('restore a backup')])
})

test.each([
  ['reads', 'select * from subscribers'],
  ['writes', 'delete from subscribers'],
])(
  'while another program %s, what comes is stored when that ends, or refused in time, and nothing is lost',
  async (_, statement) => {
    const { hasty, patient } = await openStores()
    const other = new SqliteFile(file)
    other.exec(`begin; ${statement}`)
    const stored = vi.fn()
    const answer = patient.addSubscriber('after@example.com').finally(stored)
    expect(await hasty.addSubscriber('refused@example.com')).toBe('unavailable')
    // Reads of other programs go on meanwhile.
    expect(emails()).toEqual(['before@example.com'])
    expect(stored).not.toHaveBeenCalled()
    other.exec('rollback')
    other.close()
    expect(await answer).toBe('added')
    expect(emails()).toEqual(['before@example.com', 'after@example.com'])
  },
)

test('a second server on the file is refused in one line, and one that ended is not in the way', async () => {
  const first = await serve()
  symlinkSync(file, join(folder, 'link'))
  for (const path of [file, join(folder, 'link')]) {
    const second = serve(path)
    await expect(second).rejects.toThrow(UserError)
    await expect(second).rejects.toThrow(/^Another server runs on .+: stop it, or use PostgreSQL for several\.$/)
  }
  await first.close()
  await (await serve()).close()
})

/** A file as an earlier release left it when it was killed: in use, and with rows that only its log holds. */
async function makeKilled() {
  await (await serve()).close()
  const earlier = new SqliteFile(file)
  earlier.pragma('application_id = -7')
  earlier.pragma('journal_mode = wal')
  earlier.exec("insert into subscribers values (1, 'a@example.com', 'a@example.com', '', '')")
  const killed = join(folder, 'killed.db')
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, killed + suffix)
  earlier.close()
  return killed
}

test.each<[who: string, open: (path: string) => Database | Promise<Database>]>([
  ['a server', serve],
  ['a command', (path) => openSqlite(path, 0)],
])('of a killed server of an earlier release %s takes over the log, and is refused without it', async (_, open) => {
  const killed = await makeKilled()
  const link = join(folder, 'link')
  symlinkSync('killed.db', link)
  renameSync(`${killed}-wal`, moved())
  const before = readFileSync(killed)
  for (let i = 0; i < 2; i++) {
    await expect((async () => open(link))()).rejects.toThrow(/link lacks its log .+-wal, which holds rows: put it back/)
  }
  expect(readFileSync(killed)).toEqual(before)
  renameSync(moved(), `${killed}-wal`)
  await (await open(link)).close()
  await (await serve(killed)).close()
  expect(emails(killed)).toEqual(['a@example.com'])
})

test('a call beyond 4,000 that wait is refused at once', async () => {
  const { patient } = await openStores()
  const answers = Array.from({ length: 4001 }, (_, i) => patient.addSubscriber(`${i}@example.com`))
  expect(patient.pending()).toBe(4000)
  expect(new Set(await Promise.all(answers.slice(0, 4000)))).toEqual(new Set(['added']))
  expect(await answers[4000]).toBe('unavailable')
})
