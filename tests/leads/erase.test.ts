import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeStore } from '../support/server/databases.ts'
import { databaseWith, enquiry, event, leads, read, store, subscriber } from '../support/server/leads.ts'
import { beginElsewhere, lockWaits } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

const ROWS = {
  subscribers: [subscriber('Visitor@Example.com', 400), subscriber('other@example.com')],
  enquiries: [
    ...['VISITOR@example.com', 'other@example.com', 'visitor@EXAMPLE.COM'].map((email) => enquiry({ email })),
    enquiry({ email: 'visitor@example.community', message: 'Ask Visitor@example.com.' }),
  ],
  outbox: [event('subscription', 1), event('subscription', 2), event('enquiry', 1), event('enquiry', 3)],
}

const database = databaseWith(ROWS, beforeEach)
const old = ['c', 'b', 'a'].map((name) => subscriber(`${name}@example.com`, 400))
const postgres = databaseWith({ subscribers: old }, beforeAll, 'postgres')

/** The ids of subscribers, of enquiries, and of the leads in messages. */
async function storedIds() {
  const subscribers = (await database.rows('subscribers')).map(({ id }) => `s${id}`)
  const enquiries = (await database.rows('enquiries')).map(({ id }) => `e${id}`)
  const outbox = (await database.rows('outbox')).map(({ kind, lead_id }) => kind.charAt(0) + lead_id)
  return [subscribers, enquiries, outbox].map((ids) => ids.join(' ')).join(', ')
}

test('erase removes every spelling of an address, and lists rows that mention it', async () => {
  const stderr = `Mentioned by others, whose rows stay: e4. To erase one: "leads erase e4".
Found: s1 e1 e3
Removed: subscribers 1, messages to staff about them 1
Removed: enquiries 2, messages to staff about them 2
Earlier backups contain the erased rows until these backups are deleted.\n`
  expect(await leads(database.url, ['erase', ' vISITOR@example.com', '--yes'])).toEqual({ code: 0, stdout: '', stderr })
  expect(await storedIds()).toBe('s2, e2 e4, s2')
})

const ALL_IDS = 's1 s2, e1 e2 e3 e4, s1 s2 e1 e3'

test.each([
  ['erase e3 --yes', 0, 'Removed: enquiries 1', 's1 s2, e1 e2 e4, s1 s2 e1'],
  ['purge subscribers --older-than 365d --yes', 0, 'Removed: subscribers 1', 's2, e1 e2 e3 e4, s2 e1 e3'],
  ['purge enquiries --older-than 0d --allow-empty --yes', 0, 'about them 2', 's1 s2, , s1 s2'],
  ['erase vistor@example.com --yes', 1, 'Nothing was erased: check the address', ALL_IDS],
  ['erase visitor@example.com', 1, 'Nothing was erased; pass --yes', ALL_IDS],
  ['purge subscribers --older-than 365d', 1, 'Nothing was erased; pass --yes', ALL_IDS],
  // A clock that is far ahead makes everything old.
  ['purge subscribers --older-than 2999-01-01 --yes', 1, 'Nothing was erased: all 2 subscribers are older', ALL_IDS],
])('%s exits with %i', async (command, code, words, idsLeft) => {
  const stderr = expect.stringContaining(words)
  expect(await leads(database.url, command.split(' '))).toEqual({ code, stdout: '', stderr })
  expect(await storedIds()).toBe(idsLeft)
})

// After Ctrl-D there is no answer, and nothing is erased.
test.each([
  [' Yes\n', 0],
  ['\n', 1],
  ['', 1],
])('after the answer %j at a terminal, erase exits with %i', async (answer, code) => {
  const terminal = Object.assign(Readable.from([answer]), { isTTY: true }) as unknown as typeof process.stdin
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(terminal)
  process.stderr.isTTY = true
  onTestFinished(() => void vi.restoreAllMocks())
  const stderr = expect.stringMatching(code ? /Nothing was erased\.\n$/ : /Removed: subscribers 1/)
  expect(await leads(database.url, ['erase', 's1'])).toEqual({ code, stdout: '', stderr })
})

test('a purge leaves no trace of its rows in a file that a server uses', async () => {
  // Unsorted names split the pages of the index, which keep copies of the moved entries.
  const names = Array.from({ length: 2000 }, (_, i) => `${((i * 7919) % 2003).toString(36).padStart(3, '0')}-${i}x`)
  const erased = names.filter((_, i) => i % 100 === 50)
  const daysAgo = (name: string) => (erased.includes(name) ? 400 : 0)
  await store(database, { subscribers: names.map((name) => subscriber(`${name}@example.com`, daysAgo(name))) })
  const server = await database.open()
  onTestFinished(() => server.close())
  const stored = () => ['', '-journal'].map((suffix) => readFileSync(database.file + suffix, 'latin1')).join()
  const traces = () => erased.filter((name) => stored().includes(name))
  expect(traces()).toEqual(erased)
  await read(database.url, 'purge', 'subscribers', '--older-than', '365d', '--yes')
  expect(traces()).toEqual([])
})

test('on PostgreSQL a purge and a server never deadlock', async () => {
  const server = makeStore(await postgres.open())
  const lockStatement = "select id from subscribers where email_key = 'b@example.com' for update"
  const release = await beginElsewhere(postgres.url, lockStatement)
  const purge = read(postgres.url, 'purge', 'subscribers', '--older-than', '30d', '--allow-empty', '--yes')
  await until(() => lockWaits(postgres.url))
  // The purge has deleted c, and waits for b. The server has a, and waits for c.
  const answers = Promise.all(['a', 'c'].map((name) => server.addSubscriber(`${name}@example.com`)))
  await until(async () => (await lockWaits(postgres.url)) >= 2)
  await release()
  await purge
  expect(await answers).toEqual(['present', 'added'])
  await server.close()
})
