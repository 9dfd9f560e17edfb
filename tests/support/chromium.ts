// The browser of the tests.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Lets Chromium start as root, and keeps it from calling home. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Chromium without a window has the same engine, and takes a third less time. */
const SHELL = 'chromium-headless-shell'

/** Installs Playwright's Chromium, unless it is there. If that fails, installs the package of Debian. */
const INSTALL = `playwright install --only-shell chromium ||
  { apt-get update && apt-get install --yes --no-install-recommends ${SHELL}; }`

/** The path of an installed Chromium: CHROMIUM_PATH, or one on the PATH. If undefined, Playwright has its own. */
export function installedChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  const folders = PATH.split(delimiter)
  const named = [SHELL, 'chromium', 'google-chrome'].flatMap((name) => folders.map((folder) => join(folder, name)))
  return CHROMIUM_PATH || named.find(existsSync)
}

// `npm test` runs this file as a program first, so that a browser is installed once and the user sees it.
if (import.meta.main && !installedChromium()) {
  console.error(`No Chromium is on the PATH: ${INSTALL}`)
  process.exitCode = spawnSync(INSTALL, { shell: true, stdio: 'ignore' }).status ?? 1
  if (process.exitCode !== 0) console.error('Install Chromium or Chrome, or set CHROMIUM_PATH to the file of one.')
}
