import type { Page } from 'playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { reach, resize, SCREENS, type StateName } from '../../scripts/page-states.ts'
import { DESCRIPTION, TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { cut } from '../support/page/cut.ts'
import { pixels } from '../support/page/pixels.ts'

const site = browseBuiltSite()
let page: Page

async function show(name: StateName) {
  page = await site.openPage({ bypassCSP: true })
  await reach(page, site.origin, name)
}

const boxOf = (selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { left, top, right, width, height } = element.getBoundingClientRect()
    return { left, top, right, width, height }
  })

/** Brings the page into a state, and then onto every screen. */
async function onEveryScreen(name: StateName, check: (width: number, height: number) => Promise<void>) {
  await show(name)
  for (const [width, height] of SCREENS) {
    await resize(page, width, height)
    await check(width, height)
    expect(await cut(page), `at ${width} by ${height} px`).toEqual([])
  }
}

test('the picture fills the screen', () =>
  onEveryScreen('at rest', async (width, height) => {
    const main = await boxOf('main')
    expect(main).toMatchObject({ left: 0, top: 0, width })
    expect(main.height).toBeGreaterThanOrEqual(height)
  }))

test('a notification is 25rem wide or fits the screen, 20 px from top and right', () =>
  onEveryScreen('a known address', async (width) => {
    const expected = Math.min(400, width - 40)
    expect(await boxOf('#toast-status > *')).toMatchObject({ top: 20, width: expected, right: width - 20 })
  }))

test('the dialog is 70vw wide, or 22rem, or fits the screen, and its parts have their sizes and places', () =>
  onEveryScreen('submitting', async (width) => {
    const dialog = await boxOf('dialog')
    expect(dialog.width).toBeCloseTo(Math.max(0.7 * width, Math.min(352, width - 32)), 0)
    expect(dialog.left + dialog.width / 2).toBeCloseTo(width / 2, 0)
    expect((await boxOf('textarea')).height).toBe(104)
    expect(await page.locator('textarea').evaluate((box) => getComputedStyle(box).resize)).toBe('none')
    const spinner = page.locator('dialog form [role=status]').locator('span')
    expect(await spinner.evaluate(({ offsetWidth, offsetHeight }: HTMLElement) => [offsetWidth, offsetHeight])).toEqual(
      [50, 50],
    )
    expect(await page.getByRole('button', { name: TEXT.submit }).locator('svg[data-icon=envelope]').isVisible()).toBe(
      true,
    )
    const gaps = await gapsOfLabels()
    expect(gaps).toHaveLength(4)
    for (const { own, above } of gaps) {
      expect(own).toBeGreaterThanOrEqual(6)
      expect(own).toBeLessThanOrEqual(8)
      expect(above, 'a label is nearest to its own field').toBeGreaterThanOrEqual(2 * own)
    }
  }))

/** How far each label of the dialog is from its field, and from what stands above it. */
const gapsOfLabels = () =>
  page
    .getByRole('dialog')
    .locator('label')
    .evaluateAll((all) =>
      all.map((label) => {
        const { top, bottom } = label.getBoundingClientRect()
        const own = (label as HTMLLabelElement).control?.getBoundingClientRect().top
        const above = [...document.querySelectorAll('dialog :is(h2, input, textarea)')]
          .map((element) => element.getBoundingClientRect().bottom)
          .filter((end) => end <= top)
        return { own: Number(own) - bottom, above: top - Math.max(...above) }
      }),
    )

// The largest screen for each of the large upright pictures.
test.each([
  { width: 440, height: 956, density: 3 },
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

test('the sun of the picture is seen whole', async () => {
  await show('at rest')
  for (const [width, height] of [
    [390, 844],
    [768, 1024],
    [1024, 768],
    [1280, 1024],
    [1440, 900],
  ] as const) {
    await resize(page, width, height)
    const sky = await pixels(page, { x: 0, y: 0, width, height: Math.round(0.13 * height) })
    const bright = sky.flatMap(([, , blue], i) => (blue > 195 ? [i % width] : []))
    expect(bright.length, `at ${width} by ${height} px`).toBeGreaterThan(50)
    expect(Math.max(...bright), `at ${width} by ${height} px`).toBeLessThan(width - 2)
  }
})

const HEIGHTS = [0.01, 0.04, 0.3, 0.7, 0.95]

/** The mean colours of the screen at these heights. */
async function rows(): Promise<number[][]> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const shot = await page.screenshot()
  return Promise.all(
    HEIGHTS.map(async (part) => {
      const row = { left: 0, top: Math.round(part * height), width, height: 1 }
      const { channels } = await sharp(await sharp(shot).extract(row).toBuffer()).stats()
      return channels.slice(0, 3).map(({ mean }) => mean)
    }),
  )
}

test('the colours of the picture are there before it', async () => {
  const screens = SCREENS.filter(([width]) => width !== 360 && width < 2000)
  page = await site.openPage()
  await page.route(/avif|webp/, () => {})
  await page.goto(site.origin, { waitUntil: 'domcontentloaded' })
  const before: number[][][] = []
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height })
    before.push(await rows())
  }
  await show('at rest')
  for (const [i, [width, height]] of screens.entries()) {
    await resize(page, width, height)
    const mostOff = async () =>
      Math.max(...(await rows()).flat().map((value, at) => Math.abs(value - Number(before[i]?.flat()[at]))))
    // A browser may paint the other crop some frames after it has it.
    await expect.poll(mostOff, { message: `at ${width} by ${height}` }).toBeLessThan(48)
  }
})

test('icons grow along with the text', async () => {
  await show('an invalid email')
  const sizes = () => page.locator('svg').evaluateAll((all) => all.map((icon) => icon.getBoundingClientRect().width))
  const before = await sizes()
  await page.addStyleTag({ content: 'html { font-size: 200% }' })
  expect(before.length).toBeGreaterThanOrEqual(5)
  expect(await sizes()).toEqual(before.map((width) => 2 * width))
})

test('the fields tell the browser what they take, and what is typed runs in the direction of its own script', async () => {
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
  for (const field of await page.locator('input, textarea').all()) {
    await field.evaluate((it: HTMLInputElement) => {
      it.value = 'שלום'
    })
    expect(await field.evaluate((it) => getComputedStyle(it).direction)).toBe('rtl')
  }
})

test('the page introduces itself: title, description, colour, icons and card are there', async () => {
  await show('at rest')
  const content = (name: string) =>
    page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute('content')
  expect(await content('description')).toBe(DESCRIPTION)
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
