import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { leads, read, readAll, store, subscriber } from '../support/server/leads.ts'

let database: TestDatabase
let disk: string
beforeAll(async () => {
  database = await makeDatabase('sqlite')
  await store(database, { subscribers: [subscriber('one@example.com', 400)] })
  disk = mkdtempSync(join(tmpdir(), 'read-only-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk])
  mkdirSync(join(disk, 'in use'))
  const file = database.url.replace('sqlite:', '')
  await read(database.url, 'backup', join(disk, 'backup.db'))
  // As a server that runs leaves it: rows that only the log has, and the log's index.
  const server = new SqliteFile(file)
  server.exec("pragma journal_mode = wal; update subscribers set email = 'ONE@example.com'")
  for (const suffix of ['', '-wal', '-shm']) copyFileSync(file + suffix, join(disk, 'in use', `leads.db${suffix}`))
  server.close()
  execFileSync('mount', ['-o', 'remount,ro', disk])
})
afterAll(async () => {
  execFileSync('umount', [disk])
  await database.remove()
})

test.each([
  ['backup.db', '"one@'],
  ['in use/leads.db', '"ONE@'],
])('%s where nothing can be written is read, backed up, restored, and never changed', async (name, email) => {
  const url = `sqlite:${join(disk, name)}`
  await readAll(url)
  const folder = mkdtempSync(join(tmpdir(), 'copies-'))
  const copies = ['backup.db', 'restored.db'].map((copy) => join(folder, copy))
  await read(url, 'backup', String(copies[0]))
  await read(`sqlite:${copies[1]}`, 'restore', join(disk, name))
  for (const file of [join(disk, name), ...copies])
    expect(await read(`sqlite:${file}`, 'export', 'subscribers')).toContain(email)
  rmSync(folder, { recursive: true })
  for (const args of ['erase one@example.com --yes', 'outbox --retry']) {
    expect(await leads(url, args.split(' '))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/(attempt to write a readonly database|unable to open database file): .+\n$/),
    })
  }
})
