import type { Page } from 'playwright'
import sharp from 'sharp'

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
export type Pixel = readonly [red: number, green: number, blue: number]

/** What the screen shows in a box, row by row. */
export async function pixels(page: Page, box: Box): Promise<Pixel[]> {
  const { data } = await sharp(await page.screenshot({ clip: box }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Array.from(
    { length: data.length / 3 },
    (_, i): Pixel => [Number(data[3 * i]), Number(data[3 * i + 1]), Number(data[3 * i + 2])],
  )
}

/** How two colours stand out from each other (WCAG 2.2). */
export function contrastRatio(one: Pixel, other: Pixel): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (Number(light) + 0.05) / (Number(dark) + 0.05)
}

/** How far a colour stands out from the pixel that is nearest to it. */
export const worstRatio = (colour: Pixel, ground: readonly Pixel[]): number =>
  ground.reduce((worst, pixel) => Math.min(worst, contrastRatio(colour, pixel)), Infinity)

function luminance(pixel: Pixel): number {
  const [red, green, blue] = pixel.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * Number(red) + 0.7152 * Number(green) + 0.0722 * Number(blue)
}
