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

/** Chromium without a window: the same engine, in a third less time. */
const SHELL = 'chromium-headless-shell'

/** Brings Playwright's Chromium, which is installed at most once, or else Debian's package. */
const INSTALL = `playwright install --only-shell chromium ||
  { apt-get update && apt-get install --yes --no-install-recommends ${SHELL}; }`

/** The path of an installed Chromium: CHROMIUM_PATH, the machine's own, or undefined for that of Playwright. */
export function installedChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  const folders = PATH.split(delimiter)
  const named = [SHELL, 'chromium', 'google-chrome'].flatMap((name) => folders.map((folder) => join(folder, name)))
  return CHROMIUM_PATH || named.find(existsSync)
}

// As a program, before the tests: so it happens once, and visibly.
if (import.meta.main && !installedChromium()) {
  console.error(`No Chromium is on the PATH: ${INSTALL}`)
  process.exitCode = spawnSync(INSTALL, { shell: true, stdio: 'ignore' }).status ?? 1
  if (process.exitCode !== 0) console.error('Install Chromium or Chrome, or set CHROMIUM_PATH to the file of one.')
}
