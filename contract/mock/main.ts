// Serves the page with hot reload, and at /api a mock that answers as the contract says.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { openContract } from './contract.ts'
import { typeError } from './diagnostics.ts'
import { errorOverlay } from './error-overlay.ts'
import { CONTRACT } from './mock.ts'
import { mockedPage } from './mocked-page.ts'
import { describe } from './scenarios.ts'

const port = Number(process.env.PORT || 5173)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  stop(`PORT is "${process.env.PORT}": set it to a number from 0 to 65535, or leave it out for 5173.`)
}

/** By default only this machine reaches the page; HOST=0.0.0.0 serves phones and containers too. */
const host = process.env.HOST || 'localhost'
const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'src')
const isSource = (file: string) => file.startsWith(source)
/** Finds the first type error. The domain is also checked by itself, under stricter rules. */
const sourceError = async () => (await typeError(source)) ?? typeError(join(source, 'domain'))
const contract = await openContract(CONTRACT, join(source, 'contract.d.ts')).catch((error: Error) =>
  stop(`Cannot start the mock: openapi.yaml is invalid.\n${error.message}`),
)
const { mock, scenarios } = contract.current()
const vite = await createServer({
  root,
  server: { host, port, strictPort: true },
  plugins: [
    errorOverlay([
      { name: 'contract', folder: root, concerns: (file) => file === CONTRACT, firstError: contract.reload },
      { name: 'types', folder: source, concerns: isSource, firstError: sourceError },
    ]),
    mockedPage(contract),
  ],
})
const inUse = `Port ${port} is in use: stop the program that uses it, or set PORT to another.`
await vite.listen().catch(({ message }: Error) => {
  stop(message.includes('already in use') ? inUse : `The page can't be served. ${message}`)
})

let closing = false
// Ctrl-C comes twice, from the terminal and from npm: the second one must not kill the shutdown.
const close = async () => {
  if (closing) return
  closing = true
  await Promise.all([vite.close(), contract.close()])
  process.exit()
}
// Vite also listens for SIGTERM, and would end the process with a status of its own.
process.removeAllListeners('SIGTERM').on('SIGTERM', close).on('SIGINT', close)

const { local = [], network = [] } = vite.resolvedUrls ?? {}
const [page] = [...local, ...network]
console.log(`
  The page   ${[...local, ...network].join('\n             ')}
  The mock   ${mock.origin}/ (behind the page's /api)

  The mock's scenarios, and the operations that each changes:
`)
const links = describe(scenarios).map(({ name, about }) => [`${page}?mock=${name}`, about] as const)
const width = Math.max(...links.map(([link]) => link.length))
for (const [link, about] of links) console.log(`  ${link.padEnd(width)}   ${about}`)

function stop(reason: string): never {
  console.error(reason)
  process.exit(1)
}
