import { chmodSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pageTimes } from '../support/page/page-times.ts'
import { lockDatabase } from '../support/server/build-test-app.ts'
import { readTable } from '../support/server/databases.ts'
import { type Load, startLoad } from '../support/server/load.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-process.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

/** Refusals that a fault lasts. */
const REFUSALS = 5

let sandbox: ServerFolder
let load: Load | null = null
beforeEach(() => {
  sandbox = makeServerFolder()
})
afterEach(async () => {
  await load?.stop()
  await sandbox.remove()
})

async function loadUntil(origin: string, isOver: (load: Load) => boolean): Promise<Load> {
  const running = startLoad(origin, 5)
  load = running
  await vi.waitUntil(() => isOver(running), { timeout: WAIT_TIMEOUT, interval: 5 })
  return running
}

const refusals = ({ statuses }: Load) => statuses.get(503) ?? 0

const onlyTakenOrRefused = ({ statuses }: Load) =>
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])

const emailsIn = (file: string) => (existsSync(file) ? readTable(file, 'subscribers') : [])

/** Each fault begins, and returns what ends it. */
test.each<[fault: string, begin: (file: string) => () => void]>([
  ['the write lock held by another', lockDatabase],
  [
    'the file read-only',
    (file) => {
      chmodSync(file, 0o400)
      return () => chmodSync(file, 0o600)
    },
  ],
])('%s under load: only 200 and 503, the page stays, nothing lost, and it recovers by itself', async (fault, begin) => {
  const server = await sandbox.start()
  const during = await loadUntil(server.origin, ({ acknowledged }) => acknowledged.length > 100)
  const end = begin(sandbox.databaseFile)
  const pages = await pageTimes(server.origin, () => refusals(during) >= REFUSALS)
  end()
  const before = during.acknowledged.length
  await vi.waitUntil(() => during.acknowledged.length > before, { timeout: WAIT_TIMEOUT, interval: 5 })
  await during.stop()
  server.signal('SIGKILL')
  await server.exited
  const lost = during.missingFrom(emailsIn(sandbox.databaseFile))
  console.log(`${fault}: ${lost.length} of ${during.acknowledged.length} acknowledged lost, ${pages.length} pages`)
  expect(lost).toEqual([])
  onlyTakenOrRefused(during)
})

/** Another program that has the file open, and sees the rows that were there when it began. */
function startReader(file: string) {
  const reader = new SqliteFile(file)
  reader.exec('begin')
  reader.prepare('select count(*) from subscribers').get()
  return reader
}

const isWhole = (file: string) => {
  const opened = new SqliteFile(file)
  const found = opened.pragma('integrity_check')
  opened.close()
  return found
}

const remove =
  (...suffixes: string[]) =>
  (file: string) => {
    for (const suffix of suffixes) rmSync(file + suffix)
  }

const FAULTS: Readonly<Record<string, (file: string) => void>> = {
  deleted: remove(''),
  'deleted with its log': remove('', '-wal', '-shm'),
  'moved away with its folder': (file) => renameSync(dirname(file), `${dirname(file)}.away`),
  'replaced by a backup': (file) => renameSync(`${file}.backup`, file),
  'there without its log': remove('-wal'),
}

// Each alone is in tests/server/sqlite.test.ts.
test.each([
  ['deleted', 'no reader'],
  ['deleted with its log', 'a reader that ends last'],
  ['moved away with its folder', 'a reader that ends last'],
  ['replaced by a backup', 'a reader that ends first'],
  ['replaced by a backup', 'a reader that ends last'],
  ['there without its log', 'a reader that ends last'],
])(
  'a file that is %s under load, with %s: all that was acknowledged is saved, no other file is touched, and a start takes again',
  async (fault, reading) => {
    const file = sandbox.databaseFile
    const server = await sandbox.start()
    const first = await loadUntil(server.origin, ({ acknowledged }) => acknowledged.length > 100)
    await first.stop()
    const reader = reading === 'no reader' ? null : startReader(file)
    const backup = new SqliteFile(`${file}.backup`)
    backup.exec(`attach '${file}' as source; create table kept as select * from source.subscribers`)
    backup.close()
    const bytes = readFileSync(`${file}.backup`)
    const during = await loadUntil(server.origin, ({ acknowledged }) => acknowledged.length > 100)
    FAULTS[fault]?.(file)
    await vi.waitUntil(() => refusals(during) >= REFUSALS, { timeout: WAIT_TIMEOUT })
    await during.stop()
    await vi.waitUntil(() => server.output().includes('All rows are in'), { timeout: WAIT_TIMEOUT })
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503)
    if (reading.endsWith('first')) reader?.close()
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
    if (reading.endsWith('last')) reader?.close()

    const saved = emailsIn(`${file}-rescued`)
    const lost = [...first.missingFrom(saved), ...during.missingFrom(saved)]
    console.log(
      `${fault}, ${reading}: ${lost.length} of ${first.acknowledged.length + during.acknowledged.length} lost`,
    )
    expect(lost).toEqual([])
    onlyTakenOrRefused(during)
    expect(server.output().match(/All rows are in/g)).toHaveLength(1)
    if (fault.startsWith('replaced')) {
      expect(readFileSync(file).equals(bytes)).toBe(true)
      expect(isWhole(file)).toEqual([{ integrity_check: 'ok' }])
    }
    if (!existsSync(file)) {
      expect(await sandbox.runToEnd()).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^There is no database .+\n$/),
      })
      renameSync(`${file}-rescued`, file)
    }
    const again = await sandbox.start()
    await (await loadUntil(again.origin, ({ acknowledged }) => acknowledged.length > 0)).stop()
    again.signal('SIGTERM')
    await again.exited
    expect(isWhole(file)).toEqual([{ integrity_check: 'ok' }])
  },
)
