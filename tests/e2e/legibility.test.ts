import type { Locator, Page, PageScreenshotOptions } from 'playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { PROVIDER } from '../../src/domain/provider.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { closeToast, restyle, SCREENS } from '../support/page/page-states.ts'

const site = browseBuiltSite()

/** Relative luminance, as WCAG 2.2 defines it, of red, green and blue. */
function luminance(colour: Iterable<number>): number {
  const [red = 0, green = 0, blue = 0] = Array.from(colour, (channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How two luminances stand out from each other (WCAG 2.2). */
const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)

/** The luminance of each pixel that the screen shows in a box, row by row. */
async function pixels(page: Page, clip: NonNullable<PageScreenshotOptions['clip']>): Promise<number[]> {
  const screenshot = sharp(await page.screenshot({ clip }))
  const data = await screenshot.removeAlpha().raw().toBuffer()
  return Array.from({ length: data.length / 3 }, (_, i) => luminance(data.subarray(3 * i, 3 * i + 3)))
}

/** Every one of these texts has a contrast of 4.5:1 to each pixel of the box that it is written in. */
async function expectLegible(page: Page, texts: readonly Locator[]) {
  for (const text of texts) {
    if (!(await text.isVisible())) continue
    const { css, box } = await text.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const { x, y, width, height } = range.getBoundingClientRect()
      return { css: getComputedStyle(element).color, box: { x, y, width, height } }
    })
    const own = luminance((css.match(/\d+/g) ?? []).map(Number))
    const setColor = (color: string) =>
      text.evaluate((element: HTMLElement, color) => element.style.setProperty('color', color, 'important'), color)
    await setColor('transparent')
    const worst = (await pixels(page, box)).reduce((worst, pixel) => Math.min(worst, contrast(own, pixel)), Infinity)
    await setColor('')
    expect(worst, await text.innerText()).toBeGreaterThanOrEqual(4.5)
  }
}

/** To run in the page: waits until the image for this screen is there. */
async function imageIsThere(): Promise<void> {
  const image = new Image()
  image.src = getComputedStyle(document.querySelector('main') ?? document.body, '::before').backgroundImage.slice(5, -2)
  await image.decode()
  for (const _frame of [1, 2]) await new Promise(requestAnimationFrame)
}

test('what stands on the image is legible on every screen, and on its colours, until it is there', async () => {
  for (const viewport of SCREENS) {
    const page = await site.show('an invalid email', { viewport })
    // Which stands before all this on a small screen.
    await closeToast(page)
    await page.evaluate(imageIsThere)
    const grounds = viewport === SCREENS[0] ? ['', 'main::before { background-image: none !important }'] : ['']
    for (const css of grounds) {
      await page.evaluate(restyle, css)
      const main = page.getByRole('main')
      await expectLegible(page, [
        main.getByRole('heading'),
        main.getByText(PROVIDER, { exact: true }),
        main.getByText(VALIDATION_TEXT.invalidEmail),
        main.getByRole('button', { name: TEXT.contactUs }),
      ])
    }
    await page.evaluate(restyle, '')
  }
})

test('a screen is filled by one image, in its pixels, and shows the page in its own width', async () => {
  const page = await site.openPage()
  const images: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'image') images.push(response.body())
  })
  const devTools = await page.context().newCDPSession(page)
  // The largest screen for each of the upright images, and a phone.
  const screens = [
    { width: 412, height: 823, density: 1.75 },
    { width: 440, height: 956, density: 3 },
    { width: 1440, height: 900, density: 1 },
    { width: 2560, height: 1440, density: 1 },
  ]
  for (const [loads, { width, height, density }] of screens.entries()) {
    const metrics = { width, height, deviceScaleFactor: density, mobile: true }
    await devTools.send('Emulation.setDeviceMetricsOverride', metrics)
    if (loads === 0) await page.goto(site.origin)
    await page.evaluate(imageIsThere)
    expect(images, 'how many were asked for').toHaveLength(loads + 1)
    expect(await page.evaluate(() => innerWidth)).toBe(width)
    const image = await sharp(await images[loads]).metadata()
    const scale = density * Math.max(width / image.width, height / image.height)
    expect(scale).toBeLessThanOrEqual(1)
    expect(scale).toBeGreaterThan(0.6)
  }
})

test('without scripts the page is whole, and one sentence tells what needs them', async () => {
  const page = await site.openPage({ javaScriptEnabled: false })
  await page.goto(site.origin, { waitUntil: 'networkidle' })
  await expectLegible(page, [page.getByText(TEXT.withoutScripts)])
  expect(await page.getByRole('button', { name: TEXT.contactUs }).isVisible()).toBe(true)
  await page.getByPlaceholder(TEXT.emailPlaceholder).fill('visitor@example.com')
  await page.getByPlaceholder(TEXT.emailPlaceholder).press('Enter')
  expect(page.url(), 'no address ends up in a URL').toBe(`${site.origin}/`)
})

/** Of a line through the left edge of an element, from 8 px before it to 8 px inside, something stands out. */
async function expectEdgeSeen(page: Page, element: Locator) {
  const { x, y, height } = await element.evaluate((it) => it.getBoundingClientRect())
  const line = await pixels(page, { x: x - 8, y: Math.round(y + height / 2), width: 16, height: 1 })
  const ratios = line.map((pixel) => contrast(pixel, line[0] ?? 0))
  expect(Math.max(...ratios), `${element}`).toBeGreaterThanOrEqual(3)
}

test.each(['light', 'dark'] as const)(
  'in %s colours the borders of fields are seen, and the focus, on the image and in the dialog',
  async (colorScheme) => {
    for (const state of ['at rest', 'the dialog, empty'] as const) {
      const page = await site.show(state, { colorScheme })
      const scope = page.getByRole(state === 'at rest' ? 'main' : 'dialog')
      for (const element of await scope.locator('button, input, textarea').all()) {
        await element.blur()
        if (state !== 'at rest' && (await element.getAttribute('name'))) await expectEdgeSeen(page, element)
        await element.focus()
        await expectEdgeSeen(page, element)
      }
    }
  },
)

test('in forced colours an invalid field has a mark', async () => {
  const page = await site.show('no first name', { forcedColors: 'active' })
  const borderOf = (placeholder: string) =>
    page
      .getByRole('dialog')
      .getByPlaceholder(placeholder)
      .evaluate((it) => getComputedStyle(it).borderInlineStartWidth)
  expect([await borderOf(TEXT.first), await borderOf(TEXT.last)]).toEqual(['6px', '1px'])
})

test('with reduced motion something else stands in for what turns', async () => {
  const reducedMotion = 'reduce'
  let page = await site.show('a call in flight', { reducedMotion })
  const button = page.getByRole('button', { name: TEXT.subscribe })
  expect(await button.evaluate((it) => getComputedStyle(it, '::after').content)).toBe('"…"')
  page = await site.show('submitting', { reducedMotion })
  expect(await page.getByRole('dialog').getByText(TEXT.sending).first().isVisible()).toBe(true)
  expect(await page.locator('dialog .spinner').evaluate((it) => getComputedStyle(it).animationName)).toBe('none')
})
