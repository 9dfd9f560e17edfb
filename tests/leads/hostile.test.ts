import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { escapeControls } from '../../server/escape-controls.ts'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, read, store, subscriber } from '../support/server/leads.ts'

const SIGNS = ['=', '+', '-', '@', '\t=', '\r=', '＝', '＠']
const BEFORE = ['', '  \u00a0', '\u200b', 'a\n', 'a\r\n ', 'a\r', 'a\t', 'a; "', 'a\u2028']

const MESSAGES = [
  ...BEFORE.flatMap((before) => SIGNS.map((sign) => `${before}${sign}HYPERLINK("http://example.com")`)),
  '\ttab first',
  '\rreturn first',
  `<img src=x onerror="alert(1)">'"</script>`,
  'One\nemail: forged@example.com\r\nTwo',
  '\u001b[2J\u001b]0;title\u0007\u001b[31mred\u009b1m\u0085\u007f\b\v\f',
  'abc\u202edef\u2066ghi\u200f\u061c',
  'W'.repeat(5000),
  '名前 👩‍🚒 a\u0301',
]
const NAMES = ['=1+1', 'ab\u202ecd', "'; drop table enquiries; --"]
const EMAILS = ['=1+1@example.com', '-1@example.com']

/** What a spreadsheet would calculate: a cell, or what it becomes where lines, tabs or semicolons part cells. */
const isLive = (cell: string) =>
  cell
    .split(/[\n\r\v\f\u0085\u2028\u2029\t;]/)
    .some((part) => /^[=+\-@＝＋－＠]/u.test(part.replace(/^[\s"\p{Cf}]+/u, ''))) || /^[\t\r]/.test(cell)

/** What a terminal would obey. */
const OBEYED = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

let database: TestDatabase
beforeAll(async () => {
  database = await makeDatabase('sqlite')
  await store(database, {
    subscribers: EMAILS.map((email) => subscriber(email)),
    enquiries: [
      ...MESSAGES.map((message) => enquiry({ message })),
      ...NAMES.map((name) => enquiry({ first_name: name, last_name: name })),
      ...EMAILS.map((email) => enquiry({ email })),
    ],
  })
})
afterAll(() => database.remove())

const LIST = ['list', 'enquiries', '--limit', '999']

test('is no live formula in any CSV, obeyed by no terminal, and can be read again', async () => {
  const csv = await read(database.url, 'export', 'enquiries')
  const subscribers = await read(database.url, 'export', 'subscribers')
  const [head, ...rows]: string[][] = parse(csv)
  expect(head).toEqual(['id', 'created_at', ...Object.keys(columnsOf(anEnquiry()))])
  expect([...rows.flat(), ...parse(subscribers).flat()].filter(isLive)).toEqual([])
  const messages = rows.slice(0, MESSAGES.length).map((row) => row.at(-1)?.replaceAll("'", ''))
  expect(messages).toEqual(MESSAGES.map((message) => escapeControls(message).replaceAll("'", '')))
  expect(subscribers).toMatch(/^"id","created_at","email"\r\n/)
  // CSV parts rows with both characters.
  expect(csv.replaceAll('\r\n', '').replaceAll('\t', '')).not.toMatch(OBEYED)
  expect(csv).toContain('"abc<U+202E>def<U+2066>ghi<U+200F><U+061C>"')
})

test('is the same for Excel in UTF-16, with tabs between the cells', async () => {
  const file = join(dirname(database.file), 'excel.csv')
  await read(database.url, 'export', 'enquiries', '--excel', '--out', file)
  const text = readFileSync(file, 'utf16le')
  expect(text.charAt(0)).toBe('\ufeff')
  const cells: string[][] = parse(text.slice(1), { delimiter: '\t' })
  expect(cells).toEqual(parse(await read(database.url, 'export', 'enquiries')))
})

test('is shown on a terminal and never obeyed, and comes back from JSON as it was', async () => {
  const shows = Array.from(MESSAGES, (_, i) => ['show', `e${i + 1}`]).slice(-6)
  for (const args of [LIST, [...LIST, '--json'], ...shows])
    expect(await read(database.url, ...args)).not.toMatch(OBEYED)
  const rows: { message: string }[] = JSON.parse(await read(database.url, ...LIST, '--json'))
  expect(rows.map(({ message }) => message).toReversed()).toEqual(expect.arrayContaining(MESSAGES))
  const list = await read(database.url, ...LIST)
  expect(list).toContain('<U+001B>[2J')
  const lines = list.split('\n')
  expect(lines.length).toBe(MESSAGES.length + NAMES.length + EMAILS.length + 2)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200)
})

test('fills only its own lines where it is shown whole', async () => {
  const shown = await read(database.url, 'show', `e${MESSAGES.findIndex((text) => text.includes('forged')) + 1}`)
  expect(shown.match(/^email: .+$/gm)).toEqual(['email: visitor@example.com'])
  expect(shown).toContain('message: One\n  email: forged@example.com\n  Two\n')
})
