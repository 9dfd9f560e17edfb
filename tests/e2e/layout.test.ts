import type { BrowserContextOptions, Page, ViewportSize } from 'playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { standstill } from '../support/axe.ts'
import { browseBuiltSite } from '../support/browse-built-site.ts'
import { reach, SCREENS, STATE_NAMES, type StateName, toastOf } from '../support/page-states.ts'

const site = browseBuiltSite()
let page: Page

async function show(name: StateName, options: BrowserContextOptions = {}) {
  page = await site.openPage({ bypassCSP: true, ...options })
  await reach(page, site.origin, name)
}

const boxOf = (selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { left, top, right, width, height } = element.getBoundingClientRect()
    return { left, top, right, width, height }
  })

/** What is wider than the screen, or is read in a box that cuts it; empty where nothing is. */
const cut = () =>
  page.evaluate(() => {
    const found: string[] = []
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} px wide`)
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const { overflowX, overflowY, clipPath } = getComputedStyle(element)
      if (!element.checkVisibility() || clipPath !== 'none' || !element.textContent?.trim()) continue
      const { left, right, bottom } = element.getBoundingClientRect()
      const what = `${element.localName} '${element.textContent.slice(0, 30)}'`
      if (left < 0 || right > clientWidth + 0.5) found.push(`${what} is over the edge`)
      if (element.parentElement?.closest('[id^=toast]') && bottom > innerHeight + 0.5)
        found.push(`${what} ends ${Math.round(bottom - innerHeight)} px below the screen`)
      const hides = (overflow: string) => ['hidden', 'clip'].includes(overflow)
      if (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) found.push(`${what} is cut at its side`)
      if (hides(overflowY) && element.scrollHeight > element.clientHeight + 1) found.push(`${what} is cut below`)
    }
    return found
  })

/** Brings the page into a state, and then onto every screen. */
async function onEveryScreen(name: StateName, check: (width: number) => Promise<void>) {
  await show(name)
  for (const [width, height] of SCREENS) {
    await page.setViewportSize({ width, height })
    await page.evaluate(standstill)
    await check(width)
    expect(await cut(), `at ${width} by ${height} px`).toEqual([])
  }
}

test('a notification is 25rem wide or fits the screen, 20 px from top and right', () =>
  onEveryScreen('a known address', async (width) => {
    const expected = Math.min(400, width - 40)
    expect(await boxOf('#toast-status > *')).toMatchObject({ top: 20, width: expected, right: width - 20 })
  }))

test('the dialog is 70vw wide, or 22rem, or fits the screen, and its parts have their sizes', () =>
  onEveryScreen('submitting', async (width) => {
    expect((await boxOf('dialog')).width).toBeCloseTo(Math.max(0.7 * width, Math.min(352, width - 32)), 0)
    expect((await boxOf('textarea')).height).toBe(104)
    expect(await page.locator('textarea').evaluate((box) => getComputedStyle(box).resize)).toBe('none')
    const spinner = page.locator('dialog form [role=status]').locator('span')
    expect(await spinner.evaluate(({ offsetWidth, offsetHeight }: HTMLElement) => [offsetWidth, offsetHeight])).toEqual(
      [50, 50],
    )
    expect(await page.getByRole('button', { name: 'Submit' }).locator('svg[data-icon=envelope]').isVisible()).toBe(true)
  }))

test.each(SCREENS)(
  'at %i by %i px the picture fills the screen, and nothing is over the edge',
  async (width, height) => {
    await show('at rest', { viewport: { width, height } })
    expect(await boxOf('main')).toMatchObject({ left: 0, top: 0, width })
    expect((await boxOf('main')).height).toBeGreaterThanOrEqual(height)
    expect(await cut()).toEqual([])
  },
)

const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'

const ENLARGED: Record<string, { readonly viewport: ViewportSize; readonly css?: string }> = {
  '400 % zoom': { viewport: { width: 320, height: 256 } },
  '200 % text': { viewport: { width: 1280, height: 800 }, css: 'html { font-size: 200% }' },
  '200 % text on a phone': { viewport: { width: 360, height: 800 }, css: 'html { font-size: 200% }' },
  'more space in the text': { viewport: { width: 320, height: 568 }, css: SPACING },
}

/** Gives the page these rules besides its own, in place of those it was given before. */
function restyle(css: string) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/** Which buttons of the dialog, if it is open, can't be brought whole onto the screen. */
async function outOfReach({ height: screen }: ViewportSize) {
  const buttons = await page
    .getByRole('dialog')
    .getByRole('button', { name: /Submit|Close/ })
    .all()
  const found: string[] = []
  for (const button of buttons) {
    await button.scrollIntoViewIfNeeded()
    const { y = -1, height = 0 } = (await button.boundingBox()) ?? {}
    if (y < -1 || y + height > screen + 1) found.push(`${await button.innerText()} is at ${y}, and ${height} px high`)
  }
  return found
}

test.each(STATE_NAMES)(
  'nothing is cut and nothing scrolls sideways, however the page is enlarged: %s',
  async (name) => {
    await show(name)
    for (const [how, { viewport, css = '' }] of Object.entries(ENLARGED)) {
      await page.setViewportSize(viewport)
      await page.evaluate(restyle, css)
      await page.evaluate(standstill)
      expect({ cut: await cut(), outOfReach: await outOfReach(viewport) }, how).toEqual({ cut: [], outOfReach: [] })
    }
  },
)

test.each(STATE_NAMES)('everything to press or fill in is at least 44 px wide and high: %s', async (name) => {
  await show(name, { viewport: { width: 320, height: 568 } })
  const small = await page.locator('button:visible, input:visible, textarea:visible, a:visible').evaluateAll((all) =>
    all.flatMap((element) => {
      const { offsetWidth, offsetHeight } = element as HTMLElement
      return offsetWidth < 44 || offsetHeight < 44 ? [`${element.outerHTML} ${offsetWidth}x${offsetHeight}`] : []
    }),
  )
  expect(small).toEqual([])
})

test('the fields tell the browser what they take', async () => {
  await show('the dialog, empty')
  const attributes = await page
    .locator('input, textarea')
    .evaluateAll((all) =>
      all.map((field) => ['name', 'type', 'autocomplete', 'enterkeyhint'].map((name) => field.getAttribute(name))),
    )
  expect(attributes).toEqual([
    ['email', 'email', 'email', 'send'],
    ['first', null, 'given-name', null],
    ['last', null, 'family-name', null],
    ['email', 'email', 'email', null],
    ['message', null, null, null],
  ])
})

test('the page introduces itself: title, description, colour, icons and card are there', async () => {
  await show('at rest')
  const content = (name: string) =>
    page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute('content')
  expect(await content('description')).toContain('Launching soon')
  expect(await content('og:description')).toBe(await content('description'))
  expect(await content('og:title')).toBe(await page.title())
  expect(await content('theme-color')).toMatch(/^#[0-9a-f]{6}$/)
  const href = (rel: string) => page.locator(`link[rel="${rel}"]`).getAttribute('href')
  const sizes: Record<string, unknown> = {}
  for (const path of [await href('icon'), await href('apple-touch-icon'), await content('og:image')]) {
    const answer = await fetch(new URL(path ?? '', site.origin))
    expect([path, answer.status]).toEqual([path, 200])
    const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
    sizes[path ?? ''] = [width, height]
  }
  expect(sizes).toMatchObject({ '/touch-icon.png': [180, 180], '/card.jpg': [1200, 630] })
})

test('a notification does not move what is under it', async () => {
  await show('at rest', { viewport: { width: 1280, height: 800 } })
  const before = await boxOf('h1')
  await reach(page, site.origin, 'a failed call')
  expect(await toastOf(page).count()).toBe(1)
  expect(await boxOf('h1')).toEqual(before)
})
