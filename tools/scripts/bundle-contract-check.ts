// Bundles the contract check and the contract into one file that needs only Node 20.12 or newer.
import { join } from 'node:path'
import { build } from 'vite'
import { document } from '../../contract/document.ts'

const ROOT = join(import.meta.dirname, '../..')
const [file, folder = 'dist-contract'] = ['contract-check.mjs', ...process.argv.slice(2)]

await build({
  configFile: false,
  logLevel: 'warn',
  plugins: [
    {
      name: 'inline-contract',
      load: {
        filter: { id: join(ROOT, 'contract/document.ts') },
        handler: () => `export const document = ${JSON.stringify(document)}`,
      },
    },
  ],
  ssr: { noExternal: true },
  publicDir: false,
  build: {
    ssr: join(ROOT, 'check/main.ts'),
    target: 'node20',
    outDir: folder,
    emptyOutDir: false,
    minify: true,
    rolldownOptions: { output: { entryFileNames: file, codeSplitting: false } },
  },
})
console.log(`Wrote ${join(folder, file)}. Run it anywhere: node --test-reporter=dot ${file} https://their.host`)
