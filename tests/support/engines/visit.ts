import { beforeAll } from 'vitest'
import { appHasTakenOver } from '../page/browse-built-site.ts'
import { serveDist } from '../page/serve-dist.ts'
import { until } from '../until.ts'
import type { Engine, Look } from './engine.ts'
import { elementsOf, focusedName, type Perceived, perceive, type Role } from './perceived.ts'
import { startProxy } from './proxy.ts'
import { launchChromium, launchFirefox } from './puppeteer.ts'
import { launchWebKit } from './webkit.ts'

/** What a test is told in, and how the browser starts. */
export const ENGINES = [
  ['Chromium', launchChromium],
  ['Firefox', launchFirefox],
  ['WebKit', launchWebKit],
] as const

type Launch = (typeof ENGINES)[number][1]

export type Visit = Awaited<ReturnType<ReturnType<typeof visitWith>>>

const NOTIFICATION = '[id^=toast-] > :not([inert])'

/** Gives the tests of a suite one browser and one server. The returned function opens the page, each time at an origin of its own. */
export function visitWith(launch: Launch, looks: readonly Look[] = []) {
  let engine: Engine
  let server: Awaited<ReturnType<typeof serveDist>>
  beforeAll(async () => {
    engine = await launch(looks)
    return () => engine.close()
  })
  beforeAll(async () => {
    server = await serveDist()
    return () => server.close()
  })

  return async (
    size: readonly [width: number, height: number] = [1280, 800],
    route: Parameters<Proxy['route']>[] = [],
  ) => {
    const site = await startProxy(server.url)
    for (const [start, answer] of route) site.route(start, answer)
    await engine.resize(...size)
    await engine.goto(site.origin)
    return { engine, site, ...visitorOf(engine) }
  }
}

type Proxy = Awaited<ReturnType<typeof startProxy>>

/** How a visitor uses the page. */
function visitorOf(engine: Engine) {
  /** The one element with this role and name, or null. */
  async function see(role: Role, name: string, within?: string): Promise<Perceived | null> {
    const [only = null, another] = await engine.evaluate(perceive, elementsOf(role, within), name)
    if (another) throw new Error(`more than one ${role} '${name}' is seen`)
    return only
  }

  async function press(x: number, y: number) {
    await engine.move(x, y)
    await engine.down()
    await engine.up()
  }

  async function click(role: Role, name: string, within?: string) {
    const { x, y, width, height } = await until(async () => {
      const seen = await see(role, name, within)
      return seen?.uncovered && seen
    })
    await press(x + width / 2, y + height / 2)
  }

  return {
    see,
    press,
    click,
    /** What has the focus, by its name. */
    focused: () => engine.evaluate(focusedName),
    /** Replaces what a field holds, as a visitor would. */
    async fill(name: string, text: string) {
      await click('textbox', name)
      await engine.type(text)
    },
    closeNotification: (close: string) => click('button', close, NOTIFICATION),
    appHasTakenOver: () => until(() => engine.evaluate(appHasTakenOver)),
  }
}
