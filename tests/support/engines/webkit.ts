import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Builder, Key } from 'selenium-webdriver'
import { freePort } from '../server/free-port.ts'
import { until } from '../until.ts'

/** What a visitor has set in the system. */
export type Look = 'forced colours' | 'reduced motion'

/** A browser with one tab, driven by real pointer and key events. */
export type Engine = Awaited<ReturnType<typeof launchWebKit>>

const KEYS = { Control: Key.CONTROL, Enter: Key.ENTER, Escape: Key.ESCAPE, Shift: Key.SHIFT, Tab: Key.TAB, a: 'a' }

/** WebKit has no forced colours. */
export async function launchWebKit(look?: Look) {
  const config = mkdtempSync(join(tmpdir(), 'webkit-'))
  mkdirSync(join(config, 'gtk-3.0'))
  // Otherwise its toolbar keeps the window wider than a phone.
  writeFileSync(join(config, 'gtk-3.0', 'gtk.css'), '* { min-width: 0; min-height: 0; padding: 0; font-size: 1px }')
  const animations = look === 'reduced motion' ? 0 : 1
  writeFileSync(join(config, 'gtk-3.0', 'settings.ini'), `[Settings]\ngtk-enable-animations=${animations}\n`)

  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '2600x1600x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [display] = await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')
  const port = await freePort()
  // It does not start as root with a sandbox.
  const env = { DISPLAY: `:${display}`.trim(), XDG_CONFIG_HOME: config, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }
  const service = spawn('WebKitWebDriver', [`--port=${port}`], { env: { ...process.env, ...env }, stdio: 'ignore' })
  async function stop() {
    for (const program of [service, screen]) if (program.kill()) await once(program, 'exit')
    rmSync(config, { recursive: true })
  }

  const address = `http://127.0.0.1:${port}`
  await until(() => fetch(`${address}/status`).catch(() => false))
  const driver = await new Builder()
    .usingServer(address)
    .withCapabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { args: ['--automation'] } })
    .build()
    .catch((error) => stop().then(() => Promise.reject(error)))

  /** Runs a function that needs nothing but its arguments in the page. */
  const evaluate = <Args extends unknown[], Result>(run: (...args: Args) => Result, ...args: Args) =>
    driver.executeScript<Awaited<Result>>(run, ...args)
  const actions = () => driver.actions({ async: true })
  const toolbar = await evaluate(() => outerHeight - innerHeight)
  return {
    /** Resolves when the page has loaded. */
    goto: (url: string) => driver.get(url),
    reload: () => driver.navigate().refresh(),
    back: () => driver.navigate().back(),
    evaluate,
    /** On the screen, in CSS pixels. */
    click([x, y]: readonly [x: number, y: number]) {
      const place = { x: Math.round(x), y: Math.round(y), duration: 0 }
      return actions().move(place).press().release().perform()
    },
    /** All of them at once. */
    press(...keys: (keyof typeof KEYS)[]) {
      const pressed = actions()
      for (const key of keys) pressed.keyDown(KEYS[key])
      for (const key of keys.toReversed()) pressed.keyUp(KEYS[key])
      return pressed.perform()
    },
    type: (text: string) => actions().sendKeys(text).perform(),
    async resize(width: number, height: number) {
      const outer = { x: 0, y: 0, width, height: height + toolbar }
      await driver.manage().window().setRect(outer)
      await until(() => evaluate((w, h) => innerWidth === w && innerHeight === h, width, height))
    },
    close: () => driver.quit().finally(stop),
  }
}
