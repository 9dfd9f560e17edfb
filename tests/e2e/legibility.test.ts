import type { Locator, Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { browseBuiltSite } from '../support/browse-built-site.ts'
import { reach, SCREENS } from '../support/page-states.ts'
import { type Pixel, pixels, worstRatio } from '../support/pixels.ts'

const CASES = [...SCREENS, [1024, 768] as const].flatMap(([width, height]) =>
  [1, 2].map((density) => ({ width, height, density })),
)

const site = browseBuiltSite()
let page: Page

/** The least contrast between a text and any pixel of the box it is written in, without the text. */
async function legibility(text: Locator): Promise<number> {
  const { colour, box } = await text.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const { x, y, width, height } = range.getBoundingClientRect()
    return { colour: getComputedStyle(element).color, box: { x, y, width, height } }
  })
  await text.evaluate((element: HTMLElement) => element.style.setProperty('color', 'transparent', 'important'))
  const [red, green, blue] = colour.match(/\d+/g) ?? []
  const ink: Pixel = [Number(red), Number(green), Number(blue)]
  return worstRatio(ink, await pixels(page, box))
}

/** The figures of a run. */
function print(where: string, ratios: Record<string, number>) {
  const figures = Object.entries(ratios).map(([what, ratio]) => `${what} ${ratio.toFixed(1)}`)
  process.stdout.write(`Contrast, ${where}: ${figures.join(', ')}\n`)
}

describe.each(CASES)('at $width by $height px with $density px a CSS pixel', ({ width, height, density }) => {
  test('what stands on the picture stands out by 7 to 1', async () => {
    page = await site.openPage({ viewport: { width, height }, deviceScaleFactor: density, bypassCSP: true })
    await reach(page, site.origin, 'at rest')
    await page.waitForLoadState('networkidle')
    const ratios: Record<string, number> = {
      heading: await legibility(page.getByRole('heading', { name: 'Launching soon!' })),
      'Email field': await legibility(page.locator('main label')),
      'Contact us': await legibility(page.getByRole('button', { name: 'Contact us' })),
    }
    const mark = page.getByText('GWW', { exact: true })
    if (await mark.isVisible()) ratios.mark = await legibility(mark)
    print(`${width} by ${height} at ${density}x`, ratios)
    for (const [what, ratio] of Object.entries(ratios)) expect(ratio, what).toBeGreaterThanOrEqual(7)
  })
})

test.each(SCREENS)(
  'at %i by %i px what is said of an invalid email stands out by 7 to 1, and moves nothing',
  async (width, height) => {
    page = await site.openPage({ viewport: { width, height }, bypassCSP: true })
    await reach(page, site.origin, 'at rest')
    const places = () =>
      page.locator('main > *').evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top + scrollY))
    const before = await places()
    await reach(page, site.origin, 'an invalid email')
    expect((await places()).slice(0, before.length)).toEqual(before)
    expect(
      await legibility(page.locator('main').getByText('Please enter a valid email address')),
    ).toBeGreaterThanOrEqual(7)
  },
)

test.each(SCREENS)(
  'at %i by %i px what stands on the picture without scripts stands out by 7 to 1',
  async (width, height) => {
    page = await site.openPage({ viewport: { width, height }, javaScriptEnabled: false })
    await page.goto(site.origin, { waitUntil: 'networkidle' })
    const mark = page.getByText('GWW', { exact: true })
    for (const text of [page.locator('noscript'), ...((await mark.isVisible()) ? [mark] : [])])
      expect(await legibility(text)).toBeGreaterThanOrEqual(7)
  },
)

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test.each(['the dialog, empty', 'submitting'] as const)(
    'the label of every field stands out by 7 to 1: %s',
    async (name) => {
      page = await site.openPage({ colorScheme, bypassCSP: true })
      await reach(page, site.origin, name)
      const ratios: Record<string, number> = {}
      for (const name of ['First Name', 'Last Name', 'Email', 'Message'])
        ratios[name] = await legibility(page.getByRole('dialog').locator('label').getByText(name, { exact: true }))
      print(colorScheme, ratios)
      for (const [what, ratio] of Object.entries(ratios)) expect(ratio, what).toBeGreaterThanOrEqual(7)
    },
  )
})
