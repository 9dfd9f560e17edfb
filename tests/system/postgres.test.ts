import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, inject, onTestFinished, test } from 'vitest'
import { VISITOR_TABLES } from '../../server/storage/database.ts'
import { enquiry, makeDatabase, subscriber } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { query } from '../support/server/postgres.ts'

test('to-postgres.load replaces all rows by those of SQLite, and new rows get new ids', async () => {
  const [source, target] = [await makeDatabase('sqlite'), await makeDatabase('postgres')]
  onTestFinished(() => source.remove().then(target.remove))
  const texts = ['One\r\n\u202e"Two"', '\\N', '\\.\n\\t \\\\', '\t\u0001\u0007', '名前 👩‍🚒 e\u0301', '', ' ', 'NULL']
  await source.add({
    subscribers: [subscriber('one@example.com', 3), { ...subscriber('+Two@example.com'), id: 70 }],
    enquiries: texts.map((text) =>
      enquiry({ message: text, first_name: text, mail_attempts: 2, mail_error: 'DATA 451' }),
    ),
  })
  const env = { ...process.env, SQLITE_FILE: source.file, POSTGRES_URL: target.url }
  // The tables are as after an earlier attempt that failed halfway.
  await target.add({ subscribers: [subscriber('earlier@example.com')] })
  execFileSync('pgloader', ['deploy/to-postgres.load'], { env, stdio: 'pipe' })
  for (const table of VISITOR_TABLES) {
    expect(await target.rows(table)).toEqual(await source.rows(table))
  }
  await target.add({ subscribers: [subscriber('new@example.com')] })
  expect((await target.rows('subscribers')).map(({ id }) => id)).toEqual([1, 70, 71])
})

test('the roles in docs/scaling.md are enough for a server and for readers', async () => {
  const urlOf = (user: object) =>
    Object.assign(new URL(inject('postgresUrl')), { pathname: '/launching_soon', ...user }).href
  let url = inject('postgresUrl')
  const text = readFileSync('docs/scaling.md', 'utf8')
  for (const line of text.match(/^ {4}(create role|create database|\\connect|grant|alter) .*$/gm) ?? []) {
    if (line.includes('\\connect')) url = urlOf({})
    else await query(url, line)
  }
  const DATABASE_URL = urlOf({ username: 'launching_soon', password: 'PASSWORD' })
  expect(await leads(DATABASE_URL, ['make-tables'])).toMatchObject({ code: 0 })
  const reader = urlOf({ username: 'leads_reader', password: 'OTHER' })
  expect(await leads(reader, ['export', 'subscribers'])).toMatchObject({ code: 0 })
})
