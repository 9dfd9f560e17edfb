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

/** The luminance of each pixel of a screenshot, row by row. */
async function pixels(page: Page, options: PageScreenshotOptions) {
  const { data, info } = await sharp(await page.screenshot(options))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (i: number) => luminance(data[i], data[i + 1], data[i + 2])
  return { width: info.width, all: Array.from({ length: data.length / 3 }, (_, i) => at(3 * i)) }
}

/** To run in the page: each text of its main part, its colour, and the box that it is written in. */
function textsOfMain() {
  const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (walker.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    const { left, top, right, bottom } = range.getBoundingClientRect()
    const color = getComputedStyle(walker.currentNode.parentElement ?? document.body).color.match(/\d+/g) ?? []
    const box = [left + scrollX, top + scrollY, right + scrollX, bottom + scrollY].map(Math.round)
    if (right > left) found.push({ text: walker.currentNode.textContent, color: color.map(Number), box })
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
  const { width, all } = await pixels(page, { fullPage: true })
  for (const { text, color, box } of texts) {
    const [left = 0, top = 0, right = 0, bottom = 0] = box
    const own = luminance(...color)
    let worst = Infinity
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) worst = Math.min(worst, contrast(own, all[y * width + x] ?? 0))
    expect.soft(worst, text ?? '').toBeGreaterThanOrEqual(4.5)
  }
  expect(texts.map(({ text }) => text)).toContain(TEXT.heading)
})

/** Of a line through the left edge of an element, from 8 px before it to 8 px inside, something stands out. */
async function expectEdgeSeen(page: Page, element: Locator) {
  const { x, y, height } = await element.evaluate((it) => it.getBoundingClientRect())
  const { all } = await pixels(page, { clip: { x: x - 8, y: Math.round(y + height / 2), width: 16, height: 1 } })
  expect.soft(Math.max(...all.map((pixel) => contrast(pixel, all[0] ?? 0))), `${element}`).toBeGreaterThanOrEqual(3)
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
