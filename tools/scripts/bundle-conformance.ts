// Bundles the contract check and the contract into one file that needs only Node 20.12 or newer.
import { join } from 'node:path'
import { build } from 'rolldown'
import { document } from '../../contract/openapi-document.ts'

const [folder = 'dist-contract'] = process.argv.slice(2)
const file = 'contract-check.mjs'

await build({
  input: 'conformance/main.ts',
  platform: 'node',
  transform: { target: 'node20.12' },
  plugins: [
    {
      name: 'inline-contract',
      load: {
        filter: { id: /contract\/openapi-document\.ts$/ },
        handler: () => `export const document = ${JSON.stringify(document)}`,
      },
    },
  ],
  output: { file: join(folder, file), minify: true },
})
console.log(`Wrote ${join(folder, file)}. Run it anywhere: node --test-reporter=dot ${file} https://their.host`)
