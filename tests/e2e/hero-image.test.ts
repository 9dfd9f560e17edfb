import sharp from 'sharp'
import { expect, test } from 'vitest'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'

const site = browseBuiltSite()

// The largest screen for each of the upright images, and a phone.
test.each([
  { width: 412, height: 823, density: 1.75 },
  { width: 440, height: 956, density: 3 },
  { width: 1440, height: 900, density: 1 },
  { width: 2560, height: 1440, density: 1 },
])(
  'on $width by $height px, $density pixels each, one image is asked for, in the pixels of the screen',
  async (screen) => {
    const { width, height, density } = screen
    const page = await site.openPage({ viewport: { width, height }, deviceScaleFactor: density })
    const images: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'image') images.push(response.body())
    })
    // On a busy machine the network may be idle before the image is asked for.
    await page.goto(site.origin)
    await page.waitForLoadState('networkidle')
    expect(images).toHaveLength(1)
    const image = await sharp(await images[0]).metadata()
    const scale = density * Math.max(width / image.width, height / image.height)
    expect(scale).toBeLessThanOrEqual(1)
    expect(scale).toBeGreaterThan(0.6)
  },
)
