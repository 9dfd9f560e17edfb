import type { BrowserContextOptions, Page, ViewportSize } from 'playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { standstill } from '../support/axe.ts'
import { browseBuiltSite } from '../support/browse-built-site.ts'
import { reach, SCREENS, STATE_NAMES, type StateName, toastOf } from '../support/page-states.ts'
import { pixels } from '../support/pixels.ts'

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
      if (overflowX === 'auto' && element.scrollWidth > element.clientWidth) found.push(`${what} scrolls sideways`)
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

test.each([
  { width: 390, height: 844, density: 3 },
  { width: 440, height: 956, density: 3 },
  { width: 768, height: 1024, density: 2 },
  { width: 834, height: 1194, density: 2 },
  { width: 1024, height: 1366, density: 2 },
  { width: 1080, height: 1920, density: 1 },
])('upright, $width by $height px, the picture has all $density x $density pixels of each', async (screen) => {
  const { width, height, density } = screen
  page = await site.openPage({ viewport: { width, height }, deviceScaleFactor: density })
  const [answer] = await Promise.all([page.waitForResponse(/avif/), page.goto(site.origin)])
  const picture = await sharp(await answer.body()).metadata()
  const shownAs = Math.max(width / picture.width, height / picture.height)
  expect(shownAs * density).toBeLessThanOrEqual(1)
})

test.each([
  [360, 800],
  [390, 844],
  [768, 1024],
  [1024, 768],
  [1280, 1024],
  [1440, 900],
])('at %i by %i px the whole sun is seen', async (width, height) => {
  await show('at rest', { viewport: { width, height } })
  const sky = await pixels(page, { x: 0, y: 0, width, height: Math.round(0.13 * height) })
  const bright = sky.flatMap(([, , blue], i) => (blue > 195 ? [i % width] : []))
  expect(bright.length).toBeGreaterThan(50)
  expect(Math.max(...bright)).toBeLessThan(width - 2)
})

/** The picture at these heights, as parts of the screen. */
const rows = (heights: readonly number[], { width, height }: ViewportSize) =>
  Promise.all(
    heights.map(async (part) => {
      const row = await pixels(page, { x: 0, y: Math.round(part * height), width, height: 1 })
      return [0, 1, 2].map((channel) => row.reduce((sum, pixel) => sum + Number(pixel[channel]), 0) / width)
    }),
  )

test.each(SCREENS)('at %i by %i px the colours of the picture are there before it', async (width, height) => {
  const viewport = { width, height }
  const heights = [0.01, 0.04, 0.3, 0.7, 0.95]
  await show('at rest', { viewport })
  const picture = await rows(heights, viewport)
  page = await site.openPage({ viewport })
  await page.route(/avif|webp/, () => {})
  await page.goto(site.origin, { waitUntil: 'domcontentloaded' })
  const before = await rows(heights, viewport)
  for (const [i, colour] of before.entries())
    for (const [channel, value] of colour.entries())
      expect(Math.abs(value - Number(picture[i]?.[channel])), `at ${heights[i]}`).toBeLessThan(48)
})

const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'

const ENLARGED: Record<string, { readonly viewport: ViewportSize; readonly css?: string }> = {
  '400 % zoom': { viewport: { width: 320, height: 256 } },
  '200 % text': { viewport: { width: 1280, height: 800 }, css: 'html { font-size: 200% }' },
  '200 % text on a small phone': { viewport: { width: 320, height: 568 }, css: 'html { font-size: 200% }' },
  'more space in the text': { viewport: { width: 320, height: 568 }, css: SPACING },
}

/** Gives the page these rules besides its own, in place of those it was given before. */
function restyle(css: string) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

test('icons grow along with the text', async () => {
  await show('an invalid email')
  const sizes = () => page.locator('svg').evaluateAll((all) => all.map((icon) => icon.getBoundingClientRect().width))
  const [before] = [await sizes(), await page.evaluate(restyle, 'html { font-size: 200% }')]
  expect(before.length).toBeGreaterThanOrEqual(5)
  expect(await sizes()).toEqual(before.map((width) => 2 * width))
})

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

test.each(SCREENS)('at %i by %i px each label is nearest to its own field', async (width, height) => {
  await show('the dialog, empty', { viewport: { width, height } })
  const labels = page.getByRole('dialog').locator('label')
  const gaps = await labels.evaluateAll((all) =>
    all.map((label) => {
      const { top, bottom } = label.getBoundingClientRect()
      const own = (label as HTMLLabelElement).control?.getBoundingClientRect().top
      const above = [...document.querySelectorAll('dialog :is(h2, input, textarea)')]
        .map((element) => element.getBoundingClientRect().bottom)
        .filter((end) => end <= top)
      return { own: Number(own) - bottom, above: top - Math.max(...above) }
    }),
  )
  expect(gaps).toHaveLength(4)
  for (const { own, above } of gaps) {
    expect(own).toBeGreaterThanOrEqual(6)
    expect(own).toBeLessThanOrEqual(8)
    expect(above).toBeGreaterThanOrEqual(2 * own)
  }
})

test('what is typed runs in the direction of its own script', async () => {
  await show('the dialog, empty')
  for (const field of await page.locator('input, textarea').all()) {
    await field.evaluate((it: HTMLInputElement) => {
      it.value = 'שלום'
    })
    expect(await field.evaluate((it) => getComputedStyle(it).direction)).toBe('rtl')
  }
})

test('without scripts, what needs them is said above it', async () => {
  page = await site.openPage({ javaScriptEnabled: false })
  await page.goto(site.origin)
  const sentence = await page.locator('noscript').boundingBox()
  const form = await page.getByRole('button', { name: 'Subscribe' }).boundingBox()
  expect(Number(sentence?.y) + Number(sentence?.height)).toBeLessThan(Number(form?.y))
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
