import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { chromium } from 'playwright'
import puppeteer from 'puppeteer-core'
import { CHROMIUM_ARGS } from '../../../tools/scripts/chromium.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'
import { type Engine, launchWebKit } from './webkit.ts'

/** The engines other than today's Chromium, in which all other tests of the page run: names, and how they start. */
export const ENGINES: readonly (readonly [name: string, launch: () => Promise<Engine>])[] = [
  ['Firefox', launchFirefox],
  ['WebKit', launchWebKit],
  ['Chromium 106', launchOldChromium],
]

/** What the pages of Puppeteer and Playwright do alike. */
type DrivenPage = {
  setDefaultTimeout(ms: number): void
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  goBack(): Promise<unknown>
  keyboard: { down(key: string): Promise<void>; up(key: string): Promise<void>; type(text: string): Promise<void> }
}

function drive(page: DrivenPage) {
  page.setDefaultTimeout(WAIT_TIMEOUT)
  return {
    goto: async (url: string) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    async press(...keys: string[]) {
      for (const key of keys) await page.keyboard.down(key)
      for (const key of keys.toReversed()) await page.keyboard.up(key)
    },
    type: (text: string) => page.keyboard.type(text),
  }
}

async function launchFirefox(): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    timeout: WAIT_TIMEOUT,
    extraPrefsFirefox: { 'widget.gtk.overlay-scrollbars.enabled': false },
  })
  // The first page of Firefox never has the focus.
  const page = await browser.newPage()
  return {
    ...drive(page),
    // Its own type is that of values as well as of handles.
    evaluate: page.evaluate.bind(page) as Engine['evaluate'],
    async click(place) {
      // Otherwise two presses in different places are a double click.
      await page.mouse.reset()
      await page.mouse.click(...place)
    },
    resize: (width, height) => page.setViewport({ width, height }),
    close: () => browser.close(),
  }
}

/** Chromium 106, of 2022. It runs with the libraries of the installed Chromium. */
async function launchOldChromium(): Promise<Engine> {
  const browser = await chromium.launch({
    executablePath: unpackedChromium(),
    args: CHROMIUM_ARGS,
    // Scrollbars take room, as they do on a desktop.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    timeout: WAIT_TIMEOUT,
  })
  const page = await browser.newPage()
  return {
    ...drive(page),
    // Its own takes one argument only.
    evaluate: (run, ...args) => page.evaluate(`(${run})(...${JSON.stringify(args)})`),
    click: (place) => page.mouse.click(...place),
    resize: (width, height) => page.setViewportSize({ width, height }),
    close: () => browser.close(),
  }
}

/** Unpacks the executable if that is not done yet, and returns its path. `npm ci` removes it with its package. */
function unpackedChromium(): string {
  const path = join(import.meta.dirname, 'node_modules/@sparticuz/chromium/bin/chromium')
  if (!existsSync(path)) {
    // An unpacking that is cut short leaves nothing at the path.
    writeFileSync(`${path}.partial`, brotliDecompressSync(readFileSync(`${path}.br`)), { mode: 0o755 })
    renameSync(`${path}.partial`, path)
  }
  return path
}
