import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, test } from 'vitest'

type Listed = { readonly name: string; readonly file: string }

test('each promise of SECURITY.md names a test that runs, by its file and its whole title', () => {
  const rows = readFileSync('SECURITY.md', 'utf8').match(/^\| (?!promise |---).+\|$/gm) ?? []
  const named = rows.map((row) => /^\| .+ \| `(tests\/.+?)`: (.+) \|$/.exec(row)?.slice(1).join(': ') ?? row)
  const files = new Set(named.map((name) => name.split(': ')[0] ?? ''))
  // Without those that are skipped.
  const vitest = ['node_modules/vitest/vitest.mjs', 'list', ...files, '--static-parse', '--json']
  const list = execFileSync(process.execPath, vitest, { encoding: 'utf8' })
  const tests: Listed[] = JSON.parse(list)
  const running = tests.map(({ file, name }) => `${relative('.', file)}: ${name.split(' > ').at(-1)}`)
  expect(named.filter((name) => !running.includes(name))).toEqual([])
  expect(named.length).toBeGreaterThan(50)
})
