import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { databaseWith, enquiry, read } from '../support/server/leads.ts'
import { preload } from '../support/server/server-folder.ts'

/** Three pages, of which no pipe takes one. */
const COUNT = 3000

const message = 'When will you start? '.repeat(20)
const database = databaseWith({ enquiries: Array.from({ length: COUNT }, () => enquiry({ message }, 9)) })

/** Exports in a process, with these options, and with its output led to `target`; returns its errors and exit code. */
function exportInShell(options: string, target: string, env = {}): string {
  const script = `{ "$0" server/leads/main.ts export enquiries ${options}; echo "ended with $?" >&2; } ${target}`
  const environment = { ...process.env, ...env, DATABASE_URL: database.url }
  return spawnSync('sh', ['-c', script, process.execPath], { env: environment, encoding: 'utf8' }).stderr
}

test.each([
  ['without a word when its reader has seen enough', '| head -c 1', /^ended with 0\n$/],
  ['with 1 when standard output takes no more', '> /dev/full', /^Can't write .+ \(ENOSPC\): .+\nended with 1\n$/],
])('an export ends %s', (_, target, errors) => {
  expect(exportInShell('', target)).toMatch(errors)
})

test('an export that Ctrl-C ends leaves no file', () => {
  const interruptAtFirstWrite = preload(`const { default: fs } = await import('node:fs')
    const { write } = fs
    fs.write = (...args) => write(...args) || process.kill(process.pid, 'SIGINT')`)
  expect(exportInShell(`--out ${database.file}.half`, '', interruptAtFirstWrite)).toBe('ended with 130\n')
  expect(readdirSync(dirname(database.file)).filter((name) => name.includes('half'))).toEqual([])
})

test('a forced export to a link fills the file that the link leads to', async () => {
  const [file, link] = [`${database.file}.target`, `${database.file}.link`]
  writeFileSync(file, 'old')
  symlinkSync(file, link)
  await read(database.url, 'export', 'enquiries', '--out', link, '--force')
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readFileSync(file, 'utf8')).not.toBe('old')
})

test('the file of a forced export is whole and private', async () => {
  const file = `${database.file}.csv`
  writeFileSync(file, 'old')
  await read(database.url, 'export', 'enquiries', '--out', file, '--force')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8').match(/^\d+,/gm)).toHaveLength(COUNT)
})
