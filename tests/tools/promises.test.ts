import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(file, 'utf8')

const sourceOf = (name: string) =>
  globSync(name === 'conformance' ? 'conformance/*-rules.ts' : `tests/${name}.test.{ts,tsx}`)
    .map(read)
    .join('')

const [behaviour = '', contract = ''] = read('docs/promises.md').split('## The contract')

/** The rows of a table: the beginning of each promise, and its tests. */
const rowsOf = (table: string) =>
  [...table.matchAll(/^\| (?!promise|-)(.+?) \| ([\w/-]+: .+) \|$/gm)].map(([, promise = '', tests = '']) => ({
    promise,
    tests,
  }))

test('each test that the promises name exists', () => {
  const rows = [...rowsOf(behaviour), ...rowsOf(contract)]
  expect(rows.length).toBeGreaterThan(100)
  const missing = rows.flatMap(({ promise, tests }) =>
    tests
      .split(' · ')
      .filter((each) => {
        const [, name = '', title = ''] = /^([\w/-]+): (.+)$/.exec(each) ?? []
        const source = sourceOf(name).replaceAll("\\'", "'")
        return name === 'conformance' ? !source.includes(`id: '${title}'`) : !source.includes(title)
      })
      .map((each) => `${promise}: ${each}`),
  )
  expect(missing).toEqual([])
})

test('each list item and each table row of behaviour.md has its tests', () => {
  const starts = rowsOf(behaviour).map(({ promise }) => promise)
  const promises = [...read('docs/behaviour.md').matchAll(/^(?:- |\| (?!status|outcome|-))(.+)/gm)].map(
    ([, text = '']) => text,
  )
  expect(promises.filter((text) => !starts.some((start) => text.startsWith(start)))).toEqual([])
  expect(starts.filter((start) => !read('docs/behaviour.md').includes(start))).toEqual([])
})

test('each promise of the contract is in openapi.yaml', () => {
  const text = read('openapi.yaml').replace(/\s+/g, ' ')
  const missing = rowsOf(contract).map(({ promise }) => promise.replaceAll('\\|', '|'))
  expect(missing.filter((start) => !text.includes(start))).toEqual([])
})
