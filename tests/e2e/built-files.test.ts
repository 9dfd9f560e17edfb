import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fillPlaceholders, replaceOnce } from '../../build/html.ts'
import { buildVariant } from '../support/page/build-variant.ts'

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

test('a page that needs a browser while it is prerendered fails the build, which names the line', () => {
  const part = 'export function Logo() {'
  const build = () =>
    buildVariant({ 'src/ui/page/logo.tsx': [[part, `${part} if (window.innerWidth > 0) return null`]] })
  const line = readFileSync('src/ui/page/logo.tsx', 'utf8').split(part)[0]?.split('\n').length
  expect(build).toThrow(
    `src/ui/page/logo.tsx:${line}: ReferenceError: window is not defined. Pages are rendered without`,
  )
})
