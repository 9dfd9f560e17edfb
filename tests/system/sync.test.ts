import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

const CALLS = 50

test('between any two acknowledgements the database is synced to the disk', async () => {
  const sandbox = makeServerFolder()
  onTestFinished(sandbox.remove)
  const server = await sandbox.start()
  // Follows every thread of the server, and ends with it.
  const trace = join(sandbox.folder, 'trace')
  const calls = 'trace=write,writev,sendto,sendmsg,fsync,fdatasync'
  const strace = spawn('strace', ['-f', '-y', '-s', '16', '-e', calls, '-o', trace, '-p', String(server.pid)])
  expect(String(await once(strace.stderr, 'data'))).toContain('attached')
  for (let i = 0; i < CALLS; i++) {
    const answer = await post(`${server.origin}/api/subscribe`, subscriptionOf(`visitor-${i}@example.com`))
    expect(answer).toEqual({ status: 200, body: { success: true, email_exists: false } })
  }
  server.signal('SIGTERM')
  await once(strace, 'exit')

  const events = eventsOf(readFileSync(trace, 'utf8'))
  const acknowledgements = events.filter((event) => event === 'acknowledgement').length
  const synced = events.filter((event, i) => event === 'acknowledgement' && events[i - 1] === 'sync').length
  expect([synced, acknowledgements]).toEqual([CALLS, CALLS])
})

/** A sync counts from its end on, an acknowledgement from its beginning. */
function eventsOf(trace: string): ('sync' | 'acknowledgement')[] {
  const begun = new Map<string, string>()
  return trace.split('\n').flatMap((line) => {
    const [, thread = '', call = ''] = /^(\d+) +(.+)$/.exec(line) ?? []
    if (/^(write|writev|sendto|sendmsg)\(.*"HTTP\/1\.1 200/.test(call)) return ['acknowledgement']
    if (call.endsWith('<unfinished ...>')) begun.set(thread, call)
    const whole = call.replace(/^<\.\.\. \w+ resumed>/, () => begun.get(thread) ?? '')
    return /^f(data)?sync\(\d+<[^>]*leads\.db>.*= 0$/.test(whole) ? ['sync'] : []
  })
}
