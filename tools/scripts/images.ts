// Draws the page's images and the social card from the two pictures in tools/images/, which a photograph replaces. What
// has not changed since the last run is not drawn again: tools/images/drawn.json has a hash of what each file is made of.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import sharp, { type Sharp } from 'sharp'
import { PROVIDER } from '../../src/domain/provider.ts'
import { TEXT } from '../../src/domain/texts.ts'
import { COLORS, LOGO } from '../../src/ui/theme/brand.ts'
import { escapeHtml } from '../build/html.ts'

const [MIN_WIDTH, MIN_HEIGHT] = [2560, 2880]
const HERO = 'src/ui/page/hero'
const DRAWN = 'tools/images/drawn.json'

/** A crop of the photograph. `qualities` has a quality for each width of a file: dense screens hide a lower one. */
type Shape = { readonly name: string; readonly size: [number, number]; readonly qualities: Record<number, number> }
const LANDSCAPE: Shape = { name: 'landscape', size: [2560, 1440], qualities: { 1280: 48, 1920: 48, 2560: 48 } }
const PORTRAIT: Shape = { name: 'portrait', size: [1440, 2880], qualities: { 830: 48, 1440: 35 } }

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { focus: { type: 'string' } } })
  for (const file of positionals) await takePhoto(file, Number(values.focus ?? 50))
  await drawHero()
  await drawCard()
} catch (error) {
  console.error(`${error}`)
  process.exitCode = 1
}

/**
 * Replaces both pictures by crops of a photograph: the largest from the upper edge and around the focus, the place that
 * narrow screens keep visible, in percent from the left edge.
 */
async function takePhoto(file: string, focus: number) {
  const upright = sharp(file).autoOrient().removeAlpha().toColourspace('srgb').raw()
  const { data, info } = await upright.toBuffer({ resolveWithObject: true })
  const { width: fullWidth, height: fullHeight } = info
  if (fullWidth < MIN_WIDTH || fullHeight < MIN_HEIGHT)
    throw new Error(`${file} has ${fullWidth} x ${fullHeight} pixels: give ${MIN_WIDTH} x ${MIN_HEIGHT} or more.`)

  async function take({ name, size }: Shape) {
    const [ratio, centre] = [size[0] / size[1], (fullWidth * focus) / 100]
    const width = Math.min(fullWidth, Math.round(fullHeight * ratio))
    const height = Math.min(fullHeight, Math.round(fullWidth / ratio))
    const left = Math.round(Math.min(fullWidth - width, Math.max(0, centre - width / 2)))
    const crop = sharp(data, { raw: info }).extract({ left, top: 0, width, height })
    const picture = crop.resize(...size)
    save(`tools/images/${name}.avif`, await picture.clone().avif({ quality: 80 }).toBuffer())
    return { picture, focus: `${Math.round((100 * (centre - left)) / width)}%` }
  }
  const [landscape, portrait] = [await take(LANDSCAPE), await take(PORTRAIT)]
  const rows = await landscape.picture.clone().resize(1, 16, { fit: 'fill' }).raw().toBuffer()
  const colors = Array.from({ length: 16 }, (_, row) => `#${rows.toString('hex', 3 * row, 3 * row + 3)}`)
  const hero = {
    gradient: `linear-gradient(${colors.join(', ')})`,
    landscape: landscape.focus,
    portrait: portrait.focus,
  }
  save(`${HERO}/hero.json`, `${JSON.stringify(hero, null, 2)}\n`)
}

async function drawHero() {
  for (const { name, size, qualities } of [LANDSCAPE, PORTRAIT]) {
    for (const [width, quality] of Object.entries(qualities)) {
      const height = Math.round((Number(width) * size[1]) / size[0])
      const make = (picture: Sharp) => picture.resize(Number(width), height).avif({ quality })
      await draw(`${HERO}/${name}-${width}.avif`, name, `${height} ${quality}`, make)
    }
  }
}

/** The logo, the name and the heading over the image, on the same veil as on the page. A long heading is smaller. */
async function drawCard() {
  const [width, height] = [1200, 630]
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
  await draw('public/card.jpg', LANDSCAPE.name, svg, (picture) =>
    picture
      .resize(width, height, { position: 'top' })
      .composite([{ input: Buffer.from(svg) }])
      .jpeg({ quality: 86, mozjpeg: true }),
  )
}

/** Draws a file from a picture, unless the file was drawn from the same picture in the same way. */
async function draw(file: string, name: string, way: string, make: (picture: Sharp) => Sharp) {
  const drawn: Record<string, string> = existsSync(DRAWN) ? JSON.parse(readFileSync(DRAWN, 'utf8')) : {}
  const picture = readFileSync(`tools/images/${name}.avif`)
  const hash = createHash('sha256').update(picture).update(way).digest('hex')
  if (drawn[file] === hash && existsSync(file)) return console.log(`${file}: unchanged`)
  save(file, await make(sharp(picture)).toBuffer())
  writeFileSync(DRAWN, `${JSON.stringify({ ...drawn, [file]: hash }, null, 2)}\n`)
}

function save(file: string, data: Buffer | string) {
  writeFileSync(file, data)
  console.log(`${file}: ${(data.length / 1000).toFixed(1)} kB`)
}
