import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { settingsOf } from '../../server/setting-names.ts'
import { readSettingsFile } from '../../server/settings-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'settings.env')

function read(content: string | Buffer, names = ['A', 'B']) {
  writeFileSync(file, content)
  return readSettingsFile(file, names)
}

test.each<[line: string, value: string]>([
  ['A=', ''],
  ['A=sqlite:/var/lib/leads.db', 'sqlite:/var/lib/leads.db'],
  [
    'A=postgres://user:pass%20word@host/leads?sslmode=require&a=b',
    'postgres://user:pass%20word@host/leads?sslmode=require&a=b',
  ],
  ["A=''", ''],
  ["A='10/minute 60/hour'", '10/minute 60/hour'],
  ['A=\'pa$word #1 "x" `y` ; é\t𠮷\'', 'pa$word #1 "x" `y` ; é\t𠮷'],
  ['# a remark, a "quote" and $\nA=1', '1'],
  ['\nA=1\n\n', '1'],
])('%j is a setting, also as Node reads it', (line, value) => {
  expect(read(line)).toEqual({ A: value })
  expect(parseEnv(line)).toEqual({ A: value })
})

test.each<[content: string, line: number, words: string]>([
  ['A=1\r\nB=2\r\n', 1, 'ends in CRLF'],
  ['# remark\r\nA=1', 1, 'ends in CRLF'],
  ['A=1\n\nexport B=2', 3, 'begins with export'],
  ['A=1 # remark', 1, 'without a remark behind it'],
  ["A='1' # remark", 1, 'without a remark behind it'],
  ['A=1 ', 1, 'begins or ends with a blank'],
  ['\tA=1', 1, 'begins or ends with a blank'],
  ['A =1', 1, 'a blank before the ='],
  ['A= 1', 1, 'is read differently'],
  ['A=a#b', 1, 'is read differently'],
  ['A="1"', 1, 'is read differently'],
  ['A=pa$word', 1, 'is read differently'],
  ['A=a\\b', 1, 'is read differently'],
  ["A='it''s'", 1, 'is read differently'],
  ["A='1\n2'", 1, 'is read differently'],
  ['; remark', 1, 'is read differently'],
  ['A', 1, 'is read differently'],
  ['# C:\\\nA=1', 1, 'a comment that ends in a backslash'],
  ['# remark\rA=1', 1, 'a control character'],
  ["A='1\0'", 1, 'a control character'],
  ['A=1\nC=2', 2, 'sets C, which is no setting. There are A, B.'],
  ['A=1\na=2', 2, 'sets a, which is no setting.'],
  ['A=1\nA=1', 2, 'sets A again'],
])('%j is refused', (content, line, words) => {
  const message = expect.objectContaining({ message: expect.stringContaining(`Line ${line} of ${file} `) })
  expect(() => read(content)).toThrow(message)
  expect(() => read(content)).toThrow(words)
})

test('what is refused is not repeated, because it may be a password', () => {
  expect(() => read('A=secret"')).toThrow(/^(?!.*secret)/s)
})

test.each([
  ['a byte order mark', Buffer.from('\ufeffA=1'), 'begins with a byte order mark'],
  ['another encoding', Buffer.from('A=é', 'latin1'), 'is not UTF-8'],
])('a file with %s is refused', (_, content, words) => {
  expect(() => read(content)).toThrow(words)
})

test('a file that can not be read is named', () => {
  expect(() => readSettingsFile(folder, [])).toThrow(`Can't read the settings file ${folder}`)
})

test('whatever is accepted means the same to Node', () => {
  const line = fc.string({ unit: fc.constantFrom(...'AB=#\'"`$\\ \t\r\n;xé'.split('')), maxLength: 12 })
  const accepted = fc.property(line, (text) => {
    let settings: Readonly<Record<string, string>>
    try {
      settings = read(`A=${text}`)
    } catch {
      return
    }
    expect(parseEnv(`A=${text}`)).toEqual(settings)
  })
  fc.assert(accepted, { numRuns: 2000 })
})

test('the settings of a file go before those of the environment', () => {
  writeFileSync(file, 'HOST=::1')
  expect(settingsOf({ SETTINGS_FILE: file, HOST: '::', PORT: '1' })).toMatchObject({ HOST: '::1', PORT: '1' })
})
