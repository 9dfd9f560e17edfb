import sharp from 'sharp'
import { expect, test } from 'vitest'
import { groundOf, lightFor } from '../../scripts/picture-colours.ts'

/** Colours from top to bottom, each with its share of the height. */
async function picture(...bands: [colour: string, share: number][]) {
  const [width, height] = [100, 200]
  let top = 0
  const layers = bands.map(([background, share]) => {
    const input = { create: { width, height: height * share, channels: 3 as const, background } }
    top += height * share
    return { input, left: 0, top: top - height * share }
  })
  const base = sharp({ create: { width, height, channels: 3, background: '#000' } })
  return sharp(await base.composite(layers).png().toBuffer())
}

test('the gradient has the colours of the picture, and its horizon where they change most', async () => {
  const sunset = await picture(['#c08040', 0.3], ['#204060', 0.7])
  expect(await groundOf(sunset, [100, 200])).toEqual({
    gradient: 'linear-gradient(#c08040, #c08040 var(--horizon), #204060 0, #204060 40%, #204060 70%, #204060)',
    horizon: 'max(30%, 60vw)',
  })
})

test('a bright picture loses light until white text has a contrast of 4.5:1 on it; a dark one keeps all', async () => {
  const bright = await picture(['#ffffff', 0.4], ['#eeeeee', 0.6])
  const light = await lightFor(bright, [0.1, 0.9])
  const darkened = Math.round(255 * light) / 255
  const luminance = ((darkened + 0.055) / 1.055) ** 2.4
  expect(1.05 / (luminance + 0.05)).toBeGreaterThanOrEqual(4.5)
  expect(await lightFor(await picture(['#ffffff', 0.1], ['#203040', 0.9]), [0.1, 0.9])).toBe(1)
})
