import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, createServer } from 'vite'
import { watchContract } from '../../../dev/contract-watcher.ts'
import { CONTRACT } from '../../../dev/mock.ts'
import { mockedPage } from '../../../dev/mocked-page.ts'

/** The real page in development, with a contract of its own that a test may edit. */
export async function startDevPage() {
  const folder = mkdtempSync(join(tmpdir(), 'dev-page-'))
  const file = join(folder, 'openapi.yaml')
  const types = join(folder, 'contract.d.ts')
  copyFileSync(CONTRACT, file)
  const said: string[] = []
  const hear = (line: string) => void said.push(line)
  const contract = await watchContract(file, types)
  const vite = await createServer({
    // Two servers over one cache would take each other's files away.
    cacheDir: 'node_modules/.vite-dev-page',
    server: { port: 0 },
    customLogger: { ...createLogger('silent'), info: hear, error: hear },
    plugins: [mockedPage(contract)],
  })
  await vite.listen()
  return {
    url: vite.resolvedUrls?.local[0] ?? '',
    file,
    contract,
    /** All that the terminal showed. */
    output: () => said.join('\n'),
    types: () => readFileSync(types, 'utf8'),
    async close() {
      await Promise.all([vite.close(), contract.close()])
      rmSync(folder, { recursive: true })
    },
  }
}
