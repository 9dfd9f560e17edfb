import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { chromium } from 'playwright'
import { CHROMIUM_ARGS } from '../../../tools/scripts/chromium.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'
import type { Engine } from './webkit.ts'

const PACKAGE = join(import.meta.dirname, 'node_modules/@sparticuz/chromium')

/** Unpacks the executable if that is not done yet, and returns its path. `npm ci` removes it with its package. */
function executable(): string {
  const path = join(PACKAGE, 'bin/chromium')
  if (!existsSync(path)) {
    // An unpacking that is cut short leaves nothing at the path.
    const partial = `${path}.partial`
    writeFileSync(partial, brotliDecompressSync(readFileSync(`${path}.br`)), { mode: 0o755 })
    renameSync(partial, path)
  }
  return path
}

/** Chromium 106, of 2022. It runs with the libraries of the installed Chromium. */
export async function launchOldChromium(): Promise<Engine> {
  const browser = await chromium.launch({
    executablePath: executable(),
    args: CHROMIUM_ARGS,
    // Scrollbars take room, as they do on a desktop.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    timeout: WAIT_TIMEOUT,
  })
  const page = await browser.newPage()
  page.setDefaultTimeout(WAIT_TIMEOUT)
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    // Its own takes one argument only.
    evaluate: (run, ...args) => page.evaluate(`(${run})(...${JSON.stringify(args)})`),
    click: (place) => page.mouse.click(...place),
    async press(...keys) {
      for (const key of keys) await page.keyboard.down(key)
      for (const key of keys.toReversed()) await page.keyboard.up(key)
    },
    type: (text) => page.keyboard.type(text),
    resize: (width, height) => page.setViewportSize({ width, height }),
    close: () => browser.close(),
  }
}
