import type { Locator, Page } from 'playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'

const site = browseBuiltSite()
const SCHEMES = ['light', 'dark'] as const

/** The relative luminance of WCAG 2.2. */
function luminance([red = 0, green = 0, blue = 0]: Iterable<number>): number {
  const linear = (channel: number) => (channel <= 10 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** The contrast ratio of two colours (WCAG 2.2). */
function contrast(color: Iterable<number>, otherColor: Iterable<number>): number {
  const [darker = 0, lighter = 0] = [luminance(color), luminance(otherColor)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The pixels on a line through the left edge of an element, from 8 px outside to 8 px inside. */
async function edgeOf(page: Page, element: Locator) {
  const { x, y, height } = await element.evaluate((it) => it.getBoundingClientRect())
  const line = await page.screenshot({ clip: { x: x - 8, y: Math.round(y + height / 2), width: 16, height: 1 } })
  const pixels = await sharp(line).removeAlpha().raw().toBuffer()
  return Array.from({ length: 16 }, (_, pixel) => pixels.subarray(3 * pixel, 3 * pixel + 3))
}

test.each(SCHEMES)('in %s colours the focus is visible at each control', async (colorScheme) => {
  const { page, dialog, fillIn } = await site.revisit()
  await page.emulateMedia({ colorScheme })
  for (const scope of [page.getByRole('main'), dialog]) {
    if (scope === dialog) await fillIn({})
    // A browser marks the focus only after the use of a key.
    await page.keyboard.press('Shift')
    for (const control of await scope.locator('button, input, textarea').filter({ visible: true }).all()) {
      await control.focus()
      const focused = await edgeOf(page, control)
      await control.blur()
      const usual = await edgeOf(page, control)
      const ratios = focused.map((pixel, place) => contrast(pixel, usual[place] ?? []))
      expect.soft(Math.max(...ratios), `${control}`).toBeGreaterThanOrEqual(3)
    }
  }
})

test.each(SCHEMES)('in %s colours the placeholders have enough contrast', async (colorScheme) => {
  const { page, dialog, fillIn } = await site.revisit()
  await page.emulateMedia({ colorScheme })
  await fillIn({})
  for (const field of await dialog.getByRole('textbox').all()) {
    const [text = [], ground = []] = await field.evaluate((it) => {
      const colors = [getComputedStyle(it, '::placeholder').color, getComputedStyle(it).backgroundColor]
      return colors.map((color) => color.match(/\d+/g)?.map(Number) ?? [])
    })
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
  }
})
