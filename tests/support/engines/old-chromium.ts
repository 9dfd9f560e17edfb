import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { chromium } from 'playwright'
import { CHROMIUM_ARGS } from '../chromium.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'
import type { Engine } from './webkit.ts'

const PROGRAM = join(import.meta.dirname, 'node_modules/@sparticuz/chromium/bin/chromium')

/** Chromium 106, of 2022. It runs with the libraries of the installed Chromium. */
export async function launchOldChromium(): Promise<Engine> {
  // The file of a program that still runs can't be overwritten, but it can be removed.
  rmSync(PROGRAM, { force: true })
  writeFileSync(PROGRAM, brotliDecompressSync(readFileSync(`${PROGRAM}.br`)), { mode: 0o755 })
  const browser = await chromium.launch({ executablePath: PROGRAM, args: CHROMIUM_ARGS, timeout: WAIT_TIMEOUT })
  const page = await browser.newPage()
  return {
    goto: async (url) => void (await page.goto(url)),
    // Playwright passes one argument only.
    evaluate: (run, ...args) => page.evaluate(`(${run})(...${JSON.stringify(args)})`),
    click: (place) => page.mouse.click(...place),
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    close: () => browser.close(),
  }
}
