// Draws the social card from a picture in tools/images/. If a photograph is given, first crops it into the two pictures
// of that folder. With a photograph or with --all, also writes the images of the page.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import sharp, { type Sharp } from 'sharp'
import { escapeHtml } from '../../server/http/html.ts'
import { PROVIDER } from '../../src/domain/provider.ts'
import { TEXT } from '../../src/domain/texts.ts'
import { LOGO, SCENE_COLORS } from '../../src/ui/theme/brand.ts'

const [MIN_WIDTH, MIN_HEIGHT] = [2560, 2880]
const HERO = 'src/ui/theme/hero'

/** A crop of the photograph. `qualities` has the quality for each width. On a dense screen, a low quality is not seen. */
type Shape = { readonly name: string; readonly size: [number, number]; readonly qualities: Record<number, number> }
const LANDSCAPE: Shape = { name: 'landscape', size: [2560, 1960], qualities: { 1280: 48, 1920: 48, 2560: 48 } }
const PORTRAIT: Shape = { name: 'portrait', size: [1440, 2880], qualities: { 830: 46, 1440: 35 } }
const sourceOf = ({ name }: Shape) => sharp(`tools/images/${name}.avif`)

try {
  const percents = { focus: { type: 'string', default: '66' }, horizon: { type: 'string', default: '36' } } as const
  const options = { ...percents, all: { type: 'boolean' } } as const
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  for (const file of positionals) await cropPhoto(file, Number(values.focus), Number(values.horizon))
  if (values.all || positionals.length > 0) await drawHero()
  await drawCard()
} catch (error) {
  console.error(`${error}`)
  process.exitCode = 1
}

/**
 * Replaces both pictures in tools/images/ with crops of a photograph. Each crop is as large as possible and begins at the
 * upper edge. The focus of the photograph (in percent from the left edge) is at two thirds of the crop's width, because
 * the texts of the page are on the left. `horizon` is in percent from the upper edge. The page's sky ends there.
 */
async function cropPhoto(file: string, focus: number, horizon: number) {
  const upright = sharp(file).autoOrient().removeAlpha().toColourspace('srgb').raw()
  const { data, info } = await upright.toBuffer({ resolveWithObject: true })
  const { width: fullWidth, height: fullHeight } = info
  if (fullWidth < MIN_WIDTH || fullHeight < MIN_HEIGHT)
    throw new Error(`${file} has ${fullWidth} x ${fullHeight} pixels: give ${MIN_WIDTH} x ${MIN_HEIGHT} or more.`)

  async function crop({ name, size }: Shape) {
    const [ratio, focusLeft] = [size[0] / size[1], (fullWidth * focus) / 100]
    const width = Math.min(fullWidth, Math.round(fullHeight * ratio))
    const height = Math.min(fullHeight, Math.round(fullWidth / ratio))
    const left = Math.round(Math.min(fullWidth - width, Math.max(0, focusLeft - (width * 2) / 3)))
    const picture = sharp(data, { raw: info })
      .extract({ left, top: 0, width, height })
      .resize(...size)
    await save(`tools/images/${name}.avif`, picture.clone().avif({ quality: 80 }))
    return { picture, percent: (horizon * fullHeight) / height, ratio: size.join(' / ') }
  }
  const [landscape, portrait] = [await crop(LANDSCAPE), await crop(PORTRAIT)]
  const rows = await landscape.picture.clone().resize(1, 100, { fit: 'fill' }).raw().toBuffer()
  /** The colours of rows at equal distances. `first` and `last` are in percent from the upper edge. */
  const colors = (count: number, first: number, last: number) =>
    Array.from({ length: count }, (_, index) => {
      const row = Math.round(first + (index * (last - first)) / (count - 1))
      return `#${rows.toString('hex', 3 * row, 3 * row + 3)}`
    })
  const hero = {
    sky: colors(4, 0, landscape.percent - 2),
    sea: colors(3, landscape.percent + 1, 84),
    landscape: { ratio: landscape.ratio, horizon: `${landscape.percent.toFixed(2)}%` },
    portrait: { ratio: portrait.ratio, horizon: `${portrait.percent.toFixed(2)}%` },
  }
  writeFileSync(`${HERO}/hero.json`, `${JSON.stringify(hero, null, 2)}\n`)
}

async function drawHero() {
  for (const shape of [LANDSCAPE, PORTRAIT])
    for (const [width, quality] of Object.entries(shape.qualities))
      await save(`${HERO}/${shape.name}-${width}.avif`, sourceOf(shape).resize(Number(width)).avif({ quality }))
}

/** Draws the card, which looks like a small page: logo and name in the sky, the heading on the sea. */
async function drawCard() {
  const [width, height, horizon] = [1200, 630, 216]
  const headingSize = Math.min(104, 1560 / TEXT.heading.length)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="${horizon}" fill="${SCENE_COLORS.dusk}" opacity="0.35"/>
    <rect width="100%" height="100%" y="${horizon}" fill="${SCENE_COLORS.ink}" opacity="0.5"/>
    <g transform="translate(70 54) scale(3)" fill="none" stroke="${SCENE_COLORS.foam}" stroke-width="1.6">
      <path d="${LOGO.shape}" stroke-linejoin="round"/>
      <path d="${LOGO.detail}" stroke-linecap="round"/>
    </g>
    <g font-family="sans-serif" font-weight="bold" fill="${SCENE_COLORS.foam}">
      <text x="148" y="109" font-size="48" letter-spacing="2">${escapeHtml(PROVIDER)}</text>
      <text x="70" y="450" font-size="${headingSize}" letter-spacing="-3">${escapeHtml(TEXT.heading)}</text>
    </g>
  </svg>`
  const { landscape } = JSON.parse(readFileSync(`${HERO}/hero.json`, 'utf8'))
  const fullHeight = (width * LANDSCAPE.size[1]) / LANDSCAPE.size[0]
  const skyHeight = (fullHeight * Number.parseFloat(landscape.horizon)) / 100
  const top = Math.round(Math.min(fullHeight - height, Math.max(0, skyHeight - horizon)))
  const card = sourceOf(LANDSCAPE).resize(width).extract({ left: 0, top, width, height })
  await save('public/card.jpg', card.composite([{ input: Buffer.from(svg) }]).jpeg({ quality: 86, mozjpeg: true }))
}

async function save(file: string, picture: Sharp) {
  const { size } = await picture.toFile(file)
  console.log(`${file}: ${(size / 1000).toFixed(1)} kB`)
}
