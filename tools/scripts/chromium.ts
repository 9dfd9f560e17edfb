// The browser of the tests.
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

/** The path of an installed Chromium: CHROMIUM_PATH, the machine's own, or undefined for that of Playwright. */
export function installedChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  const folders = PATH.split(delimiter)
  const named = [SHELL, 'chromium', 'google-chrome'].flatMap((name) => folders.map((folder) => join(folder, name)))
  return CHROMIUM_PATH || named.find(existsSync)
}

// As a program it says whether there is one, so that npm installs another one only if needed.
if (import.meta.main && !installedChromium()) process.exitCode = 1
