import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { post } from '../support/server/post.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-process.ts'

const CALLS = 50

let sandbox: ServerFolder
beforeAll(() => {
  sandbox = makeServerFolder()
})
afterAll(() => sandbox.remove())

test('between any two acknowledgements the database is synced to the disk', async () => {
  const server = await sandbox.start({ RATE_LIMIT: 'off' })
  const trace = join(sandbox.folder, 'trace')
  const follow = await traceCalls(server.pid, trace)
  for (let i = 0; i < CALLS; i++) {
    const answer = await post(`${server.origin}/api/subscribe`, { email: `visitor-${i}@example.com` })
    expect(answer).toEqual({ status: 200, body: { success: true, email_exists: false } })
  }
  server.signal('SIGTERM')
  await once(follow, 'exit')

  const events = eventsOf(readFileSync(trace, 'utf8'))
  const acknowledgements = events.filter((event) => event === 'acknowledgement').length
  const synced = events.filter((event, i) => event === 'acknowledgement' && events[i - 1] === 'sync').length
  console.log(`a sync stands before ${synced} of ${acknowledgements} acknowledgements`)
  expect([synced, acknowledgements]).toEqual([CALLS, CALLS])
})

/** Follows every thread of a process, and ends with it. */
async function traceCalls(pid: number | undefined, file: string) {
  const calls = 'trace=write,writev,sendto,sendmsg,fsync,fdatasync'
  const strace = spawn('strace', ['-f', '-y', '-s', '16', '-e', calls, '-o', file, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said] = await once(strace.stderr, 'data')
  expect(String(said)).toContain('attached')
  return strace
}

/** A sync counts from its end on, an acknowledgement from its beginning. */
function eventsOf(trace: string): ('sync' | 'acknowledgement')[] {
  const begun = new Map<string, string>()
  return trace.split('\n').flatMap((line) => {
    const [, thread = '', call = ''] = /^(\d+) +(.+)$/.exec(line) ?? []
    if (/^(write|writev|sendto|sendmsg)\(.*"HTTP\/1\.1 200/.test(call)) return ['acknowledgement']
    if (call.endsWith('<unfinished ...>')) begun.set(thread, call)
    const whole = call.replace(/^<\.\.\. \w+ resumed>/, () => begun.get(thread) ?? '')
    return /^f(data)?sync\(\d+<[^>]*-wal>.*= 0$/.test(whole) ? ['sync'] : []
  })
}
