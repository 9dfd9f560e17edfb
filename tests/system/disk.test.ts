import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { readTable } from '../support/server/databases.ts'
import { CLOSED_PORT } from '../support/server/free-port.ts'
import { leads } from '../support/server/leads.ts'
import { startLoad } from '../support/server/load.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

let sandbox: ServerFolder
/** The folder of the database. */
let disk: string
let filler: string
beforeEach(() => {
  sandbox = makeServerFolder()
  disk = join(sandbox.folder, 'data')
  filler = join(disk, 'filler')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk])
})
afterEach(async () => {
  // Lazily, for the server is still at it.
  execFileSync('umount', ['--lazy', disk])
  await sandbox.remove()
})

/** Writes, in pieces as small as a page of the database, until nothing fits any more. */
function fillDisk() {
  const page = Buffer.alloc(4096)
  expect(() => {
    for (;;) appendFileSync(filler, page)
  }).toThrow('ENOSPC')
}

test('an erasure on a full disk is ended by the same command when there is room', async () => {
  const file = sandbox.databaseFile
  const server = await sandbox.start()
  // More than the room that is left, so that the rows can be deleted and the file can't be written anew.
  for (const name of ['erased', ...Array.from({ length: 60 }, (_, i) => `kept${i}`)]) {
    const body = bodyOf(anEnquiry({ email: `${name}@example.com`, message: `Marked ${name} ${'x'.repeat(4000)}` }))
    expect((await post(`${server.origin}/api/contact-us`, body)).status).toBe(200)
  }
  const traces = () =>
    ['', '-journal'].some((suffix) => readFileSync(file + suffix, 'latin1').includes('Marked erased'))
  fillDisk()
  truncateSync(filler, statSync(filler).size - 65_536)
  const erase = () => leads(`sqlite:${file}`, ['erase', 'erased@example.com', '--yes'])
  const { code, stderr } = await erase()
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /\nRemoved: subscribers 0, enquiries 1.+\nThe text of what was removed is still in the file\. Its disk is full: make room\. Then run the same command again\.\n$/,
  )
  expect(traces()).toBe(true)
  rmSync(filler)
  expect(await erase()).toMatchObject({ code: 0 })
  expect(traces()).toBe(false)
  expect(readTable(file, 'enquiries')).toHaveLength(60)
})

test('a full disk is answered 503, loses nothing, and ends by itself', async () => {
  // With a channel each commit is a transaction of several statements.
  const server = await sandbox.start({
    NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${CLOSED_PORT}`,
    NOTIFY_WEBHOOK_SECRET: 'what both sides know',
  })
  const load = startLoad(server.origin, 20)
  onTestFinished(() => void load.stop())
  await load.more(100)
  fillDisk()
  await load.refusals(20)
  expect((await fetch(server.origin)).status).toBe(200)
  rmSync(filler)
  await load.more(100)
  await load.stop()
  expect([...load.statuses.keys()].toSorted()).toEqual([200, 503])
  const stored = [readTable(sandbox.databaseFile, 'subscribers'), readTable(sandbox.databaseFile, 'enquiries')] as const
  expect(load.missingFrom(...stored)).toEqual([])
  const said = (words: string) => server.output().split(words).length - 1
  await until(async () => (await fetch(`${server.origin}/readyz`)).ok && said('database available again'))
  expect(['Its disk is full: make room.', 'database available again'].map(said)).toEqual([1, 1])
})

test('a log on a full disk loses lines, and no answer waits for it', async () => {
  const [logFile, databaseFile] = [join(disk, 'log'), join(sandbox.folder, 'leads.db')]
  const log = () => readFileSync(logFile, 'utf8')
  const server = spawn(process.execPath, [resolve('server/main.ts')], {
    cwd: sandbox.folder,
    env: { ...process.env, PORT: '0', DATABASE_URL: `sqlite:${databaseFile}` },
    stdio: ['ignore', openSync(logFile, 'a'), 'inherit'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  await until(() => log().includes('Data in '))
  const url = `http://127.0.0.1:${/Listening on \S+:(\d+)/.exec(log())?.[1]}/api/subscribe`
  // The rest of its page would still have room.
  const fillLog = () => appendFileSync(logFile, ' '.repeat(4096 - (statSync(logFile).size % 4096)))

  fillLog()
  fillDisk()
  const answer = await post(url, subscriptionOf(), { 'x-forwarded-for': '192.0.2.1' })
  expect(answer.status).toBe(200)
  expect(log()).not.toContain('TRUST_PROXY')
  rmSync(filler)
  rmSync(databaseFile)
  expect((await post(url, subscriptionOf('refused@example.com'))).status).toBe(503)
  await until(() => log().includes('Its file was moved, deleted or replaced'))

  fillLog()
  fillDisk()
  const exited = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  expect(log()).not.toContain('stopping')
})
