import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const PAGES = {
  '/': { file: 'index.html', policy: "default-src 'none'" },
  '/privacy': { file: 'privacy.html', policy: "default-src 'self'" },
  '/proofs/proof.html': { file: 'proofs/proof.html', policy: "default-src 'self'" },
}

/** The files of a build. Each compressed file also names its compression, so that tests can tell the files apart. */
const FILES = {
  'index.html': '<h1>page</h1>',
  'privacy.html': '<h1>privacy</h1>',
  'proofs/proof.html': '<h1>proof</h1>',
  'assets/app-1a2b3c.js': 'console.log("asset")',
  'favicon.svg': '<svg/>',
  '.well-known/security.txt': 'Contact: https://www.example.com',
  'pages.json': JSON.stringify(PAGES),
}

/** Writes a page of a few bytes into `folder`, instead of a build that takes seconds. */
export function writeBuiltPage(folder: string): void {
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(`${content} in brotli`))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(`${content} in gzip`))
  }
}
