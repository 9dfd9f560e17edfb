import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, leads, read, store, subscriber } from '../support/server/leads.ts'

const SIGNS = ['=', '+', '-', '@', '\t=', '\r=', '＝', '＋', '－', '＠']
const BEFORE = ['', ' ', '  \u00a0', '\u200b', '\ufeff', 'a\n', 'a\r\n ', 'a\r', 'a\t', 'a;', 'a; "', 'a\u2028']

const MESSAGES = [
  ...BEFORE.flatMap((before) => SIGNS.map((sign) => `${before}${sign}HYPERLINK("http://example.com")`)),
  '\ttab first',
  '\rreturn first',
  `<img src=x onerror="alert(1)">'"</script>`,
  'Bcc: everybody@example.com\r\n\r\nBody',
  '\u001b[2J\u001b]0;title\u0007\u001b[31mred\u009b1m\u0085\u007f\b\v\f',
  'abc\u202edef\u2066ghi\u200f\u061c',
  'W'.repeat(5000),
  '名前 👩‍🚒 a\u0301',
]
const NAMES = ['=1+1', '@SUM(A1)', 'ab\u202ecd', '<b>', "'; drop table enquiries; --"]
const EMAILS = ['=1+1@example.com', '+tag@example.com', '-1@example.com']

/** What a spreadsheet would calculate: a cell, or what it becomes where lines, tabs or semicolons part cells. */
const isLive = (cell: string) =>
  cell
    .split(/[\n\r\v\f\u0085\u2028\u2029\t;]/)
    .some((part) => /^[=+\-@＝＋－＠]/u.test(part.replace(/^[\s"\p{Cf}]+/u, ''))) || /^[\t\r]/.test(cell)

const OBEYED = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

const CONTROL = /(?![\n\t])\p{Cc}/gu

/** What CSV holds for a text. */
const writtenOut = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, (character) => `<U+00${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}>`)

const countIn = (texts: readonly string[], pattern: RegExp) =>
  texts.reduce((count, text) => count + (text.match(pattern) ?? []).length, 0)

describe.each(DATABASES)('what is hostile on %s', (kind) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await makeDatabase(kind)
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

  test('is no live formula in any CSV, and can be read again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
    const file = join(folder, 'enquiries.csv')
    await read(database.url, 'export', 'enquiries', '--out', file)
    const exported: string[][] = parse(readFileSync(file))
    const texts = [
      readFileSync(file, 'utf8'),
      await read(database.url, 'list', 'enquiries', '--csv', '--limit', '999'),
      await read(database.url, 'export', 'subscribers'),
      (await leads(database.url, ['export', 'enquiries'], {}, true)).stdout,
    ]
    rmSync(folder, { recursive: true })
    const cells = texts.flatMap((text): string[] => parse(text).flat())
    const live = cells.filter(isLive)
    console.log(`formulas on ${kind}: ${cells.length} cells, ${live.length} live`)
    expect(live).toEqual([])
    const messages = exported.slice(1).map((row) => row[5] ?? '')
    expect(messages.slice(0, MESSAGES.length).map((text) => text.replaceAll("'", ''))).toEqual(
      MESSAGES.map((text) => writtenOut(text).replaceAll("'", '')),
    )
    // Through a pipe to `head` it may reach a terminal. CSV parts rows with both characters.
    expect(countIn(texts.join('').split('\r\n'), CONTROL)).toBe(0)
  })

  test('is shown on a terminal, and never obeyed', async () => {
    const ids = Array.from(MESSAGES, (_, i) => `e${i + 1}`).slice(-7)
    const runs = [
      ['list', 'enquiries', '--limit', '999'],
      ['list', 'enquiries', '--limit', '999', '--json'],
      ['list', 'enquiries', '--limit', '999', '--csv'],
      ['export', 'enquiries'],
      ...ids.map((id) => ['show', id]),
    ]
    const shown = await Promise.all(runs.map((args) => leads(database.url, args, {}, true)))
    const texts = shown.flatMap(({ stdout, stderr }) => [stdout.replaceAll('\r\n', '\n'), stderr])
    const raw = countIn(texts, OBEYED)
    console.log(`terminal on ${kind}: ${runs.length} commands, ${raw} raw control characters`)
    expect(shown.map(({ code }) => code)).toEqual(runs.map(() => 0))
    expect(raw).toBe(0)
    const piped = await read(database.url, 'list', 'enquiries', '--limit', '999')
    expect(countIn([piped], OBEYED)).toBe(0)
    expect(piped).toContain('<U+001B>[2J')
    expect(piped.split('\n').length).toBe(MESSAGES.length + NAMES.length + EMAILS.length + 2)
    expect(Math.max(...piped.split('\n').map((line) => line.length))).toBeLessThan(200)
  })

  test('comes back from JSON as it was', async () => {
    const rows: { message: string }[] = JSON.parse(
      await read(database.url, 'list', 'enquiries', '--limit', '999', '--json'),
    )
    expect(
      rows
        .map(({ message }) => message)
        .toReversed()
        .slice(0, MESSAGES.length),
    ).toEqual(MESSAGES)
  })

  test('fills only its own lines where it is shown whole', async () => {
    const message = 'One\nemail: forged@example.com\r\nTwo'
    await store(database, { enquiries: [enquiry({ message })] })
    const [newest]: { id: number }[] = JSON.parse(
      await read(database.url, 'list', 'enquiries', '--json', '--limit', '1'),
    )
    const shown = await read(database.url, 'show', `e${newest?.id}`)
    expect(shown.match(/^email: .+$/gm)).toEqual(['email: visitor@example.com'])
    expect(shown).toContain('message: One\n  email: forged@example.com\n  Two\n')
  })
})
