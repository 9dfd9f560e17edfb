import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { reach, resize, SCREENS, STATES } from '../../scripts/page-states.ts'
import { PROVIDER } from '../../src/domain/provider.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { pixels, worstRatio } from '../support/page/pixels.ts'

/** Screens by how many of their pixels are one of CSS: those of two where they get another picture. */
const SCREENS_BY_DENSITY = {
  1: [...SCREENS, [1024, 768]],
  2: [
    [360, 800],
    [768, 1024],
    [844, 390],
  ],
} as const

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
  const ground = await pixels(page, box)
  await text.evaluate((element: HTMLElement) => element.style.removeProperty('color'))
  return worstRatio([Number(red), Number(green), Number(blue)], ground)
}

/** Measures what of these texts is seen, and prints the figures. */
async function expectLegible(where: string, texts: Record<string, Locator>) {
  const ratios: Record<string, number> = {}
  for (const [what, text] of Object.entries(texts)) if (await text.isVisible()) ratios[what] = await legibility(text)
  const figures = Object.entries(ratios).map(([what, ratio]) => `${what} ${ratio.toFixed(1)}`)
  process.stdout.write(`Contrast, ${where}: ${figures.join(', ')}\n`)
  for (const [what, ratio] of Object.entries(ratios)) expect(ratio, `${what}, ${where}`).toBeGreaterThanOrEqual(7)
}

test.each([1, 2] as const)(
  'what stands on the picture stands out by 7 to 1, with %i pixels a CSS pixel; an invalid email moves nothing',
  async (density) => {
    page = await site.openPage({ deviceScaleFactor: density, bypassCSP: true })
    await reach(page, site.origin, 'at rest')
    const places = () =>
      page.locator('main > *').evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top + scrollY))
    const before: number[][] = []
    for (const [width, height] of SCREENS_BY_DENSITY[density]) {
      await resize(page, width, height)
      before.push(await places())
    }
    await STATES['an invalid email'](page)
    // Without the notification, which stands before all this on a small screen.
    await page.getByRole('button', { name: TEXT.close }).click()
    for (const [i, [width, height]] of SCREENS_BY_DENSITY[density].entries()) {
      await resize(page, width, height)
      expect((await places()).slice(0, before[i]?.length)).toEqual(before[i])
      await expectLegible(`${width} by ${height} at ${density}x`, {
        heading: page.getByRole('heading', { name: TEXT.heading }),
        'Email field': page.locator('main label'),
        'its problem': page.locator('main').getByText(VALIDATION_TEXT.invalidEmail),
        opener: page.getByRole('button', { name: TEXT.contactUs }),
        mark: page.getByText(PROVIDER, { exact: true }),
      })
    }
  },
)

test('so does what stands there without scripts', async () => {
  page = await site.openPage({ javaScriptEnabled: false })
  await page.goto(site.origin, { waitUntil: 'networkidle' })
  for (const [width, height] of SCREENS) {
    await resize(page, width, height)
    const texts = { noscript: page.locator('noscript'), mark: page.getByText(PROVIDER, { exact: true }) }
    await expectLegible(`${width} by ${height} without scripts`, texts)
  }
})

test.each(['the dialog, empty', 'submitting'] as const)(
  'the label of every field stands out by 7 to 1, in light and in dark: %s',
  async (name) => {
    page = await site.openPage({ bypassCSP: true })
    await reach(page, site.origin, name)
    const labels = page.getByRole('dialog').locator('label')
    const names = [TEXT.first, TEXT.last, TEXT.email, TEXT.message]
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const texts = names.map((field) => [field, labels.getByText(field, { exact: true })])
      await expectLegible(`${name}, ${colorScheme}`, Object.fromEntries(texts))
    }
  },
)
