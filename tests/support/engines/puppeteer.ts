import puppeteer, { type KeyInput, type LaunchOptions } from 'puppeteer-core'
import { CHROMIUM_ARGS, chromiumPath } from '../../../scripts/chromium.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'
import type { Engine, Look } from './engine.ts'

const CHROMIUM_LOOKS: Record<Look, string> = {
  dark: '--blink-settings=preferredColorScheme=0',
  'forced colours': '--force-high-contrast',
  'reduced motion': '--force-prefers-reduced-motion',
}

export const launchChromium = (looks: readonly Look[]): Promise<Engine> =>
  launch({
    browser: 'chrome',
    executablePath: chromiumPath(),
    args: [...CHROMIUM_ARGS, ...looks.map((look) => CHROMIUM_LOOKS[look])],
    // As visitors have it.
    ignoreDefaultArgs: ['--hide-scrollbars', '--disable-back-forward-cache'],
  })

const FIREFOX_LOOKS: Record<Look, Record<string, number>> = {
  dark: { 'ui.systemUsesDarkTheme': 1 },
  'forced colours': { 'browser.display.document_color_use': 2, 'ui.useAccessibilityTheme': 1 },
  'reduced motion': { 'ui.prefersReducedMotion': 1 },
}

export const launchFirefox = (looks: readonly Look[]): Promise<Engine> =>
  launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    extraPrefsFirefox: Object.assign(
      { 'widget.gtk.overlay-scrollbars.enabled': false },
      ...looks.map((look) => FIREFOX_LOOKS[look]),
    ),
  })

async function launch(options: LaunchOptions): Promise<Engine> {
  const browser = await puppeteer.launch({ ...options, timeout: WAIT_TIMEOUT })
  // The first page of Firefox never has the focus.
  const page = await browser.newPage()
  page.setDefaultTimeout(WAIT_TIMEOUT)
  return {
    goto: (url) => page.goto(url),
    reload: () => page.reload(),
    back: () => page.goBack(),
    // Its own type is that of values as well as of handles.
    evaluate: page.evaluate.bind(page) as Engine['evaluate'],
    move: (place) => page.mouse.move(...place),
    async drag(from, to = from) {
      // Firefox's driver would take two presses in different places for a double click.
      await page.mouse.reset()
      await page.mouse.move(...from)
      await page.mouse.down()
      await page.mouse.move(...to)
      await page.mouse.up()
    },
    wheel: (deltaY) => page.mouse.wheel({ deltaY }),
    async press(key) {
      const held = key.split('+') as KeyInput[]
      for (const one of held) await page.keyboard.down(one)
      for (const one of held.toReversed()) await page.keyboard.up(one)
    },
    type: (text) => page.keyboard.type(text),
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  }
}
