import { chromium } from 'playwright'
import sharp from 'sharp'
import { serveDist } from '../tests/support/page/serve-dist.ts'
import { CHROMIUM_ARGS, chromiumPath } from './chromium.ts'

/** Leaves the name and the heading, large enough to be read in a small preview. */
const STYLE = `
  form, main > button { display: none !important }
  main { gap: 2.5rem !important }
  main > p { zoom: 2 }
  h1 { font-size: 6rem !important }`

/** Takes the picture that links to the page are shown with, of the built page. */
export async function takeCard(): Promise<Buffer> {
  const served = await serveDist()
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGS })
  try {
    const page = await browser.newPage({
      viewport: { width: 1200, height: 630 },
      reducedMotion: 'reduce',
      bypassCSP: true,
    })
    await page.goto(served.url)
    await page.addStyleTag({ content: STYLE })
    return await sharp(await page.screenshot())
      .jpeg({ quality: 86, mozjpeg: true })
      .toBuffer()
  } finally {
    await browser.close()
    await served.close()
  }
}
