import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { databaseWith, enquiry, read, subscriber } from '../support/server/leads.ts'

const SIGNS = ['=', '+', '-', '@', '\t=', '\r=', '＝', '＠']
const TEXTS_BEFORE_SIGN = ['', '  \u00a0', '\u200b', 'a\n', 'a\r\n ', 'a\r', 'a\t', 'a; "', 'a\u2028']
const MESSAGES = [
  'One\nemail: forged@example.com\r\nTwo',
  ...TEXTS_BEFORE_SIGN.flatMap((text) => SIGNS.map((sign) => `${text}${sign}HYPERLINK("http://example.com")`)),
  '\ttab first',
  '\u001b[2J\u001b]0;title\u0007\u001b[31mred\u009b1m\u0085\u007f\b\v\f',
  'abc\u202edef\u2066ghi\u200f\u061c',
  'W'.repeat(5000),
]
/** A spreadsheet would read numbers and dates. */
const DIGITS = ['0012345678', '12345678901234567890', '1e5', '1-2', '12:30', '-3', '10 %']
const EMAILS = ['=x@example.com', '-anna@example.com', '+list@example.com']

const database = databaseWith({
  subscribers: EMAILS.map((email) => subscriber(email)),
  enquiries: [
    ...[...MESSAGES, ...DIGITS].map((message) => enquiry({ message })),
    ...EMAILS.map((email) => enquiry({ email, first_name: '=1+1', last_name: 'ab\u202ecd' })),
  ],
})

/** Whether a spreadsheet would calculate a cell, or a part of it if lines, tabs or semicolons separate cells. */
function isLive(cell: string): boolean {
  const parts = cell.split(/[\n\r\v\f\u0085\u2028\u2029\t;]/)
  return /^[\t\r]/.test(cell) || parts.some((part) => /^[\s"\p{Cf}]*[=+\-@＝＋－＠]/u.test(part))
}

/** Control characters that a terminal would act on. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

const rowsOf = (csv: string, delimiter = ','): string[][] => parse(csv, { delimiter })

test('no cell of a CSV is a live formula, except addresses, which stay as typed', async () => {
  const rows = rowsOf(await read(database.url, 'export', 'enquiries'))
  expect(rows.flatMap((row) => row.toSpliced(4, 1)).filter(isLive)).toEqual([])
  expect(rows.map((row) => row[4]).slice(-3)).toEqual(EMAILS)
  expect(rowsOf(await read(database.url, 'export', 'subscribers')).map((row) => row[2])).toEqual(['email', ...EMAILS])
})

test('the plain CSV has every field of a row, with its time in UTC', async () => {
  const [header, row] = rowsOf(await read(database.url, 'export', 'enquiries'))
  const times = (await database.rows('enquiries')).map(({ created_at }) => created_at)
  const fields = columnsOf(anEnquiry({ message: 'One\nemail: forged@example.com\nTwo' }))
  expect(header).toEqual(['id', 'created_at', ...Object.keys(fields)])
  expect(row).toEqual(['1', times[0], ...Object.values(fields)])
})

test('the file for Excel is UTF-16 with tabs, and has no live formula at all', async () => {
  const text = await read(database.url, 'export', 'enquiries', '--excel')
  expect(text.charAt(0)).toBe('\ufeff')
  const rows = rowsOf(text.slice(1), '\t')
  expect(rows.flat().filter(isLive)).toEqual([])
  expect(rows.map((row) => row[4]).slice(-3)).toEqual(EMAILS.map((email) => `'${email}`))
  const digits = rows.map((row) => row[5]).filter((text) => DIGITS.some((each) => text?.endsWith(each)))
  expect(digits).toEqual(DIGITS.map((text) => `'${text}`))
})

test('no output contains control characters for a terminal', async () => {
  expect(await read(database.url, 'export', 'enquiries', '--json')).not.toMatch(CONTROLS)
  // CSV separates rows with both characters.
  const csv = (await read(database.url, 'export', 'enquiries')).replaceAll('\r\n', '').replaceAll('\t', '')
  expect(csv).not.toMatch(CONTROLS)
})
