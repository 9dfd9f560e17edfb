import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readTable } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { startLoad } from '../support/server/load.ts'
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

/** The files and what they hold, but of the log's index, which holds locks. */
const contents = () =>
  readdirSync(dirname(file))
    .filter((name) => !name.endsWith('-shm'))
    .map((name) => [name, readFileSync(join(dirname(file), name)).toString('base64')])

/** A start fails with one line that says why and what to do, and changes nothing. */
async function expectRefused(why: RegExp) {
  const before = contents()
  const { code, stderr } = await sandbox.runToEnd()
  expect(stderr).toMatch(why)
  expect(stderr).toMatch(REMEDY)
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
  expect(contents()).toEqual(before)
}

/** Another program that has the file open, and sees the rows that were there when it began. */
function startReader() {
  const reader = new SqliteFile(file)
  reader.exec('begin')
  reader.prepare('select count(*) from subscribers').get()
  return reader
}

/** Moves the file aside, and restores it as it is. */
async function restoreItself() {
  mkdirSync(at('aside'))
  for (const name of readdirSync(dirname(file))) renameSync(join(dirname(file), name), join(at('aside'), name))
  expect(await leads(`sqlite:${file}`, ['restore', join(at('aside'), basename(file))])).toMatchObject({ code: 0 })
}

const NO_LOG = /^The log \S+-wal is missing/

test.each<[what: string, lose: () => void, why: RegExp | null, mend: () => unknown]>([
  [
    'is moved away under load, and put back after the end,',
    () => renameSync(file, at('moved.db')),
    /^There is no database/,
    () => renameSync(at('moved.db'), file),
  ],
  ['loses its -wal under load, and is restored,', () => rmSync(`${file}-wal`), NO_LOG, restoreItself],
  ['loses its -shm under load', () => rmSync(`${file}-shm`), null, () => {}],
])('a file that %s holds all that was acknowledged, though a reader had it open', async (_, lose, why, mend) => {
  const server = await sandbox.start()
  const load = startLoad(server.origin, 5)
  onTestFinished(() => void load.stop())
  await load.more(20)
  const reader = startReader()
  lose()
  await load.refusals(5)
  await load.stop()
  // A reader may keep the server from writing into the file what only the log held.
  reader.close()
  server.signal('SIGTERM')
  expect(await server.exited).toBe(0)
  const lines = server.output().match(/"msg":"The database \S+ (?:was|lost) [^"]+Calls are answered 503.+/g)
  expect(lines).toEqual([expect.stringMatching(REMEDY.source.replaceAll('"', '\\\\"'))])
  expect(server.output()).not.toContain('database unavailable')
  if (why) await expectRefused(why)
  await mend()
  const next = await sandbox.start()
  expect((await post(`${next.origin}/api/subscribe`, { email: 'after@example.com' })).status).toBe(200)
  expect(load.missingFrom(readTable(file, 'subscribers'), readTable(file, 'enquiries'))).toEqual([])
})
