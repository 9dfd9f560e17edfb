import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../server/storage/open-database.ts'
import { databaseWith, enquiry, subscriber } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { query } from '../support/server/postgres.ts'

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

test('erase removes every spelling of an address', async () => {
  const stderr = `Found: s1 e1 e3
Erased: 3
Earlier backups contain the erased rows until these backups are deleted.\n`
  const address = 'Visitor <mailto:vISITOR@example.com>'
  expect(await leads(database.url, ['erase', address, '--yes'])).toEqual({ code: 0, stdout: '', stderr })
  expect(await storedRows()).toBe('s2 e2 e4 e5')
})

const ALL = 's1 s2 e1 e2 e3 e4 e5'

test.each<[command: string, code: number, words: string, left: string]>([
  ['erase ada@bücher.example --yes', 0, 'Erased: 1', 's1 s2 e1 e2 e3 e4'],
  ['erase s1 --yes', 0, 'Erased: 1', 's2 e1 e2 e3 e4 e5'],
  ['erase vistor@example.com --yes', 1, 'Nothing was erased: check the address', ALL],
  ['erase visitor@example.com', 1, 'Found: s1 e1 e3\nNothing was erased. To erase them permanently, pass --yes.', ALL],
])('%s exits with %i', async (command, code, words, left) => {
  const stderr = expect.stringContaining(words)
  expect(await leads(database.url, command.split(' '))).toEqual({ code, stdout: '', stderr })
  expect(await storedRows()).toBe(left)
})

/** All bytes of the database. */
const stored = () => ['', '-journal'].map((suffix) => readFileSync(database.file + suffix, 'latin1')).join()

test('in a Turkish database too, erase removes every spelling', async () => {
  const name = `turkish_${crypto.randomUUID().replaceAll('-', '')}`
  const locale = "locale_provider icu icu_locale 'tr' template template0"
  await query(inject('postgresUrl'), `create database ${name} ${locale}`)
  const { href } = new URL(name, inject('postgresUrl'))
  const turkish = await openDatabase({ kind: 'postgres', url: href }, () => {})
  await turkish.run((db) =>
    db
      .insertInto('enquiries')
      .values(enquiry({ email: 'INFO@example.com' }))
      .execute(),
  )
  await turkish.close()
  expect(await leads(href, ['erase', 'info@example.com', '--yes'])).toMatchObject({ code: 0 })
})

test('an erasure by hand leaves no trace of its row in the file', async () => {
  expect(stored()).toContain('Visitor@Example.com')
  await leads(database.url, ['erase', 's1', '--yes'])
  expect(stored()).not.toContain('Visitor@Example.com')
})

test('a deletion by age leaves no trace of its rows in a file that a server uses', async () => {
  // Unsorted names split the pages of the index, which keep copies of the moved entries.
  const names = Array.from({ length: 2000 }, (_, i) => `${((i * 7919) % 2003).toString(36).padStart(3, '0')}-${i}x`)
  const erased = names.filter((_, i) => i % 100 === 50)
  const daysAgo = (name: string) => (erased.includes(name) ? 400 : 0)
  await database.add({ subscribers: names.map((name) => subscriber(`${name}@example.com`, daysAgo(name))) })
  const traces = () => erased.filter((name) => stored().includes(name))
  expect(traces()).toEqual(erased)
  await leads(database.url, ['housekeeping'], { KEEP_SUBSCRIBERS_DAYS: '380' })
  expect(traces()).toEqual([])
})
