import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../local-server.ts'
import { until } from '../until.ts'

/** A browser with one tab, driven by real pointer and key events. */
export type Engine = Awaited<ReturnType<typeof launchWebKit>>

/** The characters for keys in the WebDriver protocol, by the names of the keys. */
const KEYS = { Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004' }

/** Sends one command of the WebDriver protocol, https://www.w3.org/TR/webdriver2/#endpoints, and returns its answer. */
async function command<Value = void>(url: string, parameters = {}, method = 'POST'): Promise<Value> {
  const response = await fetch(url, { method, body: JSON.stringify(parameters) })
  const { value }: { value: Value } = await response.json()
  if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(value)}`)
  return value
}

export async function launchWebKit() {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [display] = await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')
  const port = await freePort()
  // WebKit does not start as root with a sandbox.
  const env = { ...process.env, DISPLAY: `:${display}`.trim(), WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }
  const service = spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' })
  const address = `http://127.0.0.1:${port}`
  await until(() => fetch(`${address}/status`).catch(() => false))
  const browser = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { args: ['--automation'] } }
  const capabilities = { alwaysMatch: browser }
  const { sessionId } = await command<{ sessionId: string }>(`${address}/session`, { capabilities })
  const session = `${address}/session/${sessionId}`

  const act = (type: 'pointer' | 'key', actions: object[]) =>
    command(`${session}/actions`, { actions: [{ type, id: type, actions }] })
  const pressCharacter = (value: string) =>
    act(
      'key',
      ['keyDown', 'keyUp'].map((type) => ({ type, value })),
    )
  return {
    /** Resolves when the page has loaded. */
    goto: (url: string) => command(`${session}/url`, { url }),
    /** Runs a function that needs nothing but its arguments in the page. */
    evaluate: <Args extends unknown[], Result>(run: (...args: Args) => Result, ...args: Args) =>
      command<Awaited<Result>>(`${session}/execute/sync`, { script: `return (${run})(...arguments)`, args }),
    /** Clicks at a point on the screen, in CSS pixels. */
    click([x, y]: readonly [x: number, y: number]) {
      const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) }
      return act('pointer', [move, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }])
    },
    press: (key: keyof typeof KEYS) => pressCharacter(KEYS[key]),
    async type(text: string) {
      for (const character of text) await pressCharacter(character)
    },
    async close() {
      await command(session, {}, 'DELETE')
      for (const program of [service, screen]) if (program.kill()) await once(program, 'exit')
    },
  }
}
