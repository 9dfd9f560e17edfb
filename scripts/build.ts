// Builds the page into dist/, with a brotli and a gzip copy of every file that gains from one.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'

const COMPRESSIBLE = /\.(html|js|css|svg|txt|webmanifest)$/

await build()
for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const path = join('dist', file)
  if (!COMPRESSIBLE.test(path) || !statSync(path).isFile()) continue
  const content = readFileSync(path)
  writeFileSync(`${path}.br`, brotliCompressSync(content))
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
}
