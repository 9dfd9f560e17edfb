import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, createServer } from 'vite'
import { afterAll } from 'vitest'
import { openContract } from '../../../dev/contract.ts'
import { typeError } from '../../../dev/diagnostics.ts'
import { errorOverlay } from '../../../dev/error-overlay.ts'
import { CONTRACT } from '../../../dev/mock.ts'
import { mockedPage } from '../../../dev/mocked-page.ts'
import { openBrowser } from '../page/browser.ts'

/** The real page in development until the end of the file, with a contract and a project of its own to be edited. */
export async function startDevPage() {
  const folder = mkdtempSync(join(tmpdir(), 'dev-page-'))
  const files = {
    contract: join(folder, 'openapi.yaml'),
    generatedTypes: join(folder, 'contract.d.ts'),
    source: join(folder, 'project/source.ts'),
  }
  copyFileSync(CONTRACT, files.contract)
  mkdirSync(join(folder, 'project'))
  writeFileSync(join(folder, 'project/tsconfig.json'), '{ "compilerOptions": { "types": [], "noEmit": true } }')
  writeFileSync(files.source, '')

  let output = ''
  const hear = (line: string) => {
    output += `${line}\n`
  }
  const contract = await openContract(files.contract, files.generatedTypes)
  const project = join(folder, 'project')
  const vite = await createServer({
    // Two servers over one cache would take each other's files away.
    cacheDir: 'node_modules/.vite-tests',
    server: { port: 0 },
    customLogger: { ...createLogger('silent'), info: hear, error: hear },
    plugins: [
      errorOverlay([
        { name: 'contract', folder, concerns: (file) => file === files.contract, firstError: contract.reload },
        {
          ...{ name: 'types', folder: project, concerns: (file) => file.startsWith(project) },
          firstError: () => typeError(project),
        },
      ]),
      mockedPage(contract),
    ],
  })
  await vite.listen()
  const url = vite.resolvedUrls?.local[0] ?? ''
  const browser = await openBrowser()
  // One for all, so that the browser keeps the page's many files.
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  afterAll(async () => {
    await Promise.all([browser.close(), vite.close(), contract.close()])
    rmSync(folder, { recursive: true })
  })

  return {
    page,
    url,
    contract,
    files,
    output: () => output,
    async open(address = '') {
      await page.goto(url + address)
      await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor()
    },
  }
}
