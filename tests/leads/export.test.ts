import { execFileSync } from 'node:child_process'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { readExport } from '../../server/leads/export.ts'
import { readSettings } from '../../server/settings.ts'
import { FIELD_COLUMNS } from '../../server/storage/database.ts'
import { FIELD_NAMES } from '../../src/domain/enquiry-fields.ts'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { databaseWith, enquiry, subscriber } from '../support/server/databases.ts'
import { read } from '../support/server/leads.ts'

const SIGNS = ['=', '+', '-', '@', '\t=', '\r=', '＝', '＠']
const TEXTS_BEFORE_SIGN = ['', '  \u00a0', '\u200b', 'a\n', 'a\r\n ', 'a\r', 'a\t', 'a; "', 'a\u2028']
const HOSTILE = [
  ...TEXTS_BEFORE_SIGN.flatMap((text) => SIGNS.map((sign) => `${text}${sign}HYPERLINK("http://example.com")`)),
  'One\nemail: forged@example.com\r\nTwo',
  '\ttab first',
  '\u001b[2J\u001b]0;title\u0007\u001b[31mred\u009b1m\u0085\u007f\b\v\f',
  'abc\u202edef\u2066ghi\u200f\u061c',
]
/** Texts that a spreadsheet would turn into numbers or dates. */
const DIGITS = ['0012345678', '12345678901234567890', '1e5', '1-2', '12:30', '-3', '10 %']
const EMAILS = ['=x@example.com', '-anna@example.com', '+list@example.com']
// In America/St_Johns summer time begins on 2024-03-10 at 2:00, 5:30 in UTC: that day has 23 hours.
const CREATED = ['2024-03-10T03:29:00.000Z', '2024-03-10T03:31:00.000Z', '2024-03-10T06:15:15.123Z']
const MESSAGES = [...DIGITS, ...HOSTILE]

const database = databaseWith({
  subscribers: EMAILS.map((email, i) => subscriber(email, 30 * i)),
  enquiries: [
    ...CREATED.map((created_at) => enquiry({ created_at })),
    ...MESSAGES.map((text) => enquiry({ message: text, first_name: '=1+1', last_name: text, email: '=x@example.com' })),
  ],
})

/** Whether a spreadsheet would calculate a cell. Some split it at line breaks, tabs and semicolons, so each part counts. */
function isLive(cell: string): boolean {
  const parts = cell.split(/[\n\r\v\f\u0085\u2028\u2029\t;]/)
  return /^[\t\r]/.test(cell) || parts.some((part) => /^[\s"\p{Cf}]*[=+\-@＝＋－＠]/u.test(part))
}

/** Control characters that a terminal would act on. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

const rowsOf = (csv: string, delimiter = ','): string[][] => parse(csv, { delimiter })

test('the plain CSV has UTC times, and no formula except in unchanged addresses', async () => {
  const [header = [], first, ...rows] = rowsOf(await read(database.url, 'export', 'enquiries'))
  expect(header).toEqual(['enquiry', 'created_at', ...FIELD_NAMES.map((name) => FIELD_COLUMNS[name])])
  const cells = Object.fromEntries(header.map((column, index) => [column, first?.[index]]))
  expect(cells).toEqual({ enquiry: 'e1', created_at: CREATED[0], ...columnsOf(anEnquiry()) })
  const email = header.indexOf('email')
  expect(rows.at(-1)?.[email]).toBe('=x@example.com')
  expect(rows.flatMap((row) => row.toSpliced(email, 1)).filter(isLive)).toEqual([])
  const subscribers = rowsOf(await read(database.url, 'export', 'subscribers', '--since', '7d'))
  expect(subscribers.map((row) => row.at(-1))).toEqual(['email', EMAILS[0]])
})

test('the file for Excel is UTF-16 with tabs, without live formulas, and keeps zeros', async () => {
  const text = await read(database.url, 'export', 'enquiries', '--excel')
  expect(text.charAt(0)).toBe('\ufeff')
  const rows = rowsOf(text.slice(1), '\t')
  expect(rows.flat().filter(isLive)).toEqual([])
  const message = rows[0]?.indexOf('message') ?? -1
  expect(rows.slice(4, 4 + DIGITS.length).map((row) => row[message])).toEqual(DIGITS.map((digits) => `'${digits}`))
})

test('no output has a control character, and JSON has every text unchanged', async () => {
  const json = await read(database.url, 'export', 'enquiries', '--json')
  // Line breaks separate rows of CSV, and its texts may contain tabs.
  const csv = (await read(database.url, 'export', 'enquiries')).replaceAll('\r\n', '').replaceAll('\t', '')
  for (const output of [json, csv]) expect(output).not.toMatch(CONTROLS)
  expect(
    JSON.parse(json)
      .map((row: { message: string }) => row.message)
      .slice(3),
  ).toEqual(MESSAGES)
})

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  // Enough rows for several pages. PostgreSQL moves a changed row behind the others.
  const many = databaseWith(
    { subscribers: Array.from({ length: 200 }, (_, i) => subscriber(`${i}@example.com`)) },
    kind,
  )
  const names = (count: number) => Array.from({ length: count }, (_, i) => `s${i + 1}`)

  test('an export has all rows once, in the order in which they were stored', async () => {
    await many.run((db) => db.updateTable('subscribers').set({ email: 'new' }).where('id', '=', 1).execute())
    const [, ...rows] = rowsOf(await read(many.url, 'export', 'subscribers'))
    expect(rows.map(([name]) => name)).toEqual(names(200))
    const json = JSON.parse(await read(many.url, 'export', 'subscribers', '--json'))
    expect(json.map((row: { subscriber: string }) => row.subscriber)).toEqual(names(200))
  })

  test('servers can store rows during an export, which does not contain those rows', async () => {
    const { DATABASE_URL } = readSettings({ DATABASE_URL: many.url })
    let csv = ''
    for await (const part of readExport(DATABASE_URL, 'subscribers', {})) {
      csv += part
      await many.add({ subscribers: [subscriber(`${csv.length}@example.com`)] })
    }
    expect(rowsOf(csv)).toHaveLength(201)
    expect((await many.rows('subscribers')).length).toBeGreaterThan(202)
  })
})

test('an export without rows is a header, or an empty list', async () => {
  const EMPTY = ['export', 'subscribers', '--since', '0d']
  expect(await read(database.url, ...EMPTY)).toBe('"subscriber","created_at","email"\r\n')
  expect(JSON.parse(await read(database.url, ...EMPTY, '--json'))).toEqual([])
})

test('the file for Excel has local times', () => {
  const args = ['server/leads/main.ts', 'export', 'enquiries', '--excel']
  const env = { ...process.env, DATABASE_URL: database.url, TZ: 'America/St_Johns' }
  const text = execFileSync(process.execPath, args, { env, encoding: 'utf16le' })
  const cells = text.match(/(?<=\t")20[^"]+|created_at[^"]+/g)?.slice(0, 4)
  expect(cells).toEqual([
    'created_at (America/St_Johns)',
    '2024-03-09 23:59:00',
    '2024-03-10 00:01:00',
    '2024-03-10 03:45:15',
  ])
})
