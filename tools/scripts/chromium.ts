// The browser of the tests. Run as a program, before the tests, so that it is installed once, and visibly.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'

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

/** Playwright's own, or Debian's package. */
const INSTALLATIONS = [
  'playwright install --only-shell chromium',
  `apt-get update && apt-get install --yes --no-install-recommends ${SHELL}`,
]

/** The path of an installed Chromium. Throws if CHROMIUM_PATH does not exist. */
export function installedChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH && !existsSync(CHROMIUM_PATH))
    throw new Error(`CHROMIUM_PATH is ${CHROMIUM_PATH}, which does not exist: set it to a Chromium or Chrome.`)
  const folders = PATH.split(delimiter)
  const named = [SHELL, 'chromium', 'google-chrome'].flatMap((name) => folders.map((folder) => join(folder, name)))
  const own = chromium.executablePath()
  const shells = globSync(own.replace(/chromium-.*/, 'chromium_headless_shell-*/*/*headless{_,-}shell{,.exe}'))
  return [CHROMIUM_PATH, ...named, ...shells, own].find((path) => path && existsSync(path))
}

/** The path of a Chromium. Installs one if there is none, and throws if that fails. */
export function chromiumPath(): string {
  for (const command of INSTALLATIONS) {
    const path = installedChromium()
    if (path) return path
    console.error(`No Chromium found: ${command}`)
    spawnSync(command, { shell: true, stdio: 'ignore', timeout: 300_000 })
  }
  const path = installedChromium()
  if (!path) throw new Error('No Chromium could be installed: install Chromium or Chrome, or set CHROMIUM_PATH.')
  return path
}

if (import.meta.main) {
  try {
    console.log(`Browser for the tests: ${chromiumPath()}`)
  } catch (error) {
    console.error(`${error}`)
    process.exitCode = 1
  }
}
