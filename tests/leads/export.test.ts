import { spawnSync } from 'node:child_process'
import fs, { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { databaseWith, enquiry, leads, leadsProcess, read } from '../support/server/leads.ts'
import { preload } from '../support/server/server-folder.ts'

/** Three pages, of which no pipe takes one. */
const COUNT = 3000

const message = 'When will you start? '.repeat(70)
const database = databaseWith({ enquiries: Array.from({ length: COUNT }, () => enquiry({ message }, 9)) })
const fileNamed = (name: string) => join(dirname(database.file), name)

test('an export that Ctrl-C ends leaves no file', async () => {
  const interrupted = preload(`const { default: fs } = await import('node:fs')
    const { write } = fs
    fs.write = (...args) => write(...args) || process.kill(process.pid, 'SIGINT')`)
  const args = ['export', 'enquiries', '--out', fileNamed('half')]
  expect(await leadsProcess(database.url, args, interrupted)).toEqual({ code: 130, stdout: '', stderr: '' })
  expect(readdirSync(dirname(database.file)).filter((name) => name.startsWith('half'))).toEqual([])
})

test('an export is whole, private and on the disk before it has its name', async () => {
  const out = fileNamed('new.csv')
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

test('an export never replaces the database', async () => {
  const { code, stderr } = await leads(database.url, ['export', 'enquiries', '--force', '--out', database.file])
  expect([code, stderr]).toEqual([1, `${database.file} is the database: name another file.\n`])
})

test('an export replaces a file only if forced, also behind a link', async () => {
  const [old, link] = [fileNamed('old.csv'), fileNamed('link.csv')]
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
