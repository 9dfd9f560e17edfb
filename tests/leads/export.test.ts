import { spawn, spawnSync } from 'node:child_process'
import fs, { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import SqliteFile from 'better-sqlite3'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, leads, leadsProcess, read, store } from '../support/server/leads.ts'
import { preload } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

/** Three pages, of which no pipe takes one. */
const COUNT = 3000

let database: TestDatabase
let file: string
let folder: string
beforeAll(async () => {
  database = await makeDatabase('sqlite')
  file = database.file
  folder = dirname(file)
  const message = 'When will you start? '.repeat(70)
  await store(database, { enquiries: Array.from({ length: COUNT }, () => enquiry({ message }, 9)) })
})
afterAll(() => database.remove())

test('an export reads a page once its reader has taken the one before: it never holds all rows in memory', async () => {
  const copy = join(folder, 'copy.db')
  writeFileSync(copy, readFileSync(file))
  const env = { ...process.env, DATABASE_URL: `sqlite:${copy}` }
  const { stdout } = spawn(process.execPath, ['server/leads/main.ts', 'export', 'enquiries'], { env })
  // It is written, and nobody takes it.
  await until(() => stdout.read(0) === null && stdout.readableLength > 30_000)
  new SqliteFile(copy).exec(`delete from enquiries where id = ${COUNT}`).close()
  const rows = (await text(stdout)).trim().split('\r\n').slice(1)
  expect([rows.length, rows.at(-1)]).toEqual([COUNT - 1, expect.stringMatching(`^${COUNT - 1},`)])
})

test('an export that Ctrl-C ends, after it said how far it is, leaves no file', async () => {
  const args = ['export', 'enquiries', '--out', join(folder, 'half')]
  // As on a terminal where it takes long.
  const interrupted = preload(`process.stderr.isTTY = true
    let now = 0
    performance.now = () => (now += 1000)
    const write = process.stderr.write.bind(process.stderr)
    process.stderr.write = (line) => write(line) && process.kill(process.pid, 'SIGINT')`)
  const stderr = expect.stringMatching(/^Reading enquiries: [\d,]+ so far\n/)
  expect(await leadsProcess(database.url, args, interrupted)).toEqual({ code: 130, stdout: '', stderr })
  expect(readdirSync(folder).filter((name) => name.startsWith('half'))).toEqual([])
})

test('an export is complete, for its owner alone, and on the disk before it has its name', async () => {
  const out = join(folder, 'new.csv')
  const sizes: number[] = []
  const sync = fs.fsync
  const spy = vi.spyOn(fs, 'fsync').mockImplementation((fd, callback) => {
    if (!existsSync(out)) sizes.push(fs.fstatSync(fd).size)
    sync(fd, callback)
  })
  onTestFinished(() => spy.mockRestore())
  await read(database.url, 'export', 'enquiries', '--out', out)
  const { size, mode } = statSync(out)
  expect([sizes, mode & 0o777]).toEqual([[size], 0o600])
  expect(readFileSync(out, 'utf8').match(/^\d+,/gm)).toHaveLength(COUNT)
})

test('an export replaces a file only if forced, also behind a link', async () => {
  const [old, link] = [join(folder, 'old.csv'), join(folder, 'link.csv')]
  writeFileSync(old, 'old')
  symlinkSync(old, link)
  const run = (...args: string[]) => leads(database.url, ['export', 'enquiries', '--since', '1d', '--out', ...args])
  for (const file of [old, link]) {
    const stderr = `${file} exists already: pass --force to replace it.\n`
    expect(await run(file)).toEqual({ code: 1, stdout: '', stderr })
    expect(readFileSync(old, 'utf8')).toBe('old')
  }
  expect((await run(link, '--force')).code).toBe(0)
  expect([readFileSync(old, 'utf8').slice(0, 4), lstatSync(link).isSymbolicLink()]).toEqual(['"id"', true])
})

test.each([
  ['without a word when its reader has seen enough', '| head -c 1', /^ended with 0\n$/],
  ['with 1 when standard output takes no more', '> /dev/full', /^Can't write .+ \(ENOSPC\): .+\nended with 1\n$/],
])('an export ends %s', (_, target, said) => {
  const script = `{ "$0" server/leads/main.ts export enquiries; echo "ended with $?" >&2; } ${target}`
  const env = { ...process.env, DATABASE_URL: database.url }
  const { stderr } = spawnSync('sh', ['-c', script, process.execPath], { env, encoding: 'utf8' })
  expect(stderr).toMatch(said)
})
