import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readTable } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

let sandbox: ServerFolder
beforeEach(() => {
  sandbox = makeServerFolder()
})
afterEach(() => sandbox.remove())

/** Another program that has the file open, and sees the rows that were there when it began. */
function startReader(file: string) {
  const reader = new SqliteFile(file)
  reader.exec('begin')
  reader.prepare('select count(*) from subscribers').get()
  return reader
}

function makeBackup(file: string) {
  const backup = new SqliteFile(`${file}.backup`)
  backup.exec(`attach '${file}' as source; create table kept as select * from source.subscribers`)
  backup.close()
  return readFileSync(`${file}.backup`)
}

const integrityOf = (file: string) => {
  const opened = new SqliteFile(file)
  onTestFinished(() => void opened.close())
  return opened.pragma('integrity_check', { simple: true })
}

// Each alone is in tests/server/sqlite.test.ts.
test.each<[what: string, reading: string, lose: (file: string) => void]>([
  ['deleted', 'no reader', (file) => rmSync(file)],
  ['moved away with its folder', 'a reader', (file) => renameSync(dirname(file), `${dirname(file)}.away`)],
  ['replaced by a backup', 'a reader', (file) => renameSync(`${file}.backup`, file)],
  ['there without its log', 'a reader', (file) => rmSync(`${file}-wal`)],
])(
  'a file that is %s under load, with %s: all that was acknowledged is saved, no other file is touched, and a start takes again',
  async (what, reading, lose) => {
    const file = sandbox.databaseFile
    const server = await sandbox.start()
    const load = startLoad(server.origin, 5)
    onTestFinished(() => void load.stop())
    await load.more(40)
    const reader = reading === 'no reader' ? null : startReader(file)
    const bytes = makeBackup(file)
    await load.more(40)
    lose(file)
    await load.refusals(5)
    await load.stop()
    await until(() => server.output().includes('All rows are in'))
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503)
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
    reader?.close()

    const rescued = `${file}-rescued`
    expect(load.missingFrom(readTable(rescued, 'subscribers'), readTable(rescued, 'enquiries'))).toEqual([])
    expect([...load.statuses.keys()].toSorted()).toEqual([200, 503])
    expect(server.output().match(/All rows are in/g)).toHaveLength(1)
    if (what.startsWith('replaced')) expect(readFileSync(file).equals(bytes)).toBe(true)
    if (!existsSync(file)) {
      const refused = { code: 1, stderr: expect.stringMatching(/^There is no database .+\n$/) }
      expect(await sandbox.runToEnd()).toMatchObject(refused)
      renameSync(rescued, file)
    }
    const { origin } = await sandbox.start()
    expect((await post(`${origin}/api/subscribe`, { email: 'after@example.com' })).status).toBe(200)
    expect(integrityOf(file)).toBe('ok')
  },
)
