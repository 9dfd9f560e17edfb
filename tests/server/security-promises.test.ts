import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('each promise of SECURITY.md names a test that runs, by its file and its whole title', () => {
  const rows = readFileSync('SECURITY.md', 'utf8').match(/^\| (?!promise |---).+\|$/gm) ?? []
  const isHeld = (row: string) => {
    const [, file = '', title = ''] = /^\| .+ \| `(tests\/.+?)`: (.+) \|$/.exec(row) ?? []
    const source = file && readFileSync(file, 'utf8')
    const isWhole = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote},`))
    return isWhole && !/\.(skip|todo|only)\b/.test(source)
  }
  expect(rows.filter((row) => !isHeld(row))).toEqual([])
  expect(rows.length).toBeGreaterThan(50)
})
