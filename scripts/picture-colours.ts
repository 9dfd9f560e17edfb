import type { Sharp } from 'sharp'

export type Colour = readonly [red: number, green: number, blue: number]

const ROWS = 200
/** On this luminance, white text has a contrast of 4.5:1. */
const MAX_LUMINANCE = 0.183

/**
 * A gradient of the picture's colours from top to bottom, with an edge at `--horizon`: where the picture changes most.
 * `horizon` is its place in an element that a picture of this size covers from the upper edge.
 */
export async function groundOf(picture: Sharp, [width, height]: readonly [number, number]) {
  const rows = await pixelsOf(picture, 1, ROWS)
  const mean = (from: number, to: number) => meanOf(rows.slice(Math.max(0, Math.round(from)), Math.round(to)))
  const steps = rows.map((_, row) => (row < 4 || row > ROWS / 2 ? 0 : distance(mean(row - 3, row), mean(row, row + 3))))
  const edge = steps.indexOf(Math.max(...steps))
  const below = (share: number) => {
    const row = edge + (ROWS - edge) * share
    return `${hexOf(mean(row - 5, row + 5))} ${10 * Math.round((10 * row) / ROWS)}%`
  }
  const stops = [
    hexOf(mean(0, 3)),
    `${hexOf(mean(edge - 4, edge))} var(--horizon)`,
    `${hexOf(mean(edge, edge + 4))} 0`,
    below(0.2),
    below(0.55),
    hexOf(mean(ROWS - 10, ROWS)),
  ]
  const share = edge / ROWS
  return {
    gradient: `linear-gradient(${stops.join(', ')})`,
    horizon: `max(${100 * share}%, ${Math.round((1000 * share * height) / width) / 10}vw)`,
  }
}

/** The factor, at most 1, that makes a picture dark enough for white text between these fractions of its width. */
export async function lightFor(picture: Sharp, [from, to]: readonly [number, number]): Promise<number> {
  const [columns, rows] = [100, 100]
  const pixels = await pixelsOf(picture, columns, rows)
  const behind = pixels.filter((_, i) => {
    const [x, y] = [(i % columns) / columns, i / columns / rows]
    return x >= from && x < to && y >= 0.2 && y < 0.8
  })
  const brightest = Math.max(...behind.map(luminance))
  return Math.min(1, (MAX_LUMINANCE / brightest) ** (1 / 2.2))
}

/** The picture scaled down, so that each pixel is a mean. */
const pixelsOf = (picture: Sharp, width: number, height: number): Promise<Colour[]> =>
  readPixels(picture.clone().resize({ width, height, fit: 'fill' }).toColourspace('srgb'))

/** Every pixel, row by row, without transparency. */
export async function readPixels(picture: Sharp): Promise<Colour[]> {
  const data = await picture.removeAlpha().raw().toBuffer()
  return Array.from({ length: data.length / 3 }, (_, i) => [
    data[3 * i] ?? 0,
    data[3 * i + 1] ?? 0,
    data[3 * i + 2] ?? 0,
  ])
}

const meanOf = (colours: readonly Colour[]): Colour => {
  const mean = (channel: 0 | 1 | 2) => colours.reduce((sum, colour) => sum + colour[channel], 0) / colours.length
  return [mean(0), mean(1), mean(2)]
}

const distance = (one: Colour, other: Colour) => Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])

const hexOf = (colour: Colour) =>
  `#${colour.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance as WCAG 2.2 defines it. */
export function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
