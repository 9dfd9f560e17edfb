import { execSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'

/** The folder of the built page for tests. It is not `dist`, because a running server may serve that folder. */
export const DIST = 'node_modules/.cache/page'

/** The files of `public`, with a page that is no part of the app. */
export const PUBLIC = 'node_modules/.cache/public'
const IMPRINT = `<!doctype html><title>Imprint</title><style>p { color: rgb(1, 2, 3) }</style>
  <p style='margin: 4px'>Imprint</p><script>document.title += ' by its own script'</script>`

export const SETTINGS = {
  PUBLIC_ORIGIN: 'https://example.com',
  CONNECT_ORIGINS: 'https://api.example.com',
  PRIVACY_URL: 'https://example.com/privacy?a&b',
  CONTACT_URL: 'mailto:desk@example.com',
}

/** Global setup of the tests that open the built page: builds it for production. */
export default (): void => {
  rmSync(PUBLIC, { recursive: true, force: true })
  cpSync('public', PUBLIC, { recursive: true })
  mkdirSync(`${PUBLIC}/legal`, { recursive: true })
  writeFileSync(`${PUBLIC}/legal/imprint.html`, IMPRINT)
  const { NODE_ENV: _ofTheTests, ...env } = process.env
  execSync(`vite build --logLevel warn --outDir ${DIST} --config tests/support/page/vite.config.ts`, {
    env: { ...env, ...SETTINGS },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
