import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'

const MARKS = ['mock-scenarios', 'panel:hello', 'Last call', 'as always']

const textOf = (file: string) => {
  const bytes = readFileSync(file)
  return String(file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes)
}

test('no file of the built page holds anything of the scenario panel', () => {
  const panel = readFileSync('dev/panel.ts', 'utf8')
  for (const mark of MARKS) expect(panel).toContain(mark)

  const files = readdirSync('dist', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toContain('index.html')
  for (const { parentPath, name } of files) {
    const text = textOf(join(parentPath, name))
    for (const mark of [...MARKS, '/dev/']) expect(text.includes(mark), `${name} holds ${mark}`).toBe(false)
  }
})
