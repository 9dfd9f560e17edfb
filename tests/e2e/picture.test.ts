import type { Page } from 'playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { resize, SCREENS } from '../support/page/page-states.ts'
import { pixels } from '../support/page/pixels.ts'

const site = browseBuiltSite()

// The largest screen for each of the large upright pictures, and a phone.
test.each([
  { width: 412, height: 823, density: 1.75 },
  { width: 440, height: 956, density: 3 },
  { width: 1024, height: 1366, density: 2 },
  { width: 1080, height: 1920, density: 1 },
])(
  'upright, $width by $height px, one picture is asked for: with all $density x $density pixels of each, and few more',
  async (screen) => {
    const { width, height, density } = screen
    const page = await site.openPage({ viewport: { width, height }, deviceScaleFactor: density })
    const pictures: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'image') pictures.push(response.body())
    })
    await page.goto(site.origin, { waitUntil: 'networkidle' })
    expect(pictures).toHaveLength(1)
    const picture = await sharp(await pictures[0]).metadata()
    const pixelShownAs = density * Math.max(width / picture.width, height / picture.height)
    expect(pixelShownAs).toBeLessThanOrEqual(1)
    expect(pixelShownAs).toBeGreaterThan(0.6)
  },
)

test('the sun of the picture is seen whole', async () => {
  const page = await site.show('at rest')
  for (const [wide, height] of Object.entries({ 390: 844, 768: 1024, 1024: 768, 1280: 1024, 1440: 900 })) {
    const width = Number(wide)
    await resize(page, width, height)
    const sky = await pixels(page, { x: 0, y: 0, width, height: Math.round(0.13 * height) })
    const bright = sky.flatMap(([, , blue], i) => (blue > 195 ? [i % width] : []))
    expect(bright.length, `at ${width} by ${height} px`).toBeGreaterThan(50)
    expect(Math.max(...bright), `at ${width} by ${height} px`).toBeLessThan(width - 2)
  }
})

/** The mean colours of the screen at these hundredths of its height. */
async function rows(page: Page): Promise<number[]> {
  const data = await sharp(await page.screenshot())
    .resize(1, 100, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer()
  return [1, 4, 30, 70, 95].flatMap((row) => [...data.subarray(3 * row, 3 * row + 3)])
}

test('the colours of the picture are there before it', async () => {
  const bare = await site.openPage()
  await bare.route(/avif|webp/, () => {})
  await bare.goto(site.origin, { waitUntil: 'domcontentloaded' })
  const page = await site.show('at rest')
  for (const [width, height] of SCREENS.filter(([width]) => width !== 360 && width < 2000)) {
    await bare.setViewportSize({ width, height })
    const before = await rows(bare)
    await resize(page, width, height)
    const mostOff = async () => Math.max(...(await rows(page)).map((value, at) => Math.abs(value - Number(before[at]))))
    // A browser may paint the other crop some frames after it has it.
    await expect.poll(mostOff, { message: `at ${width} by ${height}` }).toBeLessThan(48)
  }
})

test.each([
  ['fades in within 200 ms, when it is whole', 'no-preference', [['::before', 'opacity', 0.2]]],
  ['comes at once, when it is whole, where motion is reduced', 'reduce', []],
] as const)('the picture %s', async (_, reducedMotion, expected) => {
  const page = await site.openPage({ reducedMotion })
  const asked = Promise.withResolvers<void>()
  await page.route(/avif/, (route) => asked.promise.then(() => route.continue()))
  await page.goto(site.origin, { waitUntil: 'domcontentloaded' })
  const opacity = () => page.locator('main').evaluate((main) => getComputedStyle(main, '::before').opacity)
  const fades = await page.evaluateHandle(() => {
    const seen: unknown[] = []
    addEventListener('transitionend', ({ pseudoElement, propertyName, elapsedTime }) => {
      seen.push([pseudoElement, propertyName, elapsedTime])
    })
    return seen
  })
  expect(await opacity()).toBe('0')
  asked.resolve()
  await expect.poll(opacity).toBe('1')
  await expect.poll(() => fades.jsonValue()).toEqual(expected)
})
