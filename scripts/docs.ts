// Builds the reference page of openapi.yaml: one file that asks for nothing else, and the policy that fits it.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { RedocRawOptions } from 'redoc'
import { parse } from 'yaml'
import { COLOURS } from '../src/domain/brand.ts'
import { escapeHtml, replaceOnce } from './html.ts'

const FOLDER = 'dist-docs'

const OPTIONS: RedocRawOptions = {
  // Beside the page, wherever it is served.
  downloadUrls: [{ title: 'openapi.yaml', url: 'openapi.yaml' }],
  downloadFileName: 'openapi.yaml',
  expandResponses: '200,422',
  jsonSamplesExpandLevel: 'all',
  schemasExpansionLevel: 2,
  theme: {
    colors: { primary: { main: COLOURS.accent[0] } },
    typography: {
      fontFamily: 'system-ui, sans-serif',
      headings: { fontFamily: 'system-ui, sans-serif' },
      code: { fontFamily: 'ui-monospace, monospace' },
    },
  },
}

const LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg'

/** What the renderer puts into the page for its menu's scrollbar; another release may need another. */
const SCROLLBAR_STYLE = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='"

function renderer(): string {
  const script = readFileSync(createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js'), 'utf8')
  return replaceOnce('the renderer', script, LOGO, '').replace(/\n\/\/# sourceMappingURL=.*/, '')
}

/** Runs in the page: on narrow screens the renderer's menu, search included, has a button for pointers alone. */
function openMenuByKeyboard() {
  const button = document.querySelector<HTMLElement>('.menu-content + div')
  if (!button) return console.error('The renderer no longer has its menu button here.')
  Object.assign(button, { role: 'button', tabIndex: 0, ariaLabel: 'Menu' })
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    button.click()
  })
}

const contract = parse(readFileSync('openapi.yaml', 'utf8'))
const asScript = (text: string) => text.replaceAll('<!--', '\\x3c!--').replaceAll(/<(?=\/?script)/gi, '\\x3c')
const script = asScript(`${renderer()}
Redoc.init(${JSON.stringify(contract)}, ${JSON.stringify(OPTIONS)}, document.getElementById('reference'), ${openMenuByKeyboard})`)
// The renderer hides the focus of some of its buttons.
const style = `body { margin: 0 } :focus-visible { outline: 3px solid ${COLOURS.focus[0]} !important }`
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(contract.info.title)}: reference of the contract</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main id="reference"></main>
<noscript>This reference needs JavaScript. The contract itself: <a href="openapi.yaml">openapi.yaml</a></noscript>
<script>${script}</script>
</body>
</html>
`
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)} ${hashOf('')} ${SCROLLBAR_STYLE}`,
  // Its icons, and the worker that searches.
  'img-src data:',
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

mkdirSync(FOLDER, { recursive: true })
writeFileSync(join(FOLDER, 'index.html'), page)
writeFileSync(join(FOLDER, 'index.html.br'), brotliCompressSync(page))
writeFileSync(join(FOLDER, 'index.html.gz'), gzipSync(page))
writeFileSync(join(FOLDER, 'content-security-policy.txt'), `${policy}\n`)
copyFileSync('openapi.yaml', join(FOLDER, 'openapi.yaml'))
console.log(`The reference is in ${FOLDER}/index.html.`)
