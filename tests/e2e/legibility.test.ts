import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { PROVIDER } from '../../src/domain/provider.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { animationsFinished, gotoState, SCREENS, STATES } from '../support/page/page-states.ts'
import { boxOf, type Colour, contrastRatio, pixels, worstRatio } from '../support/page/pixels.ts'

const SCHEMES = ['light', 'dark'] as const

const site = browseBuiltSite()

const channels = (css: string) => (css.match(/\d+/g) ?? []).map(Number) as unknown as Colour

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
    const setColor = (color: string) =>
      text.evaluate((element: HTMLElement, color) => element.style.setProperty('color', color, 'important'), color)
    await setColor('transparent')
    const ratio = worstRatio(channels(css), await pixels(page, box))
    await setColor('')
    expect(ratio, await text.innerText()).toBeGreaterThanOrEqual(4.5)
  }
}

test.each([
  ...SCREENS.map((viewport) => ['on the image', viewport] as const),
  ...SCREENS.slice(0, 1).map((viewport) => ['on its colours, until it is there,', viewport] as const),
])('what stands %s is legible at %j', async (ground, viewport) => {
  const page = await site.openPage({ bypassCSP: true })
  await page.setViewportSize(viewport)
  if (ground !== 'on the image') await page.route(/avif/, (route) => route.abort())
  await gotoState(page, site.origin, 'an invalid email')
  await page.waitForLoadState('networkidle')
  // Without the notification, which stands before all this on a small screen.
  await page.getByRole('button', { name: TEXT.close }).click()
  const main = page.getByRole('main')
  await expectLegible(page, [
    main.getByRole('heading'),
    main.getByText(PROVIDER, { exact: true }),
    main.getByText(VALIDATION_TEXT.invalidEmail),
    main.getByRole('button', { name: TEXT.contactUs }),
  ])
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

/** The colours of a line through the left edge of an element, from 8 px before it to 8 px inside. */
async function edge(page: Page, element: Locator): Promise<Colour[]> {
  const { x, y, height } = await boxOf(element)
  return pixels(page, { x: x - 8, y: Math.round(y + height / 2), width: 16, height: 1 })
}

test.each(SCHEMES)('in %s colours the focus is seen on the image and in the dialog', async (colorScheme) => {
  const page = await site.show('at rest', { colorScheme })
  const expectFocusSeen = async (scope: Locator) => {
    for (const element of await scope.locator('button, input, textarea').all()) {
      await element.focus()
      const [outside, ...line] = await edge(page, element)
      const ratios = line.map((pixel) => contrastRatio(pixel, outside ?? pixel))
      expect(Math.max(...ratios)).toBeGreaterThanOrEqual(3)
    }
  }
  await expectFocusSeen(page.getByRole('main'))
  await STATES['the dialog, empty'](page)
  await page.evaluate(animationsFinished)
  await expectFocusSeen(page.getByRole('dialog'))
})

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
  const page = await site.show('a call in flight', { reducedMotion: 'reduce' })
  const button = page.getByRole('button', { name: TEXT.subscribe })
  expect(await button.evaluate((it) => getComputedStyle(it, '::after').content)).toBe('"…"')
  await STATES.submitting(page)
  expect(await page.getByRole('dialog').getByText(TEXT.sending).first().isVisible()).toBe(true)
  expect(await page.locator('dialog .spinner').evaluate((it) => getComputedStyle(it).animationName)).toBe('none')
})
