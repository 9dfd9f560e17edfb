import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { build, createServer } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fillPlaceholders } from '../../build/html.ts'

const MARKS = ['mock-scenarios', 'panel:hello', 'Last call', 'no scenario']

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

test('texts of the brand stay texts in the page, whatever signs they have', () => {
  const page = '<title>%TITLE%</title><meta content="%TITLE%">'
  expect(fillPlaceholders(page, { TITLE: `"Water" & <b>'more'</b> for $& %X%` })).toBe(
    '<title>&quot;Water&quot; &amp; &lt;b&gt;&#39;more&#39;&lt;/b&gt; for $&amp; %X%</title>' +
      '<meta content="&quot;Water&quot; &amp; &lt;b&gt;&#39;more&#39;&lt;/b&gt; for $&amp; %X%">',
  )
})

test.each([
  ['<div id="root"></div>', '<div id="app"></div>', '<div id="root"></div> must be there once, not 0 times.'],
  ['</body>', '</body></body>', '</body> must be there once, not 2 times.'],
  ['%THEME_COLOUR%', '#000000', '%THEME_COLOUR% is missing.'],
  ['%THEME_COLOUR%', '%THEME%', 'there is no value for %THEME%.'],
])('a build fails that would not find its place: %s as %s', async (part, changed, told) => {
  const outDir = mkdtempSync(join(tmpdir(), 'build-'))
  onTestFinished(() => rmSync(outDir, { recursive: true }))
  const change = {
    name: 'change',
    transformIndexHtml: { order: 'pre', handler: (html: string) => html.replace(part, changed) },
  } as const
  const built = build({ build: { outDir }, logLevel: 'silent', plugins: [change] }).then(() => 'built')
  await expect(built).rejects.toThrow(`index.html: ${told}`)
})

/** What Vite makes of index.html where the environment names this public origin. */
async function pageOf(origin: string) {
  vi.stubEnv('PUBLIC_ORIGIN', origin)
  const vite = await createServer({
    logLevel: 'error',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
  }).finally(vi.unstubAllEnvs)
  return vite.transformIndexHtml('/', readFileSync('index.html', 'utf8')).finally(() => vite.close())
}

test.each([
  ['https://www.example.com', 'https://www.example.com/card.jpg', 'https://www.example.com/'],
  ['', '/card.jpg', undefined],
])('a build with PUBLIC_ORIGIN=%s names the card %s', async (origin, card, address) => {
  const html = await pageOf(origin)
  expect(/"og:image" content="(.*?)"/.exec(html)?.[1]).toBe(card)
  expect(/"og:url" content="(.*?)"/.exec(html)?.[1]).toBe(address)
})

test('a build with a PUBLIC_ORIGIN that can not be right stops', async () => {
  await expect(pageOf('www.example.com/')).rejects.toThrow('PUBLIC_ORIGIN must be')
})
