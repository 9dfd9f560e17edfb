import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

const CALLS = 20

test('the database is synced to the disk before each acknowledgement', async () => {
  const sandbox = makeServerFolder()
  onTestFinished(sandbox.remove)
  const server = await sandbox.start()
  // Traces the thread that writes to the database and to clients, and ends with this thread.
  const trace = join(sandbox.folder, 'trace')
  const calls = 'trace=write,writev,sendto,sendmsg,fsync,fdatasync'
  const strace = spawn('strace', ['-y', '-s', '16', '-e', calls, '-o', trace, '-p', String(server.pid)])
  expect(String(await once(strace.stderr, 'data'))).toContain('attached')
  for (let i = 0; i < CALLS; i++) {
    const answer = await post(`${server.origin}/api/subscribe`, subscriptionOf(`visitor-${i}@example.com`))
    expect(answer).toEqual({ status: 200, body: { success: true, email_exists: false } })
  }
  server.signal('SIGTERM')
  await once(strace, 'exit')

  const events = readFileSync(trace, 'utf8')
    .split('\n')
    .map((line) => (/^f(data)?sync\(\d+<[^>]*leads\.db>.*= 0$/.test(line) ? 'sync' : line))
    .filter((line) => line === 'sync' || line.includes('"HTTP/1.1 200'))
  const synced = events.filter((event, i) => event !== 'sync' && events[i - 1] === 'sync')
  expect([synced.length, events.filter((event) => event !== 'sync').length]).toEqual([CALLS, CALLS])
})
