import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** What a build leaves in its folder; each text says which file it is. */
const FILES = {
  'index.html': '<h1>page</h1>',
  'index.html.br': brotliCompressSync('<h1>page in brotli</h1>'),
  'index.html.gz': gzipSync('<h1>page in gzip</h1>'),
  'privacy.html': '<h1>privacy</h1>',
  'privacy.html.br': brotliCompressSync('<h1>privacy in brotli</h1>'),
  'privacy.html.gz': gzipSync('<h1>privacy in gzip</h1>'),
  'pages.json': JSON.stringify({
    '/': { file: 'index.html', policy: "default-src 'none'" },
    '/privacy': { file: 'privacy.html', policy: "default-src 'self'" },
  }),
  'favicon.svg': '<svg/>',
  'assets/app-1a2b3c.js': 'console.log("asset")',
  'assets/app-1a2b3c.js.br': brotliCompressSync('console.log("asset in brotli")'),
  'assets/app-1a2b3c.js.gz': gzipSync('console.log("asset in gzip")'),
}

/** Writes a page of a few bytes into `folder`, instead of a build that takes seconds. */
export function writeBuiltPage(folder: string): void {
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}
