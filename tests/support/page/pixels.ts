import type { Locator, Page } from 'playwright'
import sharp from 'sharp'

export type Colour = readonly [red: number, green: number, blue: number]

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Where something stands on the screen. */
export async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox()
  if (!box) throw new Error(`${locator} is not seen.`)
  return box
}

/** What the screen shows in a box, row by row. */
export async function pixels(page: Page, box: Box): Promise<Colour[]> {
  const data = await sharp(await page.screenshot({ clip: box }))
    .removeAlpha()
    .raw()
    .toBuffer()
  return Array.from({ length: data.length / 3 }, (_, i) => [
    data[3 * i] ?? 0,
    data[3 * i + 1] ?? 0,
    data[3 * i + 2] ?? 0,
  ])
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How two colours stand out from each other (WCAG 2.2). */
export function contrastRatio(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (Number(light) + 0.05) / (Number(dark) + 0.05)
}

/** How far a colour stands out from the pixel that is nearest to it. */
export const worstRatio = (colour: Colour, ground: readonly Colour[]): number =>
  ground.reduce((worst, pixel) => Math.min(worst, contrastRatio(colour, pixel)), Infinity)
