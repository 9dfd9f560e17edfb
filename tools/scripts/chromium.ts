import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
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

/** The path of an installed Chromium, which is installed first if there is none. Throws if that fails. */
export function chromiumPath(): string {
  const found = installedChromium()
  if (found) return found
  const playwrightCli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js')
  return (
    installWith("Playwright's own", process.execPath, [playwrightCli, 'install', '--only-shell', 'chromium']) ??
    (process.getuid?.() === 0 ? installDebianPackage() : undefined) ??
    stop()
  )
}

/** Chromium without a window: the same engine, in a third less time. */
const SHELL = 'chromium-headless-shell'

/** The path of an installed Chromium. Throws if CHROMIUM_PATH does not exist. */
export function installedChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  if (named) return existsSync(named) ? named : stop(`CHROMIUM_PATH is ${named}, which does not exist.`)
  for (const name of [SHELL, 'chromium', 'google-chrome']) {
    const found = spawnSync(process.platform === 'win32' ? 'where' : 'which', [name], { encoding: 'utf8' })
    const path = found.stdout?.split('\n')[0]?.trim()
    if (found.status === 0 && path) return path
  }
  const own = chromium.executablePath()
  const folder = own.slice(0, own.lastIndexOf('chromium-'))
  const [shell] = globSync(`${folder}chromium_headless_shell-*/*/*headless{_,-}shell{,.exe}`)
  return shell ?? (existsSync(own) ? own : undefined)
}

function installDebianPackage(): string | undefined {
  if (!existsSync('/usr/bin/apt-get')) return undefined
  process.stderr.write("Updating Debian's package list first.\n")
  spawnSync('apt-get', ['update'], { stdio: 'ignore' })
  return installWith("Debian's package", 'apt-get', ['install', '--yes', '--no-install-recommends', SHELL])
}

function installWith(what: string, command: string, args: string[]): string | undefined {
  process.stderr.write(`No Chromium found: installing ${what} (${[command, ...args].join(' ')}).\n`)
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'ignore'], timeout: 300_000 })
  } catch {
    process.stderr.write('The installation failed.\n')
  }
  return installedChromium()
}

function stop(reason = 'No Chromium was found or could be installed.'): never {
  throw new Error(`${reason} Install Chromium or Chrome, or set CHROMIUM_PATH.`)
}
