// Draws the icon of a home screen from the mark: node scripts/icons.ts
import sharp from 'sharp'
import { COLOURS } from '../src/domain/brand.ts'

const SIZE = 180
const MARK = 144

const mark = await sharp('public/favicon.svg', { density: (72 * MARK) / 32 })
  .resize(MARK)
  .png()
  .toBuffer()
await sharp({ create: { width: SIZE, height: SIZE, channels: 3, background: COLOURS.deep[0] } })
  .composite([{ input: mark }])
  .png({ palette: true, effort: 10 })
  .toFile('public/touch-icon.png')
