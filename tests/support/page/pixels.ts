import type { Locator, Page } from 'playwright'
import sharp from 'sharp'
import { type Colour, luminance, readPixels } from '../../../scripts/picture-colours.ts'

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Where something stands on the screen. */
export async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox()
  if (!box) throw new Error(`${locator} is not seen.`)
  return box
}

/** What the screen shows in a box, row by row. */
export const pixels = async (page: Page, box: Box): Promise<Colour[]> =>
  readPixels(sharp(await page.screenshot({ clip: box })))

/** How two colours stand out from each other (WCAG 2.2). */
export function contrastRatio(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (Number(light) + 0.05) / (Number(dark) + 0.05)
}

/** How far a colour stands out from the pixel that is nearest to it. */
export const worstRatio = (colour: Colour, ground: readonly Colour[]): number =>
  ground.reduce((worst, pixel) => Math.min(worst, contrastRatio(colour, pixel)), Infinity)
