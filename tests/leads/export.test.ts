import { spawnSync } from 'node:child_process'
import fs, { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, leads, leadsProcess, read, signalledHalfway, store } from '../support/server/leads.ts'

const COUNT = 50_000

/** Less than the rows take, and twice what the command needs: the collector's timing must not decide. */
const HEAP_MB = 56

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await makeDatabase('sqlite')
  folder = dirname(database.url.replace('sqlite:', ''))
  const message = 'When will you start? '.repeat(70)
  const old = Array.from({ length: COUNT }, (_, i) => enquiry({ message: message + i }, 9))
  await store(database, { enquiries: [...old, enquiry({})] })
})
afterAll(() => database.remove())

test('an export never holds all rows in memory, is for its owner alone, and says how far it is on a terminal alone', async () => {
  const file = join(folder, 'all.csv')
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` }
  const ended = await leadsProcess(database.url, ['export', 'enquiries', '--out', file], env)
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' })
  const { size, mode } = statSync(file)
  expect([size > HEAP_MB * 1_048_576, mode & 0o777]).toEqual([true, 0o600])
  const lines = readFileSync(file, 'latin1').split('\r\n')
  expect([lines.length, lines[COUNT]?.slice(-7)]).toEqual([COUNT + 3, ` ${COUNT - 1}"`])
})

test.each([
  ['Ctrl-C', 'SIGINT', 130],
  ['the end of its terminal', 'SIGHUP', 129],
] as const)('an export that %s ends, after it said how far it is, leaves no file', async (_end, signal, code) => {
  const args = ['export', 'enquiries', '--out', join(folder, 'half')]
  const stderr = expect.stringMatching(/^Reading enquiries: [\d,]+ so far\n/)
  expect(await leadsProcess(database.url, args, signalledHalfway(signal))).toEqual({ code, stdout: '', stderr })
  expect(readdirSync(folder).filter((name) => name.startsWith('half'))).toEqual([])
})

test('an export is on the disk before it has its name', async () => {
  const file = join(folder, 'new.csv')
  const named: boolean[] = []
  const sync = fs.fsync
  vi.spyOn(fs, 'fsync').mockImplementation((...args) => {
    named.push(existsSync(file))
    sync(...args)
  })
  await read(database.url, 'export', 'subscribers', '--out', file)
  expect([named, existsSync(file)]).toEqual([[false], true])
})

test('an export replaces a file only if forced, also behind a link, and nothing else', async () => {
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
  const irregular = { code: 1, stdout: '', stderr: expect.stringMatching(/^\/dev\/stdout is not a reg.+\n$/) }
  expect(await run('/dev/stdout', '--force')).toEqual(irregular)
  const nowhere = { code: 1, stderr: expect.stringMatching(/^ENOENT.+: check that its folder exists/m) }
  expect(await run(join(folder, 'none/new.csv'))).toMatchObject(nowhere)
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
