import { expect, onTestFinished } from 'vitest'
import { TEXT } from '../../../src/domain/texts.ts'
import { localServer } from '../local-server.ts'
import { DIST } from '../page/build-the-page.ts'
import { animationsFinished } from '../page/page-states.ts'
import { buildTestApp } from '../server/build-test-app.ts'
import { until } from '../until.ts'
import type { Engine } from './webkit.ts'

export type Visit = Awaited<ReturnType<typeof visit>>

/** The page and its backend for the length of one test, at an origin of which no browser has a cache. */
async function startSite() {
  const { app, close } = await buildTestApp({ dist: DIST })
  onTestFinished(close)
  let isDown = false
  const holds = new Map<RegExp, Promise<void>>()
  const { origin, received } = await localServer(async ({ method, url = '', headers }, response, payload) => {
    for (const [paths, released] of holds) if (paths.test(url)) await released
    if (isDown && method === 'POST') return response.writeHead(500).end()
    const answer = await app.inject({ method: method as 'GET' | 'POST', url, headers, payload })
    return response.writeHead(answer.statusCode, answer.headers).end(answer.rawPayload)
  })
  return {
    origin,
    /** The bodies of the calls that came so far. */
    calls: () => received.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body)),
    /** Whether one of these paths was asked for. */
    asked: (paths: RegExp) => received.some(({ path = '' }) => paths.test(path)),
    /** From now on calls fail. */
    fail() {
      isDown = true
    },
    /** Requests for these paths wait until the returned function is called. */
    hold(paths: RegExp) {
      const { promise, resolve } = Promise.withResolvers<void>()
      holds.set(paths, promise)
      return resolve
    },
  }
}

/** Opens the page as a new visitor, who uses it by pointer and keys. */
export async function visit(engine: Engine, width = 1280, height = 800) {
  const site = await startSite()
  await engine.resize(width, height)
  await engine.goto(site.origin)

  /** The one element with this role and name, or null. */
  async function see(role: keyof typeof ELEMENTS, name: string) {
    const [only = null, another] = await engine.evaluate(perceive, ELEMENTS[role], name)
    if (another) throw new Error(`More than one ${role} '${name}' is seen.`)
    return only
  }

  /** Once it stands still: an engine may still scroll to what got the focus. */
  async function click(role: keyof typeof ELEMENTS, name: string) {
    const { middle } = await until(async () => {
      const earlier = await see(role, name)
      const seen = await see(role, name)
      return seen?.isUncovered && String(seen.middle) === String(earlier?.middle) && seen
    })
    await engine.click(middle)
  }

  /** What the focus is on, by its name. */
  const focused = () =>
    engine.evaluate(() => {
      const { activeElement: element } = document
      return element?.getAttribute('placeholder') ?? element?.ariaLabel ?? element?.textContent.trim()
    })

  return {
    ...{ engine, site, see, click, focused },
    async sees(text: string) {
      await expect.poll(() => see('text', text), { message: `sees '${text}'` }).not.toBeNull()
    },
    /** Submits this address by the Enter key. */
    async enter(address: string) {
      await click('textbox', TEXT.emailPlaceholder)
      await engine.press('Control', 'a')
      await engine.type(address)
      await engine.press('Enter')
    },
    /** Opens the dialog by the pointer, and waits until it stands. */
    async openDialog() {
      await click('button', TEXT.contactUs)
      await expect.poll(focused).toBe(TEXT.first)
      await engine.evaluate(animationsFinished)
    },
    /** Waits until the dialog is gone, and its button has the focus. */
    async seesNoDialog() {
      await expect.poll(() => engine.evaluate(() => document.querySelector('dialog[open]') === null)).toBe(true)
      await expect.poll(focused).toBe(TEXT.contactUs)
    },
    /** By the pointer; waits until it is gone. */
    async closeNotification() {
      await click('button', TEXT.close)
      await expect.poll(() => see('button', TEXT.close)).toBeNull()
    },
  }
}

/** Where to look for what has this role; a text is read as a whole, in an element of its own. */
const ELEMENTS = { button: 'button', textbox: 'input, textarea', text: '*' }

/** To run in the page: all that is seen and not inert with this name, scrolled into view. */
function perceive(selector: string, name: string) {
  const modal = document.querySelector('dialog[open]') ?? document
  const seen = [...modal.querySelectorAll<HTMLElement>(selector)].filter(
    (element) =>
      !element.closest('[inert]') &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      // What is only heard is 1 px large.
      element.offsetHeight > 1 &&
      (element.getAttribute('placeholder') ?? element.ariaLabel ?? element.textContent.trim()) === name,
  )
  const innermost = seen.filter((element) => !seen.some((other) => other !== element && element.contains(other)))
  return innermost.map((element) => {
    element.scrollIntoView({ block: 'nearest' })
    const { x, y, width, height } = element.getBoundingClientRect()
    const middle = [x + width / 2, y + height / 2] as const
    // Only a field has them.
    const { readOnly, value } = element as HTMLInputElement
    const isUncovered = element.contains(document.elementFromPoint(...middle))
    return { middle, isUncovered, isBusy: element.ariaBusy === 'true', readOnly, value }
  })
}
