import { beforeAll, expect } from 'vitest'
import { TEXT } from '../../../src/domain/texts.ts'
import { animationsFinished } from '../page/page-states.ts'
import { makeServerFolder, type ServerProcess } from '../server/server-folder.ts'
import { until } from '../until.ts'
import type { Engine, Look } from './engine.ts'
import { launchFirefox } from './firefox.ts'
import { ELEMENTS, NOTIFICATION, perceive } from './perceived.ts'
import { type Site, startProxy } from './proxy.ts'
import { launchWebKit } from './webkit.ts'

/** The engines other than Chromium, in which all other tests of the page run: their names, and how they start. */
export const ENGINES = [
  ['Firefox', launchFirefox],
  ['WebKit', launchWebKit],
] as const

type Arrival = { readonly size?: readonly [width: number, height: number]; readonly before?: (site: Site) => void }

export type Visit = ReturnType<typeof visitorOf>

/** Gives the tests of a suite one browser and one server. The returned function opens the page as a new visitor would. */
export function visitWith(launch: (typeof ENGINES)[number][1], looks: readonly Look[] = []) {
  let engine: Engine
  let server: ServerProcess
  beforeAll(async () => {
    engine = await launch(looks)
    return () => engine.close()
  })
  beforeAll(async () => {
    const sandbox = makeServerFolder('dist')
    server = await sandbox.start()
    return sandbox.remove
  })

  return async ({ size = [1280, 800], before }: Arrival = {}): Promise<Visit> => {
    const site = await startProxy(server.origin)
    before?.(site)
    await engine.resize(...size)
    await engine.goto(site.origin)
    return visitorOf(engine, site)
  }
}

/** How a visitor uses the page. */
function visitorOf(engine: Engine, site: Site) {
  /** The one element with this role and name, or null. */
  async function see(role: keyof typeof ELEMENTS, name: string, within = ':root') {
    const [only = null, another] = await engine.evaluate(perceive, `${within} :is(${ELEMENTS[role]})`, name)
    if (another) throw new Error(`More than one ${role} '${name}' is seen.`)
    return only
  }

  /** Once it stands still: an engine may still scroll to what got the focus. */
  async function click(role: keyof typeof ELEMENTS, name: string, within?: string) {
    const { middle } = await until(async () => {
      const before = await see(role, name, within)
      const seen = await see(role, name, within)
      return seen?.uncovered && String(seen.middle) === String(before?.middle) && seen
    })
    await engine.click(middle)
  }

  /** Replaces what the field holds. */
  async function fill(name: string, text: string) {
    await click('textbox', name)
    await engine.press('Control+a')
    await engine.type(text)
  }

  /** What the focus is on, by its name. */
  const focused = () =>
    engine.evaluate(() => {
      const { activeElement: element } = document
      return element?.getAttribute('placeholder') ?? element?.ariaLabel ?? element?.textContent.trim()
    })

  return {
    ...{ engine, site, see, click, fill, focused },
    async sees(text: string) {
      await expect.poll(() => see('text', text), { message: `sees '${text}'` }).not.toBeNull()
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
    dialogIsOpen: () => engine.evaluate(() => document.querySelector('dialog[open]') !== null),
    /** By the pointer; waits until it is gone. */
    async closeNotification() {
      await click('button', TEXT.close, NOTIFICATION)
      await expect.poll(() => see('button', TEXT.close, NOTIFICATION)).toBeNull()
    },
  }
}
