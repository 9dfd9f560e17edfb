import puppeteer from 'puppeteer-core'
import { WAIT_TIMEOUT } from '../timeouts.ts'
import type { Engine } from './webkit.ts'

export async function launchFirefox(preferences: Record<string, number> = {}): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    timeout: WAIT_TIMEOUT,
    extraPrefsFirefox: { 'widget.gtk.overlay-scrollbars.enabled': false, ...preferences },
  })
  // The first page of Firefox never has the focus.
  const page = await browser.newPage()
  page.setDefaultTimeout(WAIT_TIMEOUT)
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    // Its own type is that of values as well as of handles.
    evaluate: page.evaluate.bind(page) as Engine['evaluate'],
    async click(place) {
      // Otherwise two presses in different places are a double click.
      await page.mouse.reset()
      await page.mouse.click(...place)
    },
    async press(...keys) {
      for (const key of keys) await page.keyboard.down(key)
      for (const key of keys.toReversed()) await page.keyboard.up(key)
    },
    type: (text) => page.keyboard.type(text),
    resize: (width, height) => page.setViewport({ width, height }),
    close: () => browser.close(),
  }
}
