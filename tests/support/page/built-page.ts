import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** What a build leaves in its folder; each text says which file it is. */
const FILES = {
  'index.html': '<h1>page</h1>',
  'index.html.br': brotliCompressSync('<h1>page in brotli</h1>'),
  'index.html.gz': gzipSync('<h1>page in gzip</h1>'),
  'content-security-policy.txt': "default-src 'none'\n",
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
