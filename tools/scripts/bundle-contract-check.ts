// Bundles the contract check and the contract into one file that needs only Node 20.12 or newer.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { document } from '../../contract/document.ts'

const ROOT = join(import.meta.dirname, '../..')
const NAME = 'contract-check.mjs'

const folder = process.argv[2] ?? 'dist-contract'

const inlineContract: Plugin = {
  name: 'inline-contract',
  enforce: 'pre',
  load(id) {
    return id === join(ROOT, 'contract/document.ts') ? `export const document = ${JSON.stringify(document)}` : null
  },
}

await build({
  configFile: false,
  logLevel: 'warn',
  plugins: [inlineContract],
  ssr: { noExternal: true },
  publicDir: false,
  build: {
    ssr: join(ROOT, 'check/main.ts'),
    target: 'node20',
    outDir: folder,
    emptyOutDir: false,
    minify: true,
    rolldownOptions: { output: { entryFileNames: NAME, codeSplitting: false, banner: '#!/usr/bin/env node' } },
  },
})
chmodSync(join(folder, NAME), 0o755)
console.log(`Wrote ${join(folder, NAME)}. Run it anywhere: node --test-reporter=dot ${NAME} https://their.host`)
