import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { escapeControls } from '../../server/escape-controls.ts'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { databaseWith, enquiry, read, subscriber } from '../support/server/leads.ts'

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
const EMAILS = ['=x@example.com', '-anna@example.com', '+list@example.com']

/** What a spreadsheet would calculate: a cell, or what it becomes where lines, tabs or semicolons part cells. */
const isLive = (cell: string) =>
  cell
    .split(/[\n\r\v\f\u0085\u2028\u2029\t;]/)
    .some((part) => /^[=+\-@＝＋－＠]/u.test(part.replace(/^[\s"\p{Cf}]+/u, ''))) || /^[\t\r]/.test(cell)

/** What a terminal would obey. */
const OBEYED = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

const database = databaseWith({
  subscribers: EMAILS.map((email) => subscriber(email)),
  enquiries: [
    ...MESSAGES.map((message) => enquiry({ message })),
    ...NAMES.map((name) => enquiry({ first_name: name, last_name: name })),
    ...EMAILS.map((email) => enquiry({ email })),
  ],
})

const LIST = ['list', 'enquiries', '--limit', '999']

const rowsOf = (csv: string, delimiter = ','): string[][] => parse(csv, { delimiter })

test('no cell of a CSV is a live formula, but an address stays as it was typed', async () => {
  const rows = rowsOf(await read(database.url, 'export', 'enquiries'))
  expect(rows[0]).toEqual(['id', 'created_at', ...Object.keys(columnsOf(anEnquiry()))])
  expect(rows.flatMap((row) => row.toSpliced(4, 1)).filter(isLive)).toEqual([])
  expect(rows.map((row) => row[4]).slice(-3)).toEqual(EMAILS)
  expect(rowsOf(await read(database.url, 'export', 'subscribers')).map((row) => row[2])).toEqual(['email', ...EMAILS])
})

test('a CSV is obeyed by no terminal, and can be read again', async () => {
  const csv = await read(database.url, 'export', 'enquiries')
  const messages = rowsOf(csv).map((row) => row.at(-1)?.replaceAll("'", ''))
  expect(messages.slice(1, MESSAGES.length + 1)).toEqual(
    MESSAGES.map((text) => escapeControls(text).replaceAll("'", '')),
  )
  // CSV parts rows with both characters.
  expect(csv.replaceAll('\r\n', '').replaceAll('\t', '')).not.toMatch(OBEYED)
})

test('the file for Excel is UTF-16 with tabs, and has no live formula at all', async () => {
  const file = `${database.file}.csv`
  await read(database.url, 'export', 'enquiries', '--excel', '--out', file)
  const text = readFileSync(file, 'utf16le')
  expect(text.charAt(0)).toBe('\ufeff')
  const rows = rowsOf(text.slice(1), '\t')
  expect(rows.flat().filter(isLive)).toEqual([])
  expect(rows.map((row) => row[4]).slice(-3)).toEqual(EMAILS.map((email) => `'${email}`))
  const plain = rowsOf(await read(database.url, 'export', 'enquiries'))
  expect(rows.map((row) => row.at(-1))).toEqual(plain.map((row) => row.at(-1)))
})

test('a text is shown on a terminal and never obeyed, and unchanged in JSON', async () => {
  const shows = Array.from(MESSAGES, (_, i) => ['show', `e${i + 1}`]).slice(-6)
  for (const args of [LIST, [...LIST, '--json'], ...shows])
    expect(await read(database.url, ...args)).not.toMatch(OBEYED)
  const rows: { message: string }[] = JSON.parse(await read(database.url, ...LIST, '--json'))
  expect(rows.map(({ message }) => message).toReversed()).toEqual(expect.arrayContaining(MESSAGES))
})

test('a row stays on one line of a list, whatever it holds', async () => {
  const lines = (await read(database.url, ...LIST)).split('\n')
  expect(lines.join()).toContain('<U+001B>[2J')
  expect(lines.length).toBe(MESSAGES.length + NAMES.length + EMAILS.length + 2)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200)
})

test('a text fills only its own lines where it is shown whole', async () => {
  const shown = await read(database.url, 'show', `e${MESSAGES.findIndex((text) => text.includes('forged')) + 1}`)
  expect(shown.match(/^email: .+$/gm)).toEqual(['email: visitor@example.com'])
  expect(shown).toContain('message: One\n  email: forged@example.com\n  Two\n')
})
