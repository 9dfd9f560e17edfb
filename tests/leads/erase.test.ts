import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { DATABASES, makeStore } from '../support/server/databases.ts'
import { databaseWith, enquiry, event, leads, read, store, subscriber } from '../support/server/leads.ts'
import { beginElsewhere, lockWaits, query } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

const ROWS = {
  subscribers: [subscriber('Visitor@Example.com', 400), subscriber('other@example.com')],
  enquiries: [
    enquiry({ email: 'VISITOR@example.com' }),
    enquiry({ email: 'other@example.com' }),
    enquiry({ email: 'visitor@EXAMPLE.COM' }, 400),
    enquiry({ email: 'visitor@example.community', message: 'Ask Visitor@example.com.' }),
  ],
  outbox: [event('subscription', 1), event('subscription', 2), event('enquiry', 1), event('enquiry', 3)],
}

const ALL = 's1 s2, e1 e2 e3 e4, s1 s2 e1 e3'

describe.each(DATABASES)('on %s', (kind) => {
  const database = databaseWith(ROWS, beforeEach, kind)

  /** The ids of subscribers and enquiries, and of those that messages are about. */
  async function left() {
    const subscribers = (await database.rows('subscribers')).map(({ id }) => `s${id}`)
    const enquiries = (await database.rows('enquiries')).map(({ id }) => `e${id}`)
    const outbox = (await database.rows('outbox')).map(({ kind, lead_id }) => kind.charAt(0) + lead_id)
    return [subscribers, enquiries, outbox].map((ids) => ids.join(' ')).join(', ')
  }

  test('erase removes every spelling of an address, and says what it leaves', async () => {
    // In Turkish, the small letter of I is another one.
    const turkish = 'alter table enquiries alter email type text collate "tr-x-icu"'
    if (kind === 'postgres') await query(database.url, turkish)
    const stderr = `Mentioned by others, whose rows stay: e4. To erase one: "leads erase e4".
Found: s1 e1 e3
Removed: subscribers 1, enquiries 2, messages to staff about them 3
Backups made before keep what was erased until they are deleted.\n`
    const erase = ['erase', ' vISITOR@example.com', '--yes']
    expect(await leads(database.url, erase)).toEqual({ code: 0, stdout: '', stderr })
    expect(await left()).toBe('s2, e2 e4, s2')
  })

  test.each([
    ['erase e3 --yes', 's1 s2, e1 e2 e4, s1 s2 e1'],
    ['erase s1 --yes', 's2, e1 e2 e3 e4, s2 e1 e3'],
    ['purge enquiries --older-than 365d --yes', 's1 s2, e1 e2 e4, s1 s2 e1'],
    ['purge all --older-than 0d --allow-empty --yes', ', , '],
  ])('%s removes what it names, and the messages about it', async (command, rest) => {
    await read(database.url, ...command.split(' '))
    expect(await left()).toBe(rest)
  })

  test.each([
    ['erase vistor@example.com --yes', 'Nothing was erased: check the address or the number.'],
    ['erase e99 --yes', 'Nothing was erased: check the address or the number.'],
    ['erase visitor@example.com', 'Nothing was erased; pass --yes to go ahead.'],
    ['purge all --older-than 365d', 'Nothing was erased; pass --yes to go ahead.'],
    // A clock that is far ahead makes everything old.
    ['purge all --older-than 2999-01-01 --yes', 'Nothing was erased: all 2 subscribers are that old.'],
  ])('%s removes nothing, and says why', async (command, words) => {
    const stderr = expect.stringContaining(words)
    expect(await leads(database.url, command.split(' '))).toEqual({ code: 1, stdout: '', stderr })
    expect(await left()).toBe(ALL)
  })
})

describe('at a terminal', () => {
  const database = databaseWith(ROWS, beforeEach)

  // The last is the end of what can be typed.
  test.each(['n\n', 'any\n', 'yess\n', '\n', ''])('nothing is erased after the answer %j', async (typed) => {
    const stderr = expect.stringMatching(/Nothing was erased\.\n$/)
    expect(await leads(database.url, ['erase', 's1'], {}, typed)).toEqual({ code: 1, stdout: '', stderr })
    expect(await database.rows('subscribers')).toHaveLength(2)
  })

  test('a lead is erased after a yes', async () => {
    await leads(database.url, ['erase', 's1'], {}, ' Yes\n')
    expect(await database.rows('subscribers')).toHaveLength(1)
  })
})

describe('a file', () => {
  const database = databaseWith({}, beforeEach)

  test('has no trace of who was erased, while a server uses it', async () => {
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
})

describe('of two at the same time', () => {
  const database = databaseWith(
    { subscribers: ['c', 'b', 'a'].map((name) => subscriber(`${name}@example.com`, 400)) },
    beforeEach,
    'postgres',
  )

  test('on PostgreSQL, a purge and a server never wait for each other in a circle', async () => {
    const server = makeStore(await database.open())
    const held = "select id from subscribers where email_key = 'b@example.com' for update"
    const release = await beginElsewhere(database.url, held)
    const purge = read(database.url, 'purge', 'all', '--older-than', '30d', '--allow-empty', '--yes')
    await until(() => lockWaits(database.url))
    // The purge has deleted c, and waits for b; the server comes to a, and waits for c.
    const answers = Promise.all(['a', 'c'].map((name) => server.addSubscriber(`${name}@example.com`)))
    await until(async () => (await lockWaits(database.url)) >= 2)
    await release()
    await purge
    expect(await answers).toEqual(['present', 'added'])
    await server.close()
  })
})
