import { beforeAll, expect } from 'vitest'
import { TEXT } from '../../../src/domain/texts.ts'
import { appHasTakenOver } from '../page/browse-built-site.ts'
import { animationsFinished } from '../page/page-states.ts'
import { serveDist } from '../page/serve-dist.ts'
import { until } from '../until.ts'
import type { Engine, Look } from './engine.ts'
import { focusedName, NOTIFICATION, type Perceived, perceive, type Role, selectorOf } from './perceived.ts'
import { type Site, startProxy } from './proxy.ts'
import { launchChromium, launchFirefox } from './puppeteer.ts'
import { launchWebKit } from './webkit.ts'

/** What tests call them, and how they start. */
export const ENGINES = [
  ['Chromium', launchChromium],
  ['Firefox', launchFirefox],
  ['WebKit', launchWebKit],
] as const

type Arrival = { readonly size?: readonly [width: number, height: number]; readonly before?: (site: Site) => void }

export type Visit = ReturnType<typeof visitorOf>

/** Gives the tests of a suite one browser and one server. The returned function opens the page as a new visitor would. */
export function visitWith(launch: (typeof ENGINES)[number][1], looks: readonly Look[] = []) {
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

  return async ({ size = [1280, 800], before }: Arrival = {}): Promise<Visit> => {
    const site = await startProxy(server.url)
    before?.(site)
    await engine.resize(...size)
    await engine.move([0, 0])
    await engine.goto(site.origin)
    return visitorOf(engine, site)
  }
}

/** How a visitor uses the page. */
function visitorOf(engine: Engine, site: Site) {
  /** The one element with this role and name, or null. */
  async function find(role: Role, name: string, within?: string, wanted = false): Promise<Perceived | null> {
    const [only = null, another] = await engine.evaluate(perceive, selectorOf(role, within), name, wanted)
    if (another) throw new Error(`More than one ${role} '${name}' is seen.`)
    return only
  }

  const see = (role: Role, name: string, within?: string) => find(role, name, within)

  async function click(role: Role, name: string, within?: string) {
    const { x, y, width, height } = await until(async () => {
      const seen = await find(role, name, within, true)
      return seen?.uncovered && seen
    })
    await engine.drag([x + width / 2, y + height / 2])
  }

  async function sees(text: string) {
    await expect.poll(() => see('text', text), { message: `sees '${text}'` }).not.toBeNull()
  }

  /** Replaces what the field holds. */
  async function fill(name: string, text: string) {
    await click('textbox', name)
    await engine.press('Control+a')
    await engine.type(text)
  }

  const focused = () => engine.evaluate(focusedName)

  return {
    ...{ engine, site, see, click, sees, fill, focused },
    async seesNoMore(text: string) {
      await expect.poll(() => see('text', text), { message: `sees '${text}'` }).toBeNull()
    },
    /** Submits this address by the Enter key. */
    async enter(address: string) {
      await fill(TEXT.emailPlaceholder, address)
      await engine.press('Enter')
    },
    /** Opens the dialog by the pointer, and waits until it stands. */
    async openDialog() {
      await click('button', TEXT.contactUs)
      await expect.poll(focused).toBe(TEXT.first)
      await engine.evaluate(animationsFinished)
    },
    dialog: () => see('dialog', TEXT.contactUs),
    notification: (text: string) => see('text', text, NOTIFICATION),
    closeNotification: () => click('button', TEXT.close, NOTIFICATION),
    /** Waits until the app answers; what the visitor did so far has called it. */
    appHasTakenOver: () => until(() => engine.evaluate(appHasTakenOver)),
  }
}
