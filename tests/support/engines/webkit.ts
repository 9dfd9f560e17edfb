import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../server/free-port.ts'
import { until } from '../until.ts'

/** A browser with one tab, driven by real pointer and key events. */
export type Engine = Awaited<ReturnType<typeof launchWebKit>>

/** By their names, the characters that stand for keys in the WebDriver protocol. */
const KEYS = { Control: '\uE009', Enter: '\uE007', Escape: '\uE00C', Shift: '\uE008', Tab: '\uE004', a: 'a' }

/** Gives one command of the WebDriver protocol, https://www.w3.org/TR/webdriver2/#endpoints, and returns its answer. */
async function command<Value = void>(url: string, parameters = {}, method = 'POST'): Promise<Value> {
  const response = await fetch(url, { method, body: JSON.stringify(parameters) })
  const { value }: { value: Value } = await response.json()
  if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(value)}`)
  return value
}

export async function launchWebKit() {
  const config = mkdtempSync(join(tmpdir(), 'webkit-'))
  mkdirSync(join(config, 'gtk-3.0'))
  // Otherwise its toolbar keeps the window wider than a phone.
  writeFileSync(join(config, 'gtk-3.0', 'gtk.css'), '* { min-width: 0; min-height: 0; padding: 0; font-size: 1px }')

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
  const browser = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { args: ['--automation'] } }
  const capabilities = { alwaysMatch: browser }
  const { sessionId } = await command<{ sessionId: string }>(`${address}/session`, { capabilities }).catch((error) =>
    stop().then(() => Promise.reject(error)),
  )
  const session = `${address}/session/${sessionId}`

  /** Runs a function that needs nothing but its arguments in the page. */
  const evaluate = <Args extends unknown[], Result>(run: (...args: Args) => Result, ...args: Args) =>
    command<Awaited<Result>>(`${session}/execute/sync`, { script: `return (${run})(...arguments)`, args })
  const act = (type: 'pointer' | 'key', actions: object[]) =>
    command(`${session}/actions`, { actions: [{ type, id: type, actions }] })
  const atOnce = (keys: string[]) => [
    ...keys.map((value) => ({ type: 'keyDown', value })),
    ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
  ]
  const toolbar = await evaluate(() => outerHeight - innerHeight)
  return {
    /** Resolves when the page has loaded. */
    goto: (url: string) => command(`${session}/url`, { url }),
    reload: () => command(`${session}/refresh`),
    back: () => command(`${session}/back`),
    evaluate,
    /** On the screen, in CSS pixels. */
    click([x, y]: readonly [x: number, y: number]) {
      const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) }
      return act('pointer', [move, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }])
    },
    /** All of them at once. */
    press: (...names: (keyof typeof KEYS)[]) => act('key', atOnce(names.map((name) => KEYS[name]))),
    type: (text: string) =>
      act(
        'key',
        [...text].flatMap((character) => atOnce([character])),
      ),
    async resize(width: number, height: number) {
      await command(`${session}/window/rect`, { x: 0, y: 0, width, height: height + toolbar })
      await until(() => evaluate((w, h) => innerWidth === w && innerHeight === h, width, height))
    },
    close: () => command(session, {}, 'DELETE').finally(stop),
  }
}
