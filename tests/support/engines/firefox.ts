import puppeteer from 'puppeteer-core'
import { WAIT_TIMEOUT } from '../timeouts.ts'
import type { Engine } from './webkit.ts'

export async function launchFirefox(): Promise<Engine> {
  const options = { browser: 'firefox', executablePath: '/usr/bin/firefox-esr', timeout: WAIT_TIMEOUT } as const
  const browser = await puppeteer.launch(options)
  // The first page of Firefox never has the focus.
  const page = await browser.newPage()
  return {
    goto: async (url) => void (await page.goto(url)),
    // The type of Puppeteer's `evaluate` is wider: its arguments may also be handles of elements.
    evaluate: page.evaluate.bind(page) as Engine['evaluate'],
    async click(place) {
      // Otherwise two presses in different places are a double click.
      await page.mouse.reset()
      await page.mouse.click(...place)
    },
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    close: () => browser.close(),
  }
}
