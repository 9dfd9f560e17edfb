import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readTable } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { type Load, startLoad } from '../support/server/load.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-folder.ts'

let sandbox: ServerFolder
let file: string
beforeEach(() => {
  sandbox = makeServerFolder()
  file = sandbox.databaseFile
})
afterEach(() => sandbox.remove())

const REMEDY =
  /Put back what was there, with its -wal, or move \S+leads\.db\* aside and run "leads restore" with a backup, or with the file itself\./

const at = (name: string) => join(sandbox.folder, name)
const backup = () => at('backup.db')

/** Moves the file and what belongs to it into a folder. */
function moveAside(to: string) {
  mkdirSync(at(to))
  for (const name of readdirSync(dirname(file))) renameSync(join(dirname(file), name), join(at(to), name))
}

/** The files and what they hold, but of the log's index, which holds locks. */
const contents = () =>
  readdirSync(dirname(file))
    .filter((name) => !name.endsWith('-shm'))
    .map((name) => [name, readFileSync(join(dirname(file), name)).toString('base64')])

const restore = (from: string) => leads(`sqlite:${file}`, ['restore', from])

const missingFrom = (load: Load) => load.missingFrom(readTable(file, 'subscribers'), readTable(file, 'enquiries'))

async function stop(server: Awaited<ReturnType<ServerFolder['start']>>, signal: 'SIGTERM' | 'SIGKILL') {
  server.signal(signal)
  await server.exited
}

/** A server that ends by this signal after an address was stored. */
async function storeOne(signal: 'SIGTERM' | 'SIGKILL') {
  const server = await sandbox.start()
  expect((await post(`${server.origin}/api/subscribe`, { email: 'before@example.com' })).status).toBe(200)
  await stop(server, signal)
}

/** A start fails with one line that says why and what to do, and changes nothing. */
async function expectRefused(why: RegExp) {
  const before = contents()
  const { code, stderr } = await sandbox.runToEnd()
  expect(stderr).toMatch(why)
  expect(stderr).toMatch(REMEDY)
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
  expect(contents()).toEqual(before)
}

async function expectToStart() {
  const server = await sandbox.start()
  expect((await post(`${server.origin}/api/subscribe`, { email: 'after@example.com' })).status).toBe(200)
  return server
}

const emails = () => readTable(file, 'subscribers').map(({ email }) => email)

test('after a server was killed, the next one starts on the file and its log, whatever commands were called meanwhile', async () => {
  await storeOne('SIGKILL')
  for (const command of ['stats', 'erase nobody@example.com --yes'])
    expect(await leads(`sqlite:${file}`, command.split(' '))).toMatchObject({ code: 0 })
  await expectToStart()
  expect(emails()).toEqual(['before@example.com', 'after@example.com'])
})

test('without the log of a server that was killed no server starts, until the file is restored as it is', async () => {
  await storeOne('SIGTERM')
  await storeOne('SIGKILL')
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix)
  await expectRefused(/^The log \S+-wal is missing/)
  const erased = await leads(`sqlite:${file}`, ['erase', 'before@example.com', '--yes'])
  expect(erased).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The log \S+-wal is missing/) })
  moveAside('aside')
  expect(await restore(join(at('aside'), basename(file)))).toMatchObject({ code: 0 })
  await expectToStart()
  expect(emails()).toEqual(['before@example.com', 'after@example.com'])
})

/** A server whose file is lost under load, after a backup. */
async function loseUnderLoad(lose: () => void) {
  const server = await sandbox.start()
  const load = startLoad(server.origin, 5)
  onTestFinished(() => void load.stop())
  expect(await leads(`sqlite:${file}`, ['backup', backup()])).toMatchObject({ code: 0 })
  await load.more(20)
  lose()
  await load.refusals(5)
  await load.stop()
  return { server, load }
}

test('a file that is deleted under load: nothing more is acknowledged or touched, and the backup is restored', async () => {
  const { server } = await loseUnderLoad(() => rmSync(file))
  const before = contents()
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(503)
  await stop(server, 'SIGTERM')
  expect(await server.exited).toBe(0)
  expect(contents()).toEqual(before)
  const lines = server.output().match(/"msg":"The database \S+ was deleted [^"]+Calls are answered 503.+/g)
  expect(lines).toEqual([expect.stringMatching(REMEDY.source.replaceAll('"', '\\\\"'))])

  const kept = readTable(backup(), 'subscribers').map(({ email }) => email)
  moveAside('aside')
  expect(await restore(backup())).toMatchObject({ code: 0 })
  await expectToStart()
  expect(emails()).toEqual([...kept, 'after@example.com'])
})

test('a file that was moved away under load, and is put back after the end, holds all that was acknowledged', async () => {
  const { server, load } = await loseUnderLoad(() => renameSync(file, at('moved.db')))
  await stop(server, 'SIGTERM')
  await expectRefused(/^There is no database/)
  renameSync(at('moved.db'), file)
  await expectToStart()
  expect(missingFrom(load)).toEqual([])
})

test.each(['-wal', '-shm'])('a file that loses its %s under load keeps all that was acknowledged', async (suffix) => {
  let closeReader = () => {}
  const { server, load } = await loseUnderLoad(() => {
    closeReader = startReader()
    rmSync(file + suffix)
  })
  // A reader may keep the server from writing into the file what only the log held.
  closeReader()
  await stop(server, 'SIGTERM')
  if (suffix === '-wal') {
    await expectRefused(/^The log \S+-wal is missing/)
    moveAside('aside')
    expect(await restore(join(at('aside'), basename(file)))).toMatchObject({ code: 0 })
  }
  await expectToStart()
  expect(missingFrom(load)).toEqual([])
})

/** Another program that has the file open, and sees the rows that were there when it began. */
function startReader() {
  const reader = new SqliteFile(file)
  reader.exec('begin')
  reader.prepare('select count(*) from subscribers').get()
  return () => void reader.close()
}
