import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { insertSubscribers } from '../../server/storage/lead-rows.ts'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, event, leads, leadsProcess, read, store, subscriber } from '../support/server/leads.ts'
import { beginElsewhere, lockWaits, query } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
async function make(kind: (typeof DATABASES)[number]) {
  database = await makeDatabase(kind)
  onTestFinished(database.remove)
}

describe.each(DATABASES)('on %s', (kind) => {
  beforeEach(async () => {
    await make(kind)
    await store(database, {
      subscribers: [subscriber('Visitor@Example.com', 400), subscriber('other@example.com')],
      enquiries: [
        enquiry({ email: 'VISITOR@example.com' }),
        enquiry({ email: 'other@example.com' }),
        enquiry({ email: 'visitor@EXAMPLE.COM' }, 400),
        enquiry({ email: 'visitor@example.community', message: 'Ask Visitor@example.com.' }),
      ],
      outbox: [event('subscription', 1), event('subscription', 2), event('enquiry', 1), event('enquiry', 3)],
    })
    // In Turkish, the small letter of I is another one.
    const turkish = 'alter table enquiries alter email type text collate "tr-x-icu"'
    if (kind === 'postgres') await query(database.url, turkish)
  })

  const left = async () => ({
    subscribers: (await database.rows('subscribers')).map(({ id }) => id),
    enquiries: (await database.rows('enquiries')).map(({ id }) => id),
    outbox: (await database.rows('outbox')).map(({ kind, lead_id }) => kind.charAt(0) + lead_id),
  })
  test('erase removes every spelling of an address, and what the outbox holds about it, and names who else mentions it', async () => {
    const { code, stdout, stderr } = await leads(database.url, ['erase', ' vISITOR@example.com', '--yes'])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/^Found: s1 e1 e3\nMentioned by others, .+: e4\. To erase one: "leads erase e4"\.\n/)
    expect(stderr).toMatch(/\nRemoved: 1 subscriber, 2 enquiries, 3 messages to staff about them\.\n$/)
    expect(await left()).toEqual({ subscribers: [2], enquiries: [2, 4], outbox: ['s2'] })
  })

  test('erase removes one row by its number, and fails where there is nothing', async () => {
    await read(database.url, 'erase', 'e3', '--yes')
    await read(database.url, 'erase', 's1', '--yes')
    expect(await left()).toEqual({ subscribers: [2], enquiries: [1, 2, 4], outbox: ['s2', 'e1'] })
    for (const nothing of ['vistor@example.com', 'e3', 'e99']) {
      const stderr = 'Found: nothing\nNothing was erased: check the address or the number.\n'
      expect(await leads(database.url, ['erase', nothing, '--yes'])).toEqual({ code: 1, stdout: '', stderr })
    }
  })

  test('nothing is erased where nobody can be asked, nor in a dry run; purge removes what is older than it is told', async () => {
    for (const [command, code, words] of [
      ['erase visitor@example.com', 1, 'pass --yes to go ahead.\n'],
      ['purge all --older-than 365d', 1, 'pass --yes to go ahead.\n'],
      // A day to come, or a clock that is far ahead, makes everything old.
      ['purge all --older-than 2999-01-01 --yes', 1, 'that is all there is (2 subscribers, 4 enquiries). '],
      ['purge all --older-than 365d --dry-run', 0, 'Z: 1 subscriber, 1 enquiry\n'],
    ] as const) {
      const { stdout, stderr, ...ended } = await leads(database.url, command.split(' '))
      expect([ended, code === 0 ? stdout : stderr]).toEqual([{ code }, expect.stringContaining(words)])
      expect(await left()).toEqual({ subscribers: [1, 2], enquiries: [1, 2, 3, 4], outbox: ['s1', 's2', 'e1', 'e3'] })
    }
    await read(database.url, 'purge', 'enquiries', '--older-than', '365d', '--yes')
    expect(await left()).toEqual({ subscribers: [1, 2], enquiries: [1, 2, 4], outbox: ['s1', 's2', 'e1'] })
    await read(database.url, 'purge', 'all', '--older-than', '0d', '--allow-empty', '--yes')
    expect(await left()).toEqual({ subscribers: [], enquiries: [], outbox: [] })
  })
})

test('a lead is erased only after a yes at the terminal', async () => {
  await make('sqlite')
  await store(database, { subscribers: [subscriber('visitor@example.com')] })
  const erase = (typed: string) => leads(database.url, ['erase', 'visitor@example.com'], {}, typed)
  // The last is the end of what can be typed.
  const refused = { code: 1, stdout: '', stderr: expect.stringMatching(/Nothing was erased\.\n$/) }
  for (const typed of ['n\n', 'any\n', 'yess\n', '\n', '']) expect(await erase(typed)).toEqual(refused)
  expect(await database.rows('subscribers')).toHaveLength(1)
  expect(await erase(' Yes\n')).toMatchObject({ code: 0 })
  expect(await database.rows('subscribers')).toEqual([])
})

test('without a terminal, as in a cron job, a command that succeeds says nothing', async () => {
  await make('sqlite')
  await store(database, { subscribers: [subscriber('a@example.com', 400), subscriber('b@example.com')] })
  const purge = ['purge', 'subscribers', '--older-than', '365d', '--yes']
  expect(await leadsProcess(database.url, purge, {})).toEqual({ code: 0, stdout: '', stderr: '' })
  expect((await database.rows('subscribers')).map(({ id }) => id)).toEqual([2])
})

test('a SQLite file has no trace of who was erased, while a server uses it', async () => {
  await make('sqlite')
  // In no order, so that pages of the index are split, and keep copies of what stood there.
  const names = Array.from({ length: 5000 }, (_, i) => `${((i * 7919) % 5003).toString(36).padStart(4, '0')}-${i}x`)
  const erased = names.filter((_, i) => i % 1000 === 500)
  await store(database, {
    subscribers: names.map((name) => subscriber(`${name}@example.com`)),
    enquiries: [enquiry({ email: `${erased[0]}@example.com`, message: 'marked' })],
  })
  const server = await database.open()
  onTestFinished(() => server.close())
  const folder = dirname(database.file)
  const traces = (texts: readonly string[]) => {
    const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
    return texts.filter((text) => stored.join().includes(text))
  }
  const marks = [...erased, 'marked']
  expect(traces(marks)).toEqual(marks)
  for (const name of erased) await read(database.url, 'erase', `${name}@example.com`, '--yes')
  expect(traces(marks)).toEqual([])
  expect(traces(names.slice(0, 1))).toHaveLength(1)
})

test('on PostgreSQL, a purge and a server never wait for each other in a circle', async () => {
  await make('postgres')
  await store(database, { subscribers: ['c', 'b', 'a'].map((name) => subscriber(`${name}@example.com`, 400)) })
  const server = await database.open()
  const held = "select id from subscribers where email_key = 'b@example.com' for update"
  const release = await beginElsewhere(database.url, held)
  const purge = read(database.url, 'purge', 'all', '--older-than', '30d', '--allow-empty', '--yes')
  await until(() => lockWaits(database.url))
  const rows = ['a', 'c'].map((name) => ({ ...subscriber(`${name}@example.com`), request_id: name }))
  const done = server.run((db) => insertSubscribers(db, rows))
  await until(async () => (await lockWaits(database.url)) >= 2)
  await release()
  await Promise.all([purge, done])
  await server.close()
})
