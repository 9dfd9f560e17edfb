import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { readTable } from '../support/server/databases.ts'
import { databaseWith, enquiry, leadsProcess, read, subscriber } from '../support/server/leads.ts'
import { startLoad } from '../support/server/load.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

/** More than a page of each table and index. */
const MANY = {
  subscribers: Array.from({ length: 500 }, (_, i) => subscriber(`visitor${i}@example.com`)),
  enquiries: Array.from({ length: 500 }, () => enquiry({ message: 'When? '.repeat(50) }, 400)),
}

const database = databaseWith(MANY, beforeEach)

let folder: string
let copy: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'))
  copy = join(folder, 'backup.db')
  return () => rmSync(folder, { recursive: true })
})

const backup = () => leadsProcess(database.url, ['backup', copy])

test('a backup holds what it says, for its owner alone', async () => {
  expect(await backup()).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Backed up and checked: subscribers 500, enquiries 500\n',
  })
  expect([statSync(copy).mode & 0o777, readdirSync(folder)]).toEqual([0o600, ['backup.db']])
  expect(readTable(copy, 'subscribers')).toEqual(await database.rows('subscribers'))
  expect(readTable(copy, 'enquiries')).toEqual(await database.rows('enquiries'))
})

test.each([
  ['table', 'enquiries'],
  ['index', 'sqlite_autoindex_subscribers_1'],
])('a file with a damaged page of a %s gives one line and no backup', async (_, name) => {
  const sqlite = new SqliteFile(database.file)
  const find = sqlite.prepare<[string], { pgoffset: number }>(
    "select pgoffset from dbstat where name = ? and pagetype = 'leaf' limit 1 offset 1",
  )
  const start = find.get(name)?.pgoffset ?? Number.NaN
  sqlite.close()
  const file = openSync(database.file, 'r+')
  const bytes = Buffer.alloc(64)
  readSync(file, bytes, 0, 64, start)
  writeSync(
    file,
    bytes.map((byte) => ~byte),
    0,
    64,
    start,
  )
  closeSync(file)
  expect(await backup()).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^.+damaged: .+\n$/) })
  expect(readdirSync(folder)).toEqual([])
})

test('a file with a table and a column that this release does not know has a backup', async () => {
  const later =
    'create table notes (id integer); alter table subscribers add column source text; update schema_version set version = 99'
  new SqliteFile(database.file).exec(later).close()
  expect(await backup()).toMatchObject({ code: 0, stderr: expect.stringContaining('subscribers 500,') })
  expect(readTable(copy, 'subscribers')[0]).toMatchObject({ id: 1, source: null })
})

test('a purge and a backup under load lose nothing that was acknowledged', async () => {
  const sandbox = makeServerFolder()
  onTestFinished(sandbox.remove)
  const server = await sandbox.start({ DATABASE_URL: database.url })
  const load = startLoad(server.origin, 20)
  await load.more(200)
  await read(database.url, 'purge', 'all', '--older-than', '365d', '--yes')
  const before = [...load.acknowledged]
  expect((await backup()).code).toBe(0)
  await load.stop()
  const enquiries = await database.rows('enquiries')
  expect(enquiries[0]?.id).toBeGreaterThan(500)
  expect(load.missingFrom(await database.rows('subscribers'), enquiries)).toEqual([])
  const missing = load.missingFrom(readTable(copy, 'subscribers'), readTable(copy, 'enquiries'))
  expect(missing.filter((each) => before.includes(each))).toEqual([])
})
