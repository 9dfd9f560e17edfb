import { renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { readTable } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

test.each<[what: string, move: (file: string) => string]>([
  ['A file', (file) => file],
  ['a folder', dirname],
])(
  '%s that is moved away under load, beside a reader, is used again when it is back, without a restart, and nothing acknowledged is missing',
  async (_, partOf) => {
    const sandbox = makeServerFolder()
    onTestFinished(sandbox.remove)
    const file = sandbox.databaseFile
    const server = await sandbox.start()
    const load = startLoad(server.origin, 5)
    onTestFinished(() => void load.stop())
    const reader = new SqliteFile(file)
    onTestFinished(() => void reader.close())
    reader.prepare('select count(*) from subscribers').get()
    await load.more(20)
    const [place, elsewhere] = [partOf(file), join(sandbox.folder, 'elsewhere')]
    renameSync(place, elsewhere)
    await load.refusals(5)
    renameSync(elsewhere, place)
    await load.more(20)
    await load.stop()
    const lines = server.output().match(/"msg":"database unavailable.+/g)
    expect(lines).toEqual([expect.stringContaining('Its file was moved, deleted or replaced: put it back')])
    expect(load.missingFrom(readTable(file, 'subscribers'), readTable(file, 'enquiries'))).toEqual([])
  },
)
