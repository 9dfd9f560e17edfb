import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { contractError } from '../../dev/diagnostics.ts'
import { CONTRACT } from '../../dev/mock.ts'

const original = readFileSync(CONTRACT, 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'diagnostic-'))
const file = join(folder, 'openapi.yaml')
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['a typo', 'operationId: subscribe', 'operationId subscribe', 'Implicit keys'],
  ['a broken reference', "schemas/Subscription'", "schemas/Subscripton'", "Can't resolve $ref"],
  ['an alias of nothing', '{ success: true, email_exists: true }', '*nothing', 'unidentified alias'],
  ['an invalid schema', 'maxLength: 254', 'maxLength: long', 'integer'],
  ['an example that violates its schema', 'email_exists: true }', 'email_exists: 1 }', 'boolean'],
])('%s is reported with its line and the lines around it', async (_what, from, to, said) => {
  const line = original.slice(0, original.indexOf(from)).split('\n').length
  const lines = original.replace(from, to).split('\n')
  writeFileSync(file, lines.join('\n'))
  const { frame, ...diagnostic } = (await contractError(file)) ?? { frame: '' }
  expect(diagnostic).toMatchObject({ line, message: expect.stringContaining(said) })
  expect(frame.split('\n')[0]?.trim()).toBe(`${line - 2} | ${lines[line - 3]}`)
  expect(frame).toContain(` ${line} | ${lines[line - 1]}\n`)
})

test.each([
  ['', 'Document must be JSON object, got undefined'],
  ['- a list', 'Document must be JSON object, got object'],
  [null, 'The file is gone.'],
])('a file that holds %j is not a contract', async (text, message) => {
  if (text === null) rmSync(file)
  else writeFileSync(file, text)
  expect(await contractError(file)).toMatchObject({ line: 1, column: 1, message })
})
