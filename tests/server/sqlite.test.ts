import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../server/storage/database.ts'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'
import { openSqlite, serveSqlite } from '../../server/storage/sqlite.ts'
import { UserError } from '../../server/user-error.ts'
import { ignoredEvents } from '../support/ignored-events.ts'
import { makeStore, readTable } from '../support/server/databases.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'made', 'on demand', 'leads.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const serve = (path = file) => serveSqlite(path, () => {})

const emails = (path = file) => readTable(path, 'subscribers').map((row) => row.email)

/** A store that has taken one address, and why it refused others. */
async function openStore(timeoutMs = 200) {
  const refused = vi.fn()
  const store = makeStore(await serve(), { timeoutMs, events: { ...ignoredEvents, refused } })
  onTestFinished(store.close)
  expect(await store.addSubscriber('before@example.com')).toBe('added')
  return { store, reasons: () => refused.mock.calls.map(([, cause]) => describeDatabaseError(cause)) }
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
])('a file that is %s takes nothing more, which is told, until it is put back', async (_, lose, putBack) => {
  const { store, reasons } = await openStore()
  lose()
  expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
  expect(await store.checkReadiness()).toBe('unavailable')
  expect(reasons()).toEqual(
    Array(2).fill(expect.stringMatching(/^Its file was moved, deleted or replaced: put it back/)),
  )
  putBack()
  expect(await store.addSubscriber('after@example.com')).toBe('added')
  expect(emails()).toEqual(['before@example.com', 'after@example.com'])
})

test('a file that is deleted takes nothing more', async () => {
  const { store, reasons } = await openStore()
  rmSync(file)
  expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
  expect(reasons()).toEqual([expect.stringContaining('restore a backup')])
})

test('what comes while another program reads is stored when that ends', async () => {
  const { store } = await openStore(60_000)
  const reader = new SqliteFile(file)
  reader.exec('begin; select * from subscribers')
  let isStored = false
  const answer = store.addSubscriber('after@example.com').finally(() => {
    isStored = true
  })
  // Reads of other programs and statements of the server go on meanwhile.
  expect(emails()).toEqual(['before@example.com'])
  expect(isStored).toBe(false)
  reader.exec('commit')
  reader.close()
  expect(await answer).toBe('added')
})

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

test('a start that was killed while it made the tables hinders no other', async () => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  writeFileSync(`${file}-journal`, 'half a journal')
  await (await serve()).close()
  expect(emails()).toEqual([])
})

test('it is not ready while a table for leads is gone', async () => {
  const { store } = await openStore()
  const other = new SqliteFile(file)
  other.exec('alter table enquiries rename to gone')
  other.close()
  expect(await store.checkReadiness()).toBe('unavailable')
})

test('a call beyond 4,000 that wait is refused at once', async () => {
  const { store } = await openStore(60_000)
  const answers = Array.from({ length: 4001 }, (_, i) => store.addSubscriber(`${i}@example.com`))
  expect(store.pending()).toBe(4000)
  expect(new Set(await Promise.all(answers.slice(0, 4000)))).toEqual(new Set(['added']))
  expect(await answers[4000]).toBe('unavailable')
})
