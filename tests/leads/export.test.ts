import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { databaseWith, enquiry, read } from '../support/server/leads.ts'

/** More than a pipe takes. */
const COUNT = 3000

const message = 'When will you start? '.repeat(20)
const database = databaseWith({ enquiries: Array.from({ length: COUNT }, () => enquiry({ message }, 9)) })

/** Runs an export in a process, with its output redirected to `target`. Returns its errors and its exit code. */
function exportInShell(options: string, target: string, env = {}): string {
  const script = `{ "$0" server/leads/main.ts export enquiries ${options}; echo "ended with $?" >&2; } ${target}`
  const environment = { ...process.env, ...env, DATABASE_URL: database.url }
  return spawnSync('sh', ['-c', script, process.execPath], { env: environment, encoding: 'utf8' }).stderr
}

test.each([
  ['silently when its reader closes the pipe', '| head -c 1', /^ended with 0\n$/],
  ['with 1 when standard output is full', '> /dev/full', /^Can't write .+ \(ENOSPC\): .+\nended with 1\n$/],
])('an export ends %s', (_, target, errors) => {
  expect(exportInShell('', target)).toMatch(errors)
})

test('the file of an export is complete and private', async () => {
  const file = `${database.file}.csv`
  writeFileSync(file, 'old')
  await read(database.url, 'export', 'enquiries', '--out', file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8').match(/^\d+,/gm)).toHaveLength(COUNT)
})
