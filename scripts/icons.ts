import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { COLOURS } from '../src/domain/brand.ts'

const FAVICON = 'public/favicon.svg'
const TOUCH_ICON = 'public/touch-icon.png'
const SIZE = 180
const MARK = 144

/** A drop with a wave in it, in the brand's colours. */
const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 2.5c5 6.3 9 11.2 9 16.2a9 9 0 0 1-18 0c0-5 4-9.9 9-16.2z" fill="${COLOURS.accent[0]}"/><path d="M9.5 19.5q2.170-2.600 4.330 0t4.330 0 4.340 0" fill="none" stroke="${COLOURS.accentStrong[1]}" stroke-width="2.2" stroke-linecap="round"/></svg>
`

/** Draws the icons of a tab and of a home screen. */
export async function drawIcons(): Promise<string[]> {
  writeFileSync(FAVICON, mark)
  const drop = sharp(Buffer.from(mark), { density: (72 * MARK) / 32 }).resize(MARK)
  await sharp({ create: { width: SIZE, height: SIZE, channels: 3, background: COLOURS.deep[0] } })
    .composite([{ input: await drop.png().toBuffer() }])
    .png({ palette: true, effort: 10 })
    .toFile(TOUCH_ICON)
  return [FAVICON, TOUCH_ICON]
}
