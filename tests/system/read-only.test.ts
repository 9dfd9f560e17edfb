import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, event, leads, READING_COMMANDS, read, store, subscriber } from '../support/server/leads.ts'

let database: TestDatabase
let disk: string
beforeAll(async () => {
  database = await makeDatabase('sqlite')
  await store(database, {
    subscribers: [subscriber('one@example.com', 400)],
    enquiries: [enquiry({})],
    outbox: [event('enquiry', 1)],
  })
  disk = mkdtempSync(join(tmpdir(), 'read-only-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk])
  mkdirSync(join(disk, 'in use'))
  const file = database.url.replace('sqlite:', '')
  copyFileSync(file, join(disk, 'closed.db'))
  await read(database.url, 'backup', join(disk, 'backup.db'))
  // As a server that runs leaves it: rows that only the log has, and the log's index.
  const server = new SqliteFile(file)
  server.exec("insert into subscribers (email_key, email, created_at) values ('two', 'two@example.com', '2026-11-01')")
  for (const suffix of ['', '-wal', '-shm']) copyFileSync(file + suffix, join(disk, 'in use', `leads.db${suffix}`))
  server.close()
  execFileSync('mount', ['-o', 'remount,ro', disk])
})
afterAll(async () => {
  execFileSync('umount', [disk])
  await database.remove()
})

describe.each(['closed.db', 'backup.db', 'in use/leads.db'])('%s where nothing can be written', (name) => {
  const url = () => `sqlite:${join(disk, name)}`

  test('is read by every command that only reads', async () => {
    for (const args of READING_COMMANDS) {
      expect([args, await leads(url(), args)]).toMatchObject([args, { code: 0 }])
    }
    expect(await read(url(), 'export', 'subscribers')).toContain('one@example.com')
    if (name.startsWith('in use')) expect(await read(url(), 'export', 'subscribers')).toContain('two@example.com')
  })

  test('is backed up, copied and restored', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'copies-'))
    await read(url(), 'backup', join(folder, 'backup.db'))
    await read(url(), 'copy', '--to', `sqlite:${join(folder, 'copy.db')}`)
    await read(`sqlite:${join(folder, 'restored.db')}`, 'restore', join(disk, name))
    expect(readdirSync(folder).toSorted()).toEqual(['backup.db', 'copy.db', 'restored.db'])
    for (const copy of readdirSync(folder)) {
      expect(await read(`sqlite:${join(folder, copy)}`, 'export', 'subscribers')).toContain('one@example.com')
    }
  })

  test('is not changed, and one line says so', async () => {
    for (const args of [
      ['erase', 'one@example.com', '--yes'],
      ['outbox', '--retry'],
    ]) {
      expect(await leads(url(), args)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/(attempt to write a readonly database|unable to open database file): .+\n$/),
      })
    }
  })
})
