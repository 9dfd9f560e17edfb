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

/** The path of a Chromium. Installs one if there is none, and throws if that fails. */
export function chromiumPath(): string {
  const installed = installedChromium()
  if (installed) return installed
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
  const configuredPath = process.env.CHROMIUM_PATH
  if (configuredPath)
    return existsSync(configuredPath)
      ? configuredPath
      : stop(`CHROMIUM_PATH is ${configuredPath}, which does not exist.`)
  for (const name of [SHELL, 'chromium', 'google-chrome']) {
    const result = spawnSync(process.platform === 'win32' ? 'where' : 'which', [name], { encoding: 'utf8' })
    const path = result.stdout?.split('\n')[0]?.trim()
    if (result.status === 0 && path) return path
  }
  const playwrightPath = chromium.executablePath()
  const folder = playwrightPath.slice(0, playwrightPath.lastIndexOf('chromium-'))
  const [shell] = globSync(`${folder}chromium_headless_shell-*/*/*headless{_,-}shell{,.exe}`)
  return shell ?? (existsSync(playwrightPath) ? playwrightPath : undefined)
}

function installDebianPackage(): string | undefined {
  if (!existsSync('/usr/bin/apt-get')) return undefined
  process.stderr.write("Updating Debian's package list first.\n")
  spawnSync('apt-get', ['update'], { stdio: 'ignore' })
  return installWith("Debian's package", 'apt-get', ['install', '--yes', '--no-install-recommends', SHELL])
}

function installWith(source: string, command: string, args: string[]): string | undefined {
  process.stderr.write(`No Chromium found: installing ${source} (${[command, ...args].join(' ')}).\n`)
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
