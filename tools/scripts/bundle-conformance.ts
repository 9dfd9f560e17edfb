// Bundles the contract check and the contract into one file. The file needs only Node 20.12 or newer.
import { join } from 'node:path'
import { build } from 'rolldown'
import { openapiDocument } from '../../contract/openapi-document.ts'

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
        handler: () => `export const openapiDocument = ${JSON.stringify(openapiDocument)}`,
      },
    },
  ],
  output: { file: join(folder, file), minify: true },
})
console.log(
  `Wrote ${join(folder, file)}. Copy it to a machine with Node 20.12 or newer. Run it there with the backend's URL:`,
)
console.log(`node --test-reporter=dot ${file} https://backend.example.com`)
