import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadEnvironmentFile, parseEnvironmentFile } from '../../leads/environment-file.ts'
import { UserError } from '../../server/user-error.ts'

const parse = (text: string) => parseEnvironmentFile(text, '/etc/launching-soon.env')

test.each<[string, Record<string, string>]>([
  ["A='postgres://user:a#b$c`d\\e\"f@host/leads'", { A: 'postgres://user:a#b$c`d\\e"f@host/leads' }],
  ['A="it\'s 10/minute 60/hour"', { A: "it's 10/minute 60/hour" }],
  ['A=10/minute 60/hour  ', { A: '10/minute 60/hour' }],
  ['A=abc#def;$HOME\nB=', { A: 'abc#def;$HOME', B: '' }],
  ["\t A_1='a=b'\r\nB=c", { A_1: 'a=b', B: 'c' }],
  ['# A=b\n ; A=c\n\n \t\nA=d\nA=e', { A: 'e' }],
])('%j is read as systemd reads it', (text, values) => {
  expect(parse(text)).toEqual(values)
})

test.each([
  'export A=secret',
  'A =secret',
  "A='secret",
  "A='sec'ret",
  "A='secret' # why",
  "A=it's secret",
  'A=sec\\ret',
  'A="sec\\ret"',
  '# goes on \\\nA=secret',
  '1A=secret',
])('%j, which others may read otherwise, is refused by its number alone', (text) => {
  const message = "Line 3 of /etc/launching-soon.env is not NAME='value'."
  expect(() => parse(`# one\n\n${text}`)).toThrow(new UserError(message))
})

test('the environment goes before the file; one that can not be read is told where nothing else names the database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'env-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'settings.env')
  const env: NodeJS.ProcessEnv = { DATABASE_URL: 'sqlite:mine.db' }
  loadEnvironmentFile(file, env)
  loadEnvironmentFile(folder, env)
  expect(env).toEqual({ DATABASE_URL: 'sqlite:mine.db' })
  writeFileSync(file, "DATABASE_URL='sqlite:its.db'\nNOTIFY_TO='desk@example.com'\n")
  loadEnvironmentFile(file, env)
  expect(env).toEqual({ DATABASE_URL: 'sqlite:mine.db', NOTIFY_TO: 'desk@example.com' })
  const message = new RegExp(`^Can't read ${folder} \\(EISDIR\\): run this as root, or set DATABASE_URL\\.$`)
  expect(() => loadEnvironmentFile(folder, {})).toThrow(message)
})
