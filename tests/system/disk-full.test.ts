import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pageTimes } from '../support/page/page-times.ts'
import { readTable } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-process.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

const CONNECTIONS = 20
const REFUSALS = 100
/** Bytes that an erasure finds. */
const ROOM = 65_536

let sandbox: ServerFolder
let disk: string
beforeAll(() => {
  sandbox = makeServerFolder()
  disk = join(sandbox.folder, 'data')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk])
})
afterAll(async () => {
  // Lazily, for the server is still at it.
  execFileSync('umount', ['--lazy', disk])
  await sandbox.remove()
})

/** Writes, in pieces as small as a page of the database, until nothing fits any more. */
function fillDisk() {
  try {
    for (;;) appendFileSync(join(disk, 'filler'), Buffer.alloc(4096))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
}

/** Posts enquiries that take room until `isOver`; tells the statuses, and which messages were acknowledged. */
async function sendEnquiries(origin: string, isOver: () => boolean) {
  const statuses = new Map<number, number>()
  const acknowledged: string[] = []
  const problems = new Set<string>()
  async function client(name: number) {
    for (let i = 0; !isOver(); i++) {
      const msg = `${name}-${i} ${'x'.repeat(400)}`
      const answer = await fetch(`${origin}/api/contact-us`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: { first: 'Given', last: 'Family' }, email: 'visitor@example.com', msg }),
      })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const body = await answer.json()
      if (answer.status === 200) acknowledged.push(msg)
      else problems.add(`${answer.headers.get('content-type')} ${body.status} ${answer.headers.get('retry-after')}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, name) => client(name)))
  return { statuses, acknowledged, problems }
}

test('an erasure that finds the disk full says what is left to do, and the same command does it when there is room', async () => {
  const file = join(disk, 'erased.db')
  const url = `sqlite:${file}`
  const server = await sandbox.start({ DATABASE_URL: url, RATE_LIMIT: 'off' })
  // More than the room that is left, so that the rows can be deleted and the file can't be written anew.
  for (const name of ['erased', ...Array.from({ length: 60 }, (_, i) => `kept${i} ${'x'.repeat(4000)}`)]) {
    const body = {
      name: { first: 'Given', last: 'Family' },
      email: `${name.split(' ')[0]}@example.com`,
      msg: `Marked ${name}`,
    }
    expect((await post(`${server.origin}/api/contact-us`, body)).status).toBe(200)
  }
  const traces = () => ['', '-wal'].some((suffix) => readFileSync(file + suffix, 'latin1').includes('Marked erased'))
  fillDisk()
  truncateSync(join(disk, 'filler'), statSync(join(disk, 'filler')).size - ROOM)
  const erase = () => leads(url, ['erase', 'erased@example.com', '--yes'])
  expect(await erase()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /\nRemoved: 0 subscribers, 1 enquiries.+\nThe text of what was removed is still in the file\. Its disk is full: make room\. Then run the same command again\.\n$/,
    ),
  })
  expect(traces()).toBe(true)
  expect(await erase()).toMatchObject({ code: 1, stderr: expect.stringContaining('is still in the file') })
  rmSync(join(disk, 'filler'))
  expect(await erase()).toMatchObject({ code: 0, stderr: expect.stringContaining('Found: nothing') })
  expect(traces()).toBe(false)
  expect(readTable(file, 'enquiries')).toHaveLength(60)
  server.signal('SIGTERM')
  expect(await server.exited).toBe(0)
  rmSync(file)
})

test('a full disk is answered 503, loses nothing, leaves the page there, and is got over', async () => {
  const server = await sandbox.start({ RATE_LIMIT: 'off' })
  let over = false
  const sending = sendEnquiries(server.origin, () => over)
  const stored = () => readTable(sandbox.databaseFile, 'enquiries')
  await vi.waitUntil(() => stored().length > 100, { timeout: WAIT_TIMEOUT })
  fillDisk()
  const refusals = () => server.output().split('"status":503').length - 1
  await vi.waitUntil(() => refusals() > 0, { timeout: WAIT_TIMEOUT })
  const pages = await pageTimes(server.origin, () => refusals() >= REFUSALS)
  over = true
  const { statuses, acknowledged, problems } = await sending

  const rows = new Set(stored().map((row) => row.message))
  const lost = acknowledged.filter((message) => !rows.has(message))
  console.log(
    `disk full: ${[...statuses].map(([status, count]) => `${count} answers ${status}`).join(', ')}, ` +
      `${lost.length} of ${acknowledged.length} acknowledged lost, ${pages.length} pages`,
  )
  expect([...statuses.keys()].toSorted()).toEqual([200, 503])
  expect([...problems]).toEqual([expect.stringMatching(/^application\/problem\+json 503 [1-9]\d*$/)])
  expect(lost).toEqual([])

  rmSync(join(disk, 'filler'))
  const freed = performance.now()
  const again = () => sendEnquiries(server.origin, once())
  await vi.waitUntil(async () => (await again()).statuses.has(200), { timeout: WAIT_TIMEOUT })
  console.log(`takes enquiries again ${(performance.now() - freed).toFixed(0)} ms after there is room`)
  const said = (words: string) => server.output().split(words).length - 1
  await vi.waitUntil(async () => (await fetch(`${server.origin}/readyz`)) && said('database available again') > 0, {
    timeout: 60_000,
  })
  expect([said('"level":50'), said('Its disk is full: make room.'), said('database available again')]).toEqual([
    1, 1, 1,
  ])
  server.signal('SIGTERM')
  expect(await server.exited).toBe(0)
})

/** Lets each client send one. */
function once() {
  let asked = 0
  return () => asked++ >= CONNECTIONS
}
