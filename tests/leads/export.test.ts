import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { databaseWith, enquiry } from '../support/server/leads.ts'

/** More than a pipe takes. */
const COUNT = 3000

const message = 'When will you start? '.repeat(20)
const database = databaseWith({ enquiries: Array.from({ length: COUNT }, () => enquiry({ message }, 9)) })

test.each([
  ['silently when its reader closes the pipe', '| head -c 1', /^ended with 0\n$/],
  ['with 1 when standard output is full', '> /dev/full', /^Can't write .+ \(ENOSPC\): .+\nended with 1\n$/],
])('an export ends %s', (_, target, errors) => {
  const script = `{ "$0" server/leads/main.ts export enquiries; echo "ended with $?" >&2; } ${target}`
  const env = { ...process.env, DATABASE_URL: database.url }
  expect(spawnSync('sh', ['-c', script, process.execPath], { env, encoding: 'utf8' }).stderr).toMatch(errors)
})
