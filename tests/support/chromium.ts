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

/** By which a Chromium is brought: Playwright's own, which is at most installed once, or Debian's package. */
const INSTALLATIONS = [
  'playwright install --only-shell chromium',
  `apt-get update && apt-get install --yes --no-install-recommends ${SHELL}`,
]

/** The path of an installed Chromium: CHROMIUM_PATH, the machine's own, or undefined for that of Playwright. */
export function installedChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  const folders = PATH.split(delimiter)
  const named = [SHELL, 'chromium', 'google-chrome'].flatMap((name) => folders.map((folder) => join(folder, name)))
  return CHROMIUM_PATH || named.find(existsSync)
}

/** Brings a Chromium if there is none. Returns whether there is one in the end. */
function bringChromium(): boolean {
  const path = installedChromium()
  if (path) return existsSync(path)
  return INSTALLATIONS.some((command) => {
    console.error(`No Chromium is on the PATH: ${command}`)
    return spawnSync(command, { shell: true, stdio: 'ignore' }).status === 0
  })
}

// As a program, before the tests: so it happens once, and visibly.
if (import.meta.main && !bringChromium()) {
  console.error(
    'There is no Chromium for the tests: install Chromium or Chrome, or set CHROMIUM_PATH to the file of one.',
  )
  process.exitCode = 1
}
