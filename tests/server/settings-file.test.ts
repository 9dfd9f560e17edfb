import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { settingsOf } from '../../server/setting-names.ts'
import { readSettingsFile } from '../../server/settings-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'settings.env')

function read(content: string | Buffer) {
  writeFileSync(file, content)
  return readSettingsFile(file, ['A', 'B'])
}

test.each([
  ['A=', ''],
  ['A=postgres://user:pass%20word@host/leads?a=b&c', 'postgres://user:pass%20word@host/leads?a=b&c'],
  ['A=\'pa$word #1 "x" `y` ; é\t𠮷\'', 'pa$word #1 "x" `y` ; é\t𠮷'],
  ['# a comment, a "quote" and $\n\nA=1\n', '1'],
])('%j is read as Node reads it', (content, value) => {
  expect([read(content), parseEnv(content)]).toEqual([{ A: value }, { A: value }])
})

const AMBIGUOUS = [
  'A= 1',
  'A=a#b',
  'A="1"',
  'A=pa$word',
  'A=`a`',
  'A=a\\b',
  "A='it''s'",
  "A='1\n2'",
  "A='1' # c",
  '; c',
]

test.each<[content: string | Buffer, words: string]>([
  ...AMBIGUOUS.map((line): [string, string] => [line, 'Line 1 of FILE is read differently']),
  ['A=1\r\nB=2\r\n', 'Line 1 of FILE ends in CRLF'],
  ['A=1\n\nexport B=2', 'Line 3 of FILE begins with export'],
  ['A=1 ', 'Line 1 of FILE begins or ends with a blank'],
  ['A =1', 'Line 1 of FILE has a blank before the ='],
  ['# C:\\\nA=1', 'Line 1 of FILE is a comment that ends in a backslash'],
  ["A='1\0'", 'Line 1 of FILE holds a control character'],
  ['A=1\nC=2', 'Line 2 of FILE sets C, which is no setting. There are A, B.'],
  ['A=1\nA=1', 'Line 2 of FILE sets A again'],
  ['\ufeffA=1', 'FILE begins with a byte order mark'],
  [Buffer.from('A=é', 'latin1'), 'FILE is not UTF-8'],
])('%j fails: %s', (content, words) => {
  expect(() => read(content)).toThrow(words.replace('FILE', file))
})

test('the error does not repeat a refused line, which may contain a password', () => {
  expect(() => read('A=secret"')).toThrow(/^(?!.*secret)/s)
})

test('the settings of a file override the settings of the environment', () => {
  writeFileSync(file, 'HOST=::1')
  expect(settingsOf({ SETTINGS_FILE: file, HOST: '::', PORT: '1' })).toMatchObject({ HOST: '::1', PORT: '1' })
})
