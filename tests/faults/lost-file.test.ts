import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readHeader } from '../../server/storage/sqlite-header.ts'
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

const recover = (...options: string[]) => leads(`sqlite:${file}`, ['recover', ...options])

const backup = () => join(sandbox.folder, 'backup.db')
const copy = () => join(sandbox.folder, 'copy.db')
const away = () => join(sandbox.folder, 'away')

function moveAway(...suffixes: string[]) {
  mkdirSync(away())
  for (const suffix of suffixes) renameSync(file + suffix, join(away(), `leads.db${suffix}`))
}

function putBack() {
  for (const name of readdirSync(away())) renameSync(join(away(), name), join(dirname(file), name))
}

/** The files and what they hold, but of the log's index, which holds locks. */
const contents = () =>
  readdirSync(dirname(file))
    .filter((name) => !name.endsWith('-shm') && !name.endsWith('-lost'))
    .map((name) => [name, readFileSync(join(dirname(file), name)).toString('base64')])

/** How often the file has grown. */
function changesOf(path: string): number {
  const handle = openSync(path, 'r')
  onTestFinished(() => closeSync(handle))
  return readHeader(handle)?.changes ?? 0
}

/** A server whose file is lost under load, after a backup, and a copy from before the file grew, were made. */
async function loseUnderLoad(lose: () => void) {
  const server = await sandbox.start()
  const load = startLoad(server.origin, 5)
  onTestFinished(() => void load.stop())
  copyFileSync(file, copy())
  const opened = new SqliteFile(file)
  while (changesOf(file) === changesOf(copy())) {
    await load.more(20)
    opened.pragma('wal_checkpoint')
  }
  opened.close()
  expect(await leads(`sqlite:${file}`, ['backup', backup()])).toMatchObject({ code: 0 })
  await load.more(20)
  lose()
  await load.refusals(5)
  await load.stop()
  return { server, load }
}

const missingFrom = (load: Load) => load.missingFrom(readTable(file, 'subscribers'), readTable(file, 'enquiries'))

async function expectToStart() {
  const { origin } = await sandbox.start()
  expect((await post(`${origin}/api/subscribe`, { email: 'after@example.com' })).status).toBe(200)
}

const NO_FILE = /^There is no database .+leads\.db: put the file and its -wal back, or run "leads restore BACKUP"\.\n$/
const OTHER_LOG = /^\S+leads\.db is not the file that was lost, but \S+leads\.db-wal belongs to that: .+\n$/

const CASES: [what: string, lose: () => void, refused: RegExp, isKept: boolean][] = [
  ['deleted', () => rmSync(file), NO_FILE, false],
  ['moved away', () => moveAway(''), NO_FILE, true],
  ['moved away with its folder', () => renameSync(dirname(file), away()), NO_FILE, true],
  [
    'replaced by a backup',
    () => copyFileSync(backup(), `${file}.new`) ?? renameSync(`${file}.new`, file),
    OTHER_LOG,
    false,
  ],
  ['overwritten by a backup', () => copyFileSync(backup(), file), OTHER_LOG, false],
  ['overwritten by an older copy', () => copyFileSync(copy(), file), OTHER_LOG, false],
  ['emptied', () => truncateSync(file), NO_FILE, false],
]

test.each(CASES)(
  'a file that is %s under load: nothing more is acknowledged, nothing is touched, and no server starts until it is recovered',
  async (_what, lose, refused, isKept) => {
    const { server, load } = await loseUnderLoad(lose)
    const before = contents()
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503)
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
    expect(contents()).toEqual(before)
    expect(server.output().match(/"msg":"The database \S+ was .+, and run \\"leads recover\\"\./g)).toHaveLength(1)
    const marked = {
      code: 1,
      stderr: expect.stringMatching(/^The database .+"leads recover"\. \(Found \S+-lost\.\)\n$/),
    }
    expect(await sandbox.runToEnd()).toMatchObject(marked)
    expect(await leads(`sqlite:${file}`, ['stats'])).toMatchObject(marked)
    expect(await recover()).toMatchObject({ code: 1, stderr: expect.stringMatching(refused) })

    if (isKept) {
      putBack()
      const counts = /is sound: [1-9]\d* subscribers, [1-9]\d* enquiries\./
      expect(await recover()).toMatchObject({ code: 0, stderr: expect.stringMatching(counts) })
      expect(missingFrom(load)).toEqual([])
    } else {
      moveAway('-wal', '-shm')
      rmSync(file, { force: true })
      expect(await leads(`sqlite:${file}`, ['restore', backup()])).toMatchObject({ code: 0 })
    }
    await expectToStart()
  },
)

test('a backup that was put in place lacks rows, which has to be accepted', async () => {
  const { server } = await loseUnderLoad(() => copyFileSync(backup(), file))
  server.signal('SIGKILL')
  await server.exited
  moveAway('-wal', '-shm')
  const missing = expect.stringMatching(/Missing: subscribers \d+ to \d+, enquiries \d+ to \d+\./)
  expect(await recover()).toMatchObject({ code: 1, stderr: missing })
  expect((await sandbox.runToEnd()).code).toBe(1)
  expect(await recover('--accept-missing')).toMatchObject({ code: 0, stderr: missing })
  await expectToStart()
})

test.each([
  ['-wal', 'no reader'],
  ['-wal', 'a reader'],
  ['-shm', 'a reader'],
])(
  'a file that loses its %s under load, with %s, holds all that was acknowledged when it is recovered',
  async (suffix, reading) => {
    let closeReader = () => {}
    const { server, load } = await loseUnderLoad(() => {
      if (reading === 'a reader') closeReader = startReader()
      rmSync(file + suffix)
    })
    expect(await recover()).toMatchObject({ code: 1, stderr: expect.stringContaining('stop that process') })
    // A reader may keep the server from writing into the file what only the log held.
    closeReader()
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
    expect((await sandbox.runToEnd()).code).toBe(1)
    expect(await recover()).toMatchObject({ code: 0 })
    await expectToStart()
    expect(missingFrom(load)).toEqual([])
  },
)

/** Another program that has the file open, and sees the rows that were there when it began. */
function startReader() {
  const reader = new SqliteFile(file)
  reader.exec('begin')
  reader.prepare('select count(*) from subscribers').get()
  return () => void reader.close()
}

test('where a log was deleted after the server was killed, no server starts until the file is checked', async () => {
  const server = await sandbox.start()
  await post(`${server.origin}/api/subscribe`, { email: 'before@example.com' })
  server.signal('SIGKILL')
  await server.exited
  rmSync(`${file}-wal`)
  const refused = { code: 1, stderr: expect.stringMatching(/^\S+-wal was deleted while .+"leads recover".+\n$/) }
  expect(await sandbox.runToEnd()).toMatchObject(refused)
  expect(await recover()).toMatchObject({ code: 0 })
  await expectToStart()
})
