import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { databaseWith, enquiry, subscriber } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { query } from '../support/server/postgres.ts'

const database = databaseWith({
  subscribers: [subscriber('Visitor@Example.com'), subscriber('other@example.com')],
  enquiries: [
    ...['VISITOR@example.com', 'other@example.com', 'visitor@EXAMPLE.COM'].map((email) => enquiry({ email })),
    enquiry({ email: 'visitor@example.community', message: 'Ask Visitor@example.com.' }),
    enquiry({ email: 'ada@xn--bcher-kva.example' }),
  ],
})

const ALL = 's1 s2 e1 e2 e3 e4 e5'

test.each<[command: string, code: number, words: string, left: string]>([
  ['erase <vISITOR@example.com> --yes', 0, 'Found: s1 e1 e3\nErased: 3\nEarlier backups contain', 's2 e2 e4 e5'],
  ['erase ada@bücher.example --yes', 0, 'Erased: 1', 's1 s2 e1 e2 e3 e4'],
  ['erase s1 --yes', 0, 'Erased: 1', 's2 e1 e2 e3 e4 e5'],
  ['erase visitor@example.com', 1, 'Found: s1 e1 e3\nNothing was erased. To erase them permanently, pass --yes.', ALL],
])('the command %s exits with %i', async (command, code, words, left) => {
  const stderr = expect.stringContaining(words)
  expect(await leads(database.url, command.split(' '))).toEqual({ code, stdout: '', stderr })
  const subscribers = (await database.rows('subscribers')).map(({ id }) => `s${id}`)
  const enquiries = (await database.rows('enquiries')).map(({ id }) => `e${id}`)
  expect([...subscribers, ...enquiries].join(' ')).toBe(left)
})

test('erase removes all spellings of an address, even in a database in Turkish', async () => {
  const name = `turkish_${crypto.randomUUID().replaceAll('-', '')}`
  const locale = "locale_provider icu icu_locale 'tr' template template0"
  await query(inject('postgresUrl'), `create database ${name} ${locale}`)
  const { href } = new URL(name, inject('postgresUrl'))
  await leads(href, ['make-tables'])
  const values = "('info@example.com', 'INFO@example.com', 'now'), ('other', 'Info@example.com', 'now')"
  await query(href, `insert into subscribers (email_key, email, created_at) values ${values}`)
  await leads(href, ['erase', 'info@example.com', '--yes'])
  expect(await query(href, 'select email from subscribers')).toEqual([])
})

test.each([
  { by: 'hand', command: 'erase old@example.com --yes' },
  { by: 'age', command: 'housekeeping' },
])('a deletion by $by leaves no trace of its row in a file that a server uses', async ({ command }) => {
  await database.add({ subscribers: [subscriber('old@example.com', 400)] })
  const stored = () => ['', '-journal'].map((suffix) => readFileSync(database.file + suffix, 'latin1')).join()
  expect(stored()).toContain('old@example.com')
  await leads(database.url, command.split(' '), { KEEP_SUBSCRIBERS_DAYS: '380' })
  expect(stored()).not.toContain('old@example.com')
})
