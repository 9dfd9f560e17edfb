import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { fillPlaceholders, replaceOnce } from '../../build/html.ts'

const MARKS = ['mock-scenarios', 'panel:hello', 'Last call', 'no scenario']

test('no file of the built page holds anything of the scenario panel', () => {
  const panel = readFileSync('dev/panel.ts', 'utf8')
  for (const mark of MARKS) expect(panel).toContain(mark)

  const files = readdirSync('dist', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toContain('index.html')
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name))
    const text = String(name.endsWith('.br') ? brotliDecompressSync(bytes) : bytes)
    expect(
      [...MARKS, '/dev/'].filter((mark) => text.includes(mark)),
      name,
    ).toEqual([])
  }
})

test('texts of the brand stay texts in the page, whatever signs they have; each has its place, and each place a text', () => {
  const fill = (page: string) => fillPlaceholders(page, { TITLE: `"Water" & <b>'more'</b> for $& %X%` })
  const title = '&quot;Water&quot; &amp; &lt;b&gt;&#39;more&#39;&lt;/b&gt; for $&amp; %X%'
  expect(fill('<title>%TITLE%</title><meta content="%TITLE%">')).toBe(
    `<title>${title}</title><meta content="${title}">`,
  )
  expect(() => fill('<title></title>')).toThrow('index.html: %TITLE% is missing.')
  expect(() => fill('<title>%TITLE%%OTHER%</title>')).toThrow('index.html: there is no value for %OTHER%.')
  expect(() => replaceOnce('a file', '</b></b>', '</b>', '')).toThrow('a file: </b> must be there once, not 2 times.')
})

test('a build fails that would not find the place of the prerendered page', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'build-'))
  onTestFinished(() => rmSync(outDir, { recursive: true }))
  const handler = (html: string) => html.replace('id="root"', 'id="app"')
  const change = { name: 'change', transformIndexHtml: { order: 'pre', handler } } as const
  const built = build({ build: { outDir }, logLevel: 'silent', plugins: [change] })
  await expect(built).rejects.toThrow('index.html: <div id="root"></div> must be there once, not 0 times.')
})
