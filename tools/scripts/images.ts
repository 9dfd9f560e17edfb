// Makes the page's images and the social card, from a photograph or from the masters in tools/images/.
import { existsSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { PROVIDER } from '../../src/domain/provider.ts'
import { TEXT } from '../../src/domain/texts.ts'
import { COLORS, LOGO } from '../../src/ui/theme/brand.ts'
import { escapeHtml } from '../build/html.ts'

const [MIN_WIDTH, MIN_HEIGHT] = [2560, 2880]
const USAGE = `Usage: npm run images -- [PHOTO [--focus 0..100]], a photograph of at least ${MIN_WIDTH} x ${MIN_HEIGHT} pixels`
const FOLDER = 'src/ui/page/hero'

/** A crop of the photograph. `qualities` has a quality for each width of a file: dense screens hide a lower one. */
type Shape = { readonly name: string; readonly ratio: number; readonly qualities: Readonly<Record<number, number>> }
const LANDSCAPE: Shape = { name: 'landscape', ratio: 16 / 9, qualities: { 1280: 48, 1920: 48, 2560: 48 } }
const PORTRAIT: Shape = { name: 'portrait', ratio: 1 / 2, qualities: { 830: 48, 1440: 35 } }

/** `focus` is the place that narrow screens keep visible, in percent from the left edge. */
type Source = { readonly file: string; readonly focus: number }
type Photo = Awaited<ReturnType<typeof open>>

class UsageError extends Error {}

try {
  await makeImages(readArguments())
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

function readArguments(): Source | null {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { focus: { type: 'string' } } })
    const { focus = '50' } = values
    const [file] = positionals
    if (positionals.length === 0 && values.focus === undefined) return null
    if (positionals.length === 1 && file && /^(\d{1,2}|100)$/.test(focus)) return { file, focus: Number(focus) }
  } catch {
    // An unknown option is wrong usage too.
  }
  throw new UsageError(USAGE)
}

/** Opens all pictures before it writes a file. */
async function makeImages(source: Source | null) {
  const landscape = await open(
    source ?? { file: 'tools/images/landscape.avif', focus: 70 },
    MIN_WIDTH,
    source ? MIN_HEIGHT : 1440,
  )
  const portrait = source ? landscape : await open({ file: 'tools/images/portrait.avif', focus: 100 }, 1440, 2880)
  const wide = await makeSizes(landscape, LANDSCAPE)
  const high = await makeSizes(portrait, PORTRAIT)
  const hero = { gradient: wide.gradient, landscape: wide.focus, portrait: high.focus }
  save(`${FOLDER}/hero.json`, `${JSON.stringify(hero, null, 2)}\n`)
  save('public/card.jpg', await makeCard(landscape))
}

async function open({ file, focus }: Source, minWidth: number, minHeight: number) {
  const upright = sharp(file).autoOrient().removeAlpha().toColourspace('srgb').raw()
  const { data, info } = await upright.toBuffer({ resolveWithObject: true }).catch(() => {
    if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`)
    throw new UsageError(`${file} can't be read as an image: give a JPEG, PNG, WebP, AVIF or TIFF.`)
  })
  const { width, height } = info
  if (width < minWidth || height < minHeight) {
    const min = `${minWidth} x ${minHeight}`
    throw new UsageError(
      `${file} has ${width} x ${height} pixels, which is too small: both sides count, give ${min} or more.`,
    )
  }
  return { data, info, focus }
}

async function makeSizes(photo: Photo, { name, ratio, qualities }: Shape) {
  const { image, focus } = crop(photo, ratio)
  for (const [width, quality] of Object.entries(qualities)) {
    const resized = image.clone().resize(Number(width), Math.round(Number(width) / ratio))
    save(`${FOLDER}/${name}-${width}.avif`, await resized.avif({ quality }).toBuffer())
  }
  const rows = await image.clone().resize(1, 16, { fit: 'fill' }).raw().toBuffer()
  const colors = Array.from({ length: 16 }, (_, row) => `#${rows.toString('hex', 3 * row, 3 * row + 3)}`)
  return { gradient: `linear-gradient(${colors.join(', ')})`, focus: `${focus}%` }
}

/** Takes the largest crop from the upper edge and around the focus. */
function crop({ data, info, focus }: Photo, ratio: number) {
  const width = Math.min(info.width, Math.round(info.height * ratio))
  const height = Math.min(info.height, Math.round(info.width / ratio))
  const centre = (info.width * focus) / 100
  const left = Math.round(Math.min(info.width - width, Math.max(0, centre - width / 2)))
  const image = sharp(data, { raw: info }).extract({ left, top: 0, width, height })
  return { image, focus: Math.round((100 * (centre - left)) / width) }
}

/** The logo, the name and the heading over the image, on the same veil as on the page. A long heading is smaller. */
async function makeCard(photo: Photo): Promise<Buffer> {
  const [width, height] = [1200, 630]
  const { image } = crop(photo, width / height)
  const headingSize = Math.min(90, 1350 / TEXT.heading.length)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="${COLORS.hero.veil[0]}"/>
    <g transform="translate(560 120) scale(4)" fill="none" stroke="#fff" stroke-width="1.6">
      <path d="${LOGO.shape}" stroke-linejoin="round"/>
      <path d="${LOGO.detail}" stroke-linecap="round"/>
    </g>
    <g font-family="sans-serif" font-weight="bold" text-anchor="middle" fill="#fff">
      <text x="600" y="282" font-size="48">${escapeHtml(PROVIDER)}</text>
      <text x="600" y="410" font-size="${headingSize}">${escapeHtml(TEXT.heading)}</text>
    </g>
  </svg>`
  const card = image.resize(width, height).composite([{ input: Buffer.from(svg) }])
  return card.jpeg({ quality: 86, mozjpeg: true }).toBuffer()
}

function save(file: string, data: Buffer | string) {
  writeFileSync(file, data)
  console.log(`${file}: ${(data.length / 1000).toFixed(1)} kB`)
}
