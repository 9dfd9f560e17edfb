import type { Page } from 'playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { buildVariant } from '../support/page/build-variant.ts'
import { resize } from '../support/page/page-states.ts'
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

test.each([
  ['fades in within 200 ms', 'no-preference', { width: 1440, height: 900 }, [['::before', 'opacity', 0.2]]],
  ['comes at once where motion is reduced', 'reduce', { width: 320, height: 568 }, []],
] as const)(
  'the picture %s when it is whole; its colours are there before',
  async (_, reducedMotion, viewport, expected) => {
    const page = await site.openPage({ reducedMotion, viewport })
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
    const before = await rows(page)
    asked.resolve()
    await expect.poll(opacity).toBe('1')
    await expect.poll(() => fades.jsonValue()).toEqual(expected)
    const off = (await rows(page)).map((value, at) => Math.abs(value - Number(before[at])))
    expect(Math.max(...off)).toBeLessThan(48)
  },
)

test('a picture that is missing ends the build, with its name', () => {
  const withoutFile = [["image('landscape-1280')", "image('landscape-1')"]] as const
  expect(() => buildVariant({ 'src/ui/page/backdrop.ts': withoutFile })).toThrow(
    'src/ui/page/water/landscape-1.avif is missing: run `npm run pictures`.',
  )
})
