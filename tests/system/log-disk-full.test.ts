import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServerFolder, type ServerFolder } from '../support/server/server-process.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'
import { until } from '../support/until.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'server', 'main.ts')
const REQUESTS = 500

let sandbox: ServerFolder
let disk: string
let child: ChildProcess | undefined
beforeAll(() => {
  sandbox = makeServerFolder()
  disk = join(sandbox.folder, 'log')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
})
afterAll(async () => {
  child?.kill('SIGKILL')
  // Lazily, for the server may still be at it.
  execFileSync('umount', ['--lazy', disk])
  await sandbox.remove()
})

const log = () => readFileSync(join(disk, 'log'), 'utf8')

function fillDisk() {
  const fill = () => appendFileSync(join(disk, 'filler'), Buffer.alloc(4096))
  expect(() => {
    for (;;) fill()
  }).toThrow('ENOSPC')
}

test('a log on a full disk loses lines, holds up neither answers nor the end, and goes on when there is room', async () => {
  const server = spawn(process.execPath, [MAIN], {
    cwd: sandbox.folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', openSync(join(disk, 'log'), 'a'), 'inherit'],
  })
  child = server
  await until(() => log().includes('Data in '))
  const port = /Listening on \S+:(\d+)/.exec(log())?.[1]
  const ask = async () =>
    (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(WAIT_TIMEOUT) })).text()

  fillDisk()
  for (let i = 0; i < REQUESTS; i++) expect(await ask()).toBe('{"status":"alive"}')
  const logged = () => log().split('"answered"').length - 1
  const kept = logged()
  expect(kept).toBeLessThan(REQUESTS)
  rmSync(join(disk, 'filler'))
  await ask()
  await until(() => logged() > kept)

  fillDisk()
  for (let i = 0; i < REQUESTS; i++) await ask()
  const exited = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  console.log(`log disk full: ${2 * REQUESTS} requests answered, ${kept} of the first ${REQUESTS} logged`)
})
