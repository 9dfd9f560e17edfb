import type { Locator, Page, PageScreenshotOptions } from 'playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite, restyle } from '../support/page/browse-built-site.ts'
import { LARGE_TEXT, SCREENS, SMALL, SMALLEST } from '../support/page/screens.ts'

const site = browseBuiltSite()

/** What each value of a channel adds to the relative luminance of WCAG 2.2, before its weight. */
const LINEAR = Array.from({ length: 256 }, (_, i) => (i <= 10 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ** 2.4))
const luminance = (red = 0, green = 0, blue = 0) =>
  0.2126 * (LINEAR[red] ?? 0) + 0.7152 * (LINEAR[green] ?? 0) + 0.0722 * (LINEAR[blue] ?? 0)

/** How two luminances stand out from each other (WCAG 2.2). */
const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Photographs a part of the page. What it returns tells the luminances of the pixels in a box. */
async function photograph(page: Page, clip: Box, options: PageScreenshotOptions = {}) {
  const data = await sharp(await page.screenshot({ ...options, clip }))
    .removeAlpha()
    .raw()
    .toBuffer()
  return ({ x, y, width, height }: Box) =>
    Array.from({ length: width * height }, (_, pixel) => {
      const row = y - clip.y + Math.floor(pixel / width)
      const i = 3 * (row * clip.width + x - clip.x + (pixel % width))
      return luminance(data[i], data[i + 1], data[i + 2])
    })
}

/** To run in the page: each text of its main part, its colour, and the box that it is written in. */
function textsOfMain() {
  const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (walker.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    const { x, y, width, height } = range.getBoundingClientRect()
    const box = { x: Math.round(x), y: Math.round(y + scrollY), width: Math.floor(width), height: Math.floor(height) }
    const color = getComputedStyle(walker.currentNode.parentElement ?? document.body).color.match(/\d+/g) ?? []
    if (width > 0) found.push({ text: walker.currentNode.textContent ?? '', color: color.map(Number), box })
  }
  return found
}

// White is the worst ground: the texts on the picture are light.
const ON_WHITE = '#notifications { display: none } main::before { background: #fff !important }'

test.each(
  [SMALLEST, SMALL, ...SCREENS].flatMap((viewport) => [
    { viewport, size: 'usual', css: ON_WHITE },
    { viewport, size: 'large', css: `${ON_WHITE} ${LARGE_TEXT}` },
  ]),
)('$size text has a contrast of 4.5:1 to any picture: $viewport', async ({ viewport, css }) => {
  const page = await site.show('an invalid email', { viewport, css })
  const texts = await page.evaluate(textsOfMain)
  await page.evaluate(restyle, `${css} main * { color: transparent !important }`)
  const bottom = Math.max(...texts.map(({ box }) => box.y + box.height))
  const luminancesOf = await photograph(page, { x: 0, y: 0, width: viewport.width, height: bottom }, { fullPage: true })
  for (const { text, color, box } of texts) {
    const own = luminance(...color)
    const worst = luminancesOf(box).reduce((worst, other) => Math.min(worst, contrast(own, other)), Infinity)
    expect.soft(worst, text).toBeGreaterThanOrEqual(4.5)
  }
  expect(texts.map(({ text }) => text)).toContain(TEXT.heading)
})

/** Of a line through the left edge of an element, from 8 px before it to 8 px inside, something stands out. */
async function expectEdgeSeen(page: Page, element: Locator) {
  const { x, y, height } = await element.evaluate((it) => it.getBoundingClientRect())
  const line = { x: x - 8, y: Math.round(y + height / 2), width: 16, height: 1 }
  const luminances = (await photograph(page, line))(line)
  const ratios = luminances.map((other) => contrast(other, luminances[0] ?? 0))
  expect.soft(Math.max(...ratios), `${element}`).toBeGreaterThanOrEqual(3)
}

const SCHEMES = ['light', 'dark'] as const

test.each(SCHEMES)('in %s colours the borders of the fields are seen', async (colorScheme) => {
  const page = await site.show('the dialog, empty', { colorScheme })
  for (const field of await page.getByRole('dialog').getByRole('textbox').all()) {
    await field.blur()
    await expectEdgeSeen(page, field)
  }
})

test.each(
  SCHEMES.flatMap((colorScheme) => [
    { colorScheme, state: 'at rest', scope: 'main' } as const,
    { colorScheme, state: 'the dialog, empty', scope: 'dialog' } as const,
  ]),
)('in $colorScheme colours the focus is seen in the state $state', async ({ colorScheme, state, scope }) => {
  const page = await site.show(state, { colorScheme })
  for (const element of await page.getByRole(scope).locator('button, input, textarea').all()) {
    await element.focus()
    await expectEdgeSeen(page, element)
  }
})

/** To run in the page: waits until the image for this screen is there, and tells its size. */
async function imageIsThere() {
  const image = new Image()
  image.src = getComputedStyle(document.querySelector('main') ?? document.body, '::before').backgroundImage.slice(5, -2)
  await image.decode()
  return { width: image.naturalWidth, height: image.naturalHeight }
}

test('a screen loads one image, in its pixels', async () => {
  const page = await site.openPage()
  let asked = 0
  page.on('request', (request) => {
    if (request.resourceType() === 'image') asked += 1
  })
  const devTools = await page.context().newCDPSession(page)
  // The largest screen for each of the upright images, a narrower one of as many pixels, and wide ones.
  for (const [width, height, density, images] of [
    [412, 823, 1.75, 1],
    [440, 956, 3, 2],
    [390, 844, 3, 2],
    [1440, 900, 1, 3],
    [2560, 1440, 1, 4],
  ] as const) {
    const metrics = { width, height, deviceScaleFactor: density, mobile: true }
    await devTools.send('Emulation.setDeviceMetricsOverride', metrics)
    if (asked === 0) await page.goto(site.origin)
    const image = await page.evaluate(imageIsThere)
    expect(asked).toBe(images)
    const scale = density * Math.max(width / image.width, height / image.height)
    expect(scale).toBeLessThanOrEqual(1)
    expect(scale).toBeGreaterThan(0.6)
  }
})

test.each([
  ['the middle', { width: 844, height: 390 }, '50%'],
  ['the top', { width: 1280, height: 800 }, '0px'],
])('of its picture a screen shows %s: %o', async (_, viewport, place) => {
  const page = await site.show('at rest', { viewport })
  const position = await page
    .getByRole('main')
    .evaluate((main) => getComputedStyle(main, '::before').backgroundPositionY)
  expect(position).toBe(place)
})
