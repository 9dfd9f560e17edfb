// Makes the page's pictures from a photograph, or without one from pictures/: every crop, size and format, the gradient
// shown until they load, and the social card. The build draws the icons.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp, { type Sharp } from 'sharp'
import { build } from 'vite'
import { groundOf, lightFor } from './picture-colours.ts'
import { takeCard } from './social-card.ts'

const USAGE = 'Usage: npm run pictures -- [PHOTO] [--focus 0..100]'
const FOLDER = 'src/ui/water'
const BACKDROP = 'src/ui/backdrop.json'

/** `focus` is the point that small screens keep in sight, in percent from the left edge. */
type Source = { readonly file: string; readonly focus: number }
type Size = readonly [width: number, height: number]
/** A file, and its quality in each format. Without WebP, a smaller file stands in for it. */
type Output = { readonly name: string; readonly size: Size; readonly avif: number; readonly webp?: number }
type Shape = {
  readonly master: Source
  readonly min: Size
  /** Where text stands, as fractions of the width. */
  readonly text: readonly [from: number, to: number]
  readonly outputs: readonly Output[]
}

const GOOD = { avif: 48, webp: 51 }
// On dense screens a lower quality is not seen.
const DENSE = { avif: 35 }
const LANDSCAPE: Shape = {
  master: { file: 'pictures/landscape.avif', focus: 70 },
  min: [2560, 1440],
  text: [0.22, 0.78],
  outputs: [
    { name: 'landscape-1280', size: [1280, 720], ...GOOD },
    { name: 'landscape-1920', size: [1920, 1080], ...GOOD },
    { name: 'landscape-2560', size: [2560, 1440], ...GOOD },
  ],
}
const PORTRAIT: Shape = {
  master: { file: 'pictures/portrait.avif', focus: 100 },
  min: [1440, 2880],
  text: [0.1, 0.9],
  outputs: [
    { name: 'portrait-480', size: [480, 960], ...GOOD },
    { name: 'portrait-830', size: [830, 1660], ...GOOD },
    { name: 'portrait-1440', size: [1440, 2880], ...DENSE },
    { name: 'tablet-2048', size: [2048, 3277], ...DENSE },
  ],
}

const BUDGETS: readonly { path: string | string[]; limit: string }[] = JSON.parse(
  readFileSync('.size-limit.json', 'utf8'),
)

class UsageError extends Error {}

try {
  const photo = readArguments()
  // Opens both before it writes anything.
  const landscape = await open(LANDSCAPE, photo ?? LANDSCAPE.master)
  const portrait = await open(PORTRAIT, photo ?? PORTRAIT.master)
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER)
  const { gradient, ...wide } = await write(LANDSCAPE, landscape)
  const { horizon, focus } = await write(PORTRAIT, portrait)
  const backdrop = { gradient, landscape: wide, portrait: { horizon, focus } }
  writeFileSync(BACKDROP, `${JSON.stringify(backdrop, null, 2)}\n`)
  report(BACKDROP)
  await build({ logLevel: 'warn' })
  report(await takeCard())
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

function readArguments(): Source | null {
  let focus: number
  let files: string[]
  try {
    const parsed = parseArgs({ allowPositionals: true, options: { focus: { type: 'string', default: '50' } } })
    focus = Number(parsed.values.focus)
    files = parsed.positionals
  } catch {
    throw new UsageError(USAGE)
  }
  const [file] = files
  if (files.length > 1 || !(focus >= 0 && focus <= 100)) throw new UsageError(USAGE)
  return file ? { file, focus } : null
}

type Photo = Awaited<ReturnType<typeof open>>

/** Reads a picture: upright and in sRGB. */
async function open({ min }: Shape, { file, focus }: Source) {
  const upright = sharp(file).autoOrient().removeAlpha().toColourspace('srgb').png({ compressionLevel: 1 })
  const { data, info } = await upright.toBuffer({ resolveWithObject: true }).catch(() => {
    throw new UsageError(`${file} is not a picture that can be read: give a JPEG, PNG, WebP, AVIF or TIFF.`)
  })
  const { width, height } = info
  if (width < min[0] || height < min[1]) {
    throw new UsageError(`${file} has ${width} x ${height} pixels, which is too small: give 2560 x 2880 or more.`)
  }
  return { data, width, height, focus }
}

/** The largest crop of this shape, from the upper edge and around the focus; with the focus within the crop. */
function crop({ data, width, height, focus }: Photo, [wide, high]: Size) {
  const part = {
    width: Math.min(width, Math.round((height * wide) / high)),
    height: Math.min(height, Math.round((width * high) / wide)),
  }
  const centre = (width * focus) / 100
  const left = Math.round(Math.min(width - part.width, Math.max(0, centre - part.width / 2)))
  return {
    picture: sharp(data).extract({ left, top: 0, ...part }),
    focus: Math.round((100 * (centre - left)) / part.width),
  }
}

/** Writes the files of a shape, darkened if white text needs it. Returns what the page's styles need. */
async function write({ text, outputs }: Shape, photo: Photo) {
  const size = outputs[0]?.size ?? [1, 1]
  const { picture, focus } = crop(photo, size)
  const light = await lightFor(picture, text)
  if (light < 1) console.log(`Darkened to ${Math.round(light * 100)} %, so that white text can be read on it.`)
  for (const { name, size, avif, webp } of outputs) {
    const scaled = crop(photo, size)
      .picture.resize(...size)
      .linear(light)
    await encode(name, 'avif', avif, (quality) => scaled.clone().avif({ quality, effort: 6 }))
    if (webp)
      await encode(name, 'webp', webp, (quality) => scaled.clone().webp({ quality, effort: 6, preset: 'photo' }))
  }
  return { ...(await groundOf(picture.resize(...size).linear(light), size)), focus: `${focus}%` }
}

/** Encodes at this quality, or lower until the file is within its budget in .size-limit.json. */
async function encode(name: string, format: string, quality: number, at: (quality: number) => Sharp) {
  const file = join(FOLDER, `${name}.${format}`)
  const budgetOf = (format: string) => BUDGETS.find(({ path }) => String(path).endsWith(`/${name}-*.${format}`))
  const budget = budgetOf(format) ?? budgetOf(format === 'avif' ? 'webp' : 'avif')
  const maxBytes = budget ? 1024 * Number.parseInt(budget.limit, 10) : Number.POSITIVE_INFINITY
  for (let now = quality; ; now -= 4) {
    const { size } = await at(now).toFile(file)
    if (size <= maxBytes || now <= 8) break
  }
  report(file)
}

function report(file: string) {
  console.log(`${file.padEnd(36)} ${(statSync(file).size / 1024).toFixed(1).padStart(7)} KiB`)
}
