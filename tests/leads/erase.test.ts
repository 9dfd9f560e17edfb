import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { databaseWith, enquiry, subscriber } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'

const ROWS = {
  subscribers: [subscriber('Visitor@Example.com'), subscriber('other@example.com')],
  enquiries: [
    ...['VISITOR@example.com', 'other@example.com', 'visitor@EXAMPLE.COM'].map((email) => enquiry({ email })),
    enquiry({ email: 'visitor@example.community', message: 'Ask Visitor@example.com.' }),
    enquiry({ email: 'ada@xn--bcher-kva.example' }),
  ],
}
const database = databaseWith(ROWS)

/** The names of all rows. */
async function storedRows() {
  const subscribers = (await database.rows('subscribers')).map(({ id }) => `s${id}`)
  return [...subscribers, ...(await database.rows('enquiries')).map(({ id }) => `e${id}`)].join(' ')
}

test('erase removes every spelling of an address, and lists rows that mention it', async () => {
  const stderr = `Mentioned by others, whose rows stay: e4. To erase one: "leads erase e4".
Found: s1 e1 e3
Removed: subscribers 1
Removed: enquiries 2
Earlier backups contain the erased rows until these backups are deleted.\n`
  const address = 'Visitor <mailto:vISITOR@example.com>'
  expect(await leads(database.url, ['erase', address, '--yes'])).toEqual({ code: 0, stdout: '', stderr })
  expect(await storedRows()).toBe('s2 e2 e4 e5')
})

const ALL = 's1 s2 e1 e2 e3 e4 e5'

test.each<[command: string, code: number, words: string, left: string, answer?: string]>([
  ['erase ada@bücher.example --yes', 0, 'Removed: enquiries 1', 's1 s2 e1 e2 e3 e4'],
  ['erase vistor@example.com --yes', 1, 'Nothing was erased: check the address', ALL],
  ['erase visitor@example.com', 1, 'Nothing was erased; pass --yes', ALL],
  ['erase s1', 0, 'Removed: subscribers 1', 's2 e1 e2 e3 e4 e5', ' Yes\n'],
  ['erase s1', 1, 'Nothing was erased.', ALL, '\n'],
])('%s exits with %i: row %#', async (command, code, words, left, answer) => {
  const terminal = Object.assign(Readable.from([answer ?? '']), { isTTY: answer !== undefined })
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(terminal as unknown as typeof process.stdin)
  process.stderr.isTTY = true
  onTestFinished(() => void vi.restoreAllMocks())
  const stderr = expect.stringContaining(words)
  expect(await leads(database.url, command.split(' '))).toEqual({ code, stdout: '', stderr })
  expect(await storedRows()).toBe(left)
})

test('an erasure leaves no trace of its rows in a file that a server uses', async () => {
  // Unsorted names split the pages of the index, which keep copies of the moved entries.
  const names = Array.from({ length: 2000 }, (_, i) => `${((i * 7919) % 2003).toString(36).padStart(3, '0')}-${i}x`)
  const erased = names.filter((_, i) => i % 100 === 50)
  const daysAgo = (name: string) => (erased.includes(name) ? 400 : 0)
  await database.add({ subscribers: names.map((name) => subscriber(`${name}@example.com`, daysAgo(name))) })
  const stored = () => ['', '-journal'].map((suffix) => readFileSync(database.file + suffix, 'latin1')).join()
  const traces = () => erased.filter((name) => stored().includes(name))
  expect(traces()).toEqual(erased)
  await leads(database.url, ['daily'], { KEEP_SUBSCRIBERS_DAYS: '365' })
  expect(traces()).toEqual([])
})
