import type { Page, ViewportSize } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { axeFindings } from '../support/page/axe.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { cut } from '../support/page/cut.ts'
import { SCREENS, STATE_NAMES, STATES, settle } from '../support/page/page-states.ts'
import { boxOf } from '../support/page/pixels.ts'
import { ROUNDS } from '../support/rounds.ts'

const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'
const LARGE_TEXT = 'html { font-size: 200% }'

const SMALL = { width: 320, height: 568 }

const ENLARGED: Record<string, { readonly viewport: ViewportSize; readonly css?: string }> = {
  'more space in the text': { viewport: SMALL, css: SPACING },
  '200 % text on a small phone': { viewport: SMALL, css: LARGE_TEXT },
  '200 % text': { viewport: { width: 1280, height: 800 }, css: LARGE_TEXT },
  '400 % zoom': { viewport: { width: 320, height: 256 } },
}

const LOOKS = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

/** Where axe can't decide on contrasts: on the picture, which legibility.test.ts measures, and under a notification. */
const reviewed = (name: string) => ({ 'color-contrast': name.endsWith('over the dialog') ? 'body' : 'main' })

/** In a short run without those that differ from others in their words alone, or are part of them. */
const PART_OF_OTHERS = ['no last name', 'no email', 'no valid email', 'the dialog, empty', 'a failed call']
const WALKED = STATE_NAMES.filter((name) => ROUNDS >= 20 || !PART_OF_OTHERS.includes(name))

const site = browseBuiltSite()
let page: Page

/** How long what moves takes. */
const moving = () =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => effect?.getTiming().duration),
  )

const iconWidths = () => page.locator('svg').evaluateAll((all) => all.map((icon) => icon.getBoundingClientRect().width))

/** Gives the page these rules besides its own, in place of those it was given before. */
function restyle(css: string) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/** Which buttons of the dialog, if it is open, can't be brought whole onto the screen. */
async function outOfReach({ height: screen }: ViewportSize) {
  const buttons = await page.getByRole('dialog').getByRole('button').all()
  const found: string[] = []
  for (const button of buttons) {
    await button.scrollIntoViewIfNeeded()
    const { y = -1, height = 0 } = (await button.boundingBox()) ?? {}
    if (y < -1 || y + height > screen + 1) found.push(`${await button.innerText()} is at ${y}, and ${height} px high`)
  }
  return found
}

/** Where heading, form and button of the page stand. */
const places = () => Promise.all(['h1', 'main form', 'main [aria-haspopup]'].map((part) => boxOf(page.locator(part))))

/** The places on every screen when nothing has happened yet. */
const restingPlaces: unknown[] = []

beforeAll(async () => {
  page = await site.show('at rest')
  for (const [width, height] of SCREENS) {
    await page.setViewportSize({ width, height })
    restingPlaces.push(await places())
  }
})

/** Which of these rules on sizes and places does not hold. */
function broken(): string[] {
  const rectOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
  const [width, main, toast, dialog] = [innerWidth, rectOf('main'), rectOf('[id^=toast-] > *'), rectOf('dialog[open]')]
  const near = (one: number, other: number) => Math.abs(one - other) <= 0.5
  const ends = [...document.querySelectorAll('dialog[open] :is(h2, input, textarea)')].map(
    (element) => element.getBoundingClientRect().bottom,
  )
  const gaps = [...document.querySelectorAll<HTMLLabelElement>('dialog[open] label')].map((label) => {
    const { top, bottom } = label.getBoundingClientRect()
    const field = Number(label.control?.getBoundingClientRect().top)
    return { own: field - bottom, above: top - Math.max(...ends.filter((end) => end <= top)) }
  })
  const pressed = [...document.querySelectorAll<HTMLElement>('a, button, input, textarea')]
  const rules = {
    'what is pressed or filled in is at least 44 px wide and high': pressed
      .filter((element) => element.checkVisibility())
      .every(({ offsetWidth, offsetHeight }) => offsetWidth >= 44 && offsetHeight >= 44),
    'the picture fills the screen':
      main && main.left === 0 && main.top + scrollY === 0 && main.width === width && main.height >= innerHeight,
    'a notification is 25rem wide or fits the screen, 20 px from the right':
      !toast || (toast.right === width - 20 && toast.width === Math.min(400, width - 40)),
    'a notification is 20 px from the top, and covers neither heading nor field':
      !toast ||
      dialog ||
      (toast.top === 20 && toast.bottom <= Math.min(...['h1', 'main form'].map((part) => rectOf(part)?.top ?? 0))),
    'over the dialog it is above it, or at the bottom edge of a low screen, below the first field':
      !toast ||
      !dialog ||
      (toast.top === 20 && toast.bottom <= dialog.top) ||
      (toast.bottom === innerHeight - 20 && toast.top >= Number(rectOf('dialog input')?.bottom)),
    'the dialog is 70vw wide, or 22rem, or fits the screen, in the middle':
      !dialog ||
      (near(dialog.width, Math.max(0.7 * width, Math.min(352, width - 32))) &&
        near(dialog.left + dialog.width / 2, width / 2)),
    'a label is nearest to its own field':
      gaps.length === (dialog ? 4 : 0) && gaps.every(({ own, above }) => own >= 6 && own <= 8 && above >= 2 * own),
  }
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]))
}

/** What does not stand where it would in the other direction of writing, seen in a mirror. */
function unmirrored(): string[] {
  for (const animation of document.getAnimations()) animation.currentTime = 0
  const places = (mirror: boolean) =>
    [...document.querySelectorAll('body *')].flatMap((element) => {
      // The box of a text in its line begins where the text does.
      if (
        !(element instanceof HTMLElement) ||
        !element.checkVisibility() ||
        getComputedStyle(element).display === 'inline'
      )
        return []
      const { left, right, top, width } = element.getBoundingClientRect()
      const [origin = 0] = getComputedStyle(element).transformOrigin.split('px').map(Number)
      const place = mirror ? [innerWidth - right, top, width - origin] : [left, top, origin]
      return `${element.tagName} ${place.map(Math.round).join(' ')}`
    })
  const own = places(false)
  document.documentElement.dir = 'rtl'
  const other = places(true)
  document.documentElement.dir = 'ltr'
  return own.filter((place, at) => place !== other[at])
}

test.each(WALKED)(
  '%s: still where motion is reduced, 44 px to press, in its place on every screen and in both directions of writing, nothing cut when enlarged, nothing that axe finds',
  async (name) => {
    page = await site.openPage({ viewport: SMALL, reducedMotion: 'reduce', bypassCSP: true })
    await page.goto(site.origin)
    await STATES[name](page)
    expect(await moving()).toEqual(name === 'a new address' ? [3000] : [])

    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await settle(page)
    const icons = await iconWidths()
    for (const [how, { viewport, css = '' }] of Object.entries(ENLARGED)) {
      await page.setViewportSize(viewport)
      await page.evaluate(restyle, css)
      await settle(page)
      expect({ cut: await cut(page), outOfReach: await outOfReach(viewport) }, how).toEqual({ cut: [], outOfReach: [] })
      if (css === LARGE_TEXT) expect(await iconWidths()).toEqual(icons.map((width) => 2 * width))
    }

    for (const [at, [width, height]] of SCREENS.entries()) {
      await page.setViewportSize({ width, height })
      await settle(page)
      const found = { cut: await cut(page), broken: await page.evaluate(broken), places: await places() }
      expect(found, `at ${width} by ${height} px`).toEqual({ cut: [], broken: [], places: restingPlaces[at] })
    }

    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await settle(page)
      const found = await axeFindings(page, reviewed(name))
      expect(found, `at ${width} px, ${colorScheme}`).toEqual({ violations: [], undecided: [] })
      expect(await page.evaluate(unmirrored), `at ${width} px`).toEqual([])
    }
  },
)
