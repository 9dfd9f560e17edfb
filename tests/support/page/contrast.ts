import type { Locator, Page } from 'playwright'
import sharp from 'sharp'

const linear = (value: number) => (value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4)

/** The relative luminance of a pixel (WCAG 2.2). */
export const luminance = ([red = 0, green = 0, blue = 0]: Iterable<number>) =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** The contrast of two luminances, from 1 to 21 (WCAG 2.2). */
export const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

/** The pixels of a screenshot, each as three bytes. */
export const pixelsOf = (screenshot: Buffer) =>
  sharp(screenshot).removeAlpha().raw().toBuffer({ resolveWithObject: true })

/** White is the worst picture, because the texts and rings on it are light. */
export const WHITE_PICTURE = 'header + div::before { background: #fff !important; mask: none !important }'

/**
 * Moves the focus to an element, and returns the lowest contrast of its ring with what the ring covers. The ring is
 * measured along the middle of its stroke, at all four sides, without the corners.
 */
export async function ringContrast(page: Page, element: Locator): Promise<number> {
  await element.focus()
  const { x, y, width, height, stroke } = await element.evaluate((focused) => {
    // Chakra hides the input of a checkbox, and draws the ring around this part beside the input.
    const it = focused.closest('label')?.querySelector('[data-part=control]') ?? focused
    const { outlineOffset, outlineWidth } = getComputedStyle(it)
    const { x, y, width, height } = it.getBoundingClientRect()
    return { x, y, width, height, stroke: Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth) / 2 }
  })
  const clip = {
    x: Math.floor(x) - 8,
    y: Math.floor(y) - 8,
    width: Math.ceil(width) + 17,
    height: Math.ceil(height) + 17,
  }
  const focused = await pixelsOf(await page.screenshot({ clip }))
  await element.blur()
  const usual = await pixelsOf(await page.screenshot({ clip }))
  const contrastAt = (left: number, top: number) => {
    const at = 3 * (Math.floor(top - clip.y) * usual.info.width + Math.floor(left - clip.x))
    return contrast(luminance(focused.data.subarray(at, at + 3)), luminance(usual.data.subarray(at, at + 3)))
  }
  const parts = [0.3, 0.4, 0.5, 0.6, 0.7]
  return Math.min(
    ...parts.flatMap((part) => [
      contrastAt(x + part * width, y - stroke),
      contrastAt(x + part * width, y + height + stroke),
      contrastAt(x - stroke, y + part * height),
      contrastAt(x + width + stroke, y + part * height),
    ]),
  )
}
