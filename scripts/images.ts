// Makes the page's images from a photograph, or without one from images/: the crops, the gradient that is shown until they
// load, and the social card.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp, { type Sharp } from 'sharp'
import { escapeHtml } from '../build/html.ts'
import { PROVIDER } from '../src/domain/provider.ts'
import { TEXT } from '../src/domain/texts.ts'
import { LOGO } from '../src/ui/theme/brand.ts'

const USAGE =
  'Usage: npm run images -- [PHOTO] [--focus PERCENT]. PERCENT, from 0 to 100 from the left, stays in sight.'
const FOLDER = 'src/ui/page/hero'
const CARD = 'public/card.jpg'
/** White text on this grey has a contrast of 4.5:1. */
const LIGHTEST_GREY = 118

type Size = readonly [width: number, height: number]
type Shape = { readonly master: string; readonly focus: number; readonly files: Readonly<Record<string, Size>> }

const LANDSCAPE: Shape = {
  master: 'images/landscape.avif',
  focus: 70,
  files: { 'landscape-1280': [1280, 720], 'landscape-1920': [1920, 1080], 'landscape-2560': [2560, 1440] },
}
const PORTRAIT: Shape = {
  master: 'images/portrait.avif',
  focus: 100,
  files: { 'portrait-830': [830, 1660], 'portrait-1440': [1440, 2880] },
}

const given = readArguments()
mkdirSync(FOLDER, { recursive: true })
const landscape = await makeImages(LANDSCAPE)
const portrait = await makeImages(PORTRAIT)
const styles = { gradient: landscape.gradient, landscape: landscape.focus, portrait: portrait.focus }
writeFileSync(join(FOLDER, 'hero.json'), `${JSON.stringify(styles, null, 2)}\n`)
await save(
  CARD,
  landscape.image
    .resize(1200, 630)
    .composite([{ input: cardText() }])
    .jpeg({ quality: 86, mozjpeg: true }),
)

/** Writes the files of a shape. Returns its largest crop, darkened, and what the page's styles need. */
async function makeImages({ master, focus, files }: Shape) {
  const [name, percent] = given.photo ? [given.photo, given.focus] : [master, focus]
  const crop = await cropAround(name, percent, Object.values(files).at(-1) ?? [1, 1])
  const light = Math.min(1, LIGHTEST_GREY / (await brightestTenth(crop.image)))
  const image = crop.image.linear(light)
  for (const [file, size] of Object.entries(files)) {
    // A dense screen hides more.
    const quality = size[0] < 1440 || size[0] > size[1] ? 48 : 35
    await save(
      join(FOLDER, `${file}.avif`),
      image
        .clone()
        .resize(...size)
        .avif({ quality }),
    )
  }
  return { image, focus: crop.focus, gradient: await gradientOf(image) }
}

/** The largest part of this shape at the upper edge, with the focus in its middle if it can be. */
async function cropAround(file: string, percent: number, [wide, high]: Size) {
  const upright = sharp(file).autoOrient().removeAlpha().toColourspace('srgb').png({ compressionLevel: 1 })
  const { data, info } = await upright
    .toBuffer({ resolveWithObject: true })
    .catch(() => fail(`${file} can't be read as an image: give a JPEG, PNG, WebP, AVIF or TIFF.`))
  if (info.width < wide || info.height < high)
    fail(`${file} has ${info.width} x ${info.height} pixels: give one of at least ${wide} x ${high}.`)
  const width = Math.min(info.width, Math.round((info.height * wide) / high))
  const height = Math.min(info.height, Math.round((info.width * high) / wide))
  const centre = (info.width * percent) / 100
  const left = Math.round(Math.min(info.width - width, Math.max(0, centre - width / 2)))
  const part = await sharp(data).extract({ left, top: 0, width, height }).png({ compressionLevel: 1 }).toBuffer()
  return { image: sharp(part), focus: `${Math.round((100 * (centre - left)) / width)}%` }
}

/** The mean grey of the brightest tenth of the middle, where text stands. */
async function brightestTenth(image: Sharp): Promise<number> {
  const [cells, edge] = [50, 10]
  const small = await image.clone().greyscale().resize(cells, cells, { fit: 'fill' }).png().toBuffer()
  const middle = sharp(small).extract({ left: edge, top: edge, width: cells - 2 * edge, height: cells - 2 * edge })
  const greys = [...(await middle.extractChannel(0).raw().toBuffer())].sort((a, b) => b - a)
  const tenth = greys.slice(0, greys.length / 10)
  return tenth.reduce((sum, grey) => sum + grey, 0) / tenth.length
}

/** The colours from top to bottom. */
async function gradientOf(image: Sharp): Promise<string> {
  const means = await image.clone().resize(1, 16, { fit: 'fill' }).raw().toBuffer()
  const colors = Array.from({ length: 16 }, (_, i) => `#${means.toString('hex', 3 * i, 3 * i + 3)}`)
  return `linear-gradient(${colors.join(', ')})`
}

/** Logo, name and heading, large enough to be read in a small preview. */
function cardText(): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="sans-serif"
    font-weight="bold" fill="#fff" text-anchor="middle">
    <g transform="translate(565 170) scale(3.5)" fill="none" stroke="#fff" stroke-width="1.6">
      <path d="${LOGO.shape}"/><path d="${LOGO.detail}"/>
    </g>
    <text x="600" y="325" font-size="48" letter-spacing="4">${escapeHtml(PROVIDER)}</text>
    <text x="600" y="440" font-size="${Math.min(96, 1600 / TEXT.heading.length)}">${escapeHtml(TEXT.heading)}</text></svg>`)
}

async function save(file: string, image: Sharp) {
  const { size } = await image.toFile(file)
  console.log(`${file.padEnd(44)} ${(size / 1024).toFixed(1).padStart(6)} KiB`)
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { focus: { type: 'string' } } })
    const focus = Number(values.focus ?? 50)
    if (positionals.length < 2 && focus >= 0 && focus <= 100) return { photo: positionals[0], focus }
  } catch {
    // An unknown option.
  }
  return fail(USAGE)
}

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}
