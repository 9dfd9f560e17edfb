import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Builder, Key as Keys } from 'selenium-webdriver'
import { freePort } from '../server/free-port.ts'
import { until } from '../until.ts'
import type { Engine, Look } from './engine.ts'

const KEYS = {
  Control: Keys.CONTROL,
  Enter: Keys.ENTER,
  Escape: Keys.ESCAPE,
  Shift: Keys.SHIFT,
  Tab: Keys.TAB,
  a: 'a',
}

/** WebKit has no forced colours. */
export async function launchWebKit(looks: readonly Look[]): Promise<Engine> {
  const config = mkdtempSync(join(tmpdir(), 'webkit-'))
  mkdirSync(join(config, 'gtk-3.0'))
  // Otherwise its toolbar keeps the window wider than a phone.
  writeFileSync(join(config, 'gtk-3.0', 'gtk.css'), '* { min-width: 0; min-height: 0; padding: 0; font-size: 1px }')
  const animations = looks.includes('reduced motion') ? 0 : 1
  writeFileSync(join(config, 'gtk-3.0', 'settings.ini'), `[Settings]\ngtk-enable-animations=${animations}\n`)

  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '2600x1600x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [display] = await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')
  const port = await freePort()
  const service = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: `:${String(display).trim()}`,
      XDG_CONFIG_HOME: config,
      // It does not start as root otherwise.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
    stdio: 'ignore',
  })
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

  const actions = () => driver.actions({ async: true })
  const evaluate: Engine['evaluate'] = (run, ...args) => driver.executeScript(run, ...args)
  const toolbar = await evaluate(() => outerHeight - innerHeight)
  return {
    goto: (url) => driver.get(url),
    reload: () => driver.navigate().refresh(),
    back: () => driver.navigate().back(),
    evaluate,
    click([x, y]) {
      const place = { x: Math.round(x), y: Math.round(y), duration: 0 }
      return actions().move(place).press().release().perform()
    },
    press(key) {
      const held = key.split('+').map((name) => KEYS[name as keyof typeof KEYS])
      const pressed = actions()
      for (const one of held) pressed.keyDown(one)
      for (const one of held.toReversed()) pressed.keyUp(one)
      return pressed.perform()
    },
    type: (text) => actions().sendKeys(text).perform(),
    async resize(width, height) {
      await driver
        .manage()
        .window()
        .setRect({ x: 0, y: 0, width, height: height + toolbar })
      await until(() => evaluate((w, h) => innerWidth === w && innerHeight === h, width, height))
    },
    close: () => driver.quit().finally(stop),
  }
}
