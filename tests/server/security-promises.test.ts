import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const promises = [...readFileSync('SECURITY.md', 'utf8').matchAll(/^\| (.+?) \| `(tests\/.+?)`(?:: (.+))? \|$/gm)]

test.each(promises.map(([, promise = '', file = '', title = '']) => [promise, file, title]))(
  'SECURITY.md names a test that there is for: %s',
  (_, file, title) => {
    const source = readFileSync(file, 'utf8')
    // As a whole: a title that says more, or less, promises something else.
    expect(['"', "'", '`'].some((quote) => source.includes(quote + title + quote))).toBe(true)
  },
)

test('every promise of SECURITY.md names one', () => {
  const rows = readFileSync('SECURITY.md', 'utf8').match(/^\| (?!promise|-)|^\|(?=---)/gm) ?? []
  expect(promises.length).toBe(rows.length - 3)
  expect(promises.length).toBeGreaterThan(20)
})
