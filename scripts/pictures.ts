// Makes every file that shows the provider's picture or colours: the page's backdrop in each size, the gradient below it
// and the social card. The build draws the icons. Without a photograph, from the pictures in pictures/.
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

/** `focus` is how far from the left edge stands what small screens keep in sight, in percent. */
type Source = { readonly file: string; readonly focus: number }
type Size = readonly [width: number, height: number]
/** With the quality of each format; where WebP has none, a smaller picture stands in for it. */
type Output = { readonly name: string; readonly size: Size; readonly avif: number; readonly webp?: number }
type Shape = {
  readonly master: Source
  readonly least: Size
  /** Where text stands, in shares of the width. */
  readonly text: readonly [from: number, to: number]
  readonly outputs: readonly Output[]
}

const GOOD = { avif: 48, webp: 51 }
// So many pixels on an inch hide what a lower quality loses.
const DENSE = { avif: 35 }
const LANDSCAPE: Shape = {
  master: { file: 'pictures/landscape.avif', focus: 70 },
  least: [2560, 1440],
  text: [0.22, 0.78],
  outputs: [
    { name: 'landscape-1280', size: [1280, 720], ...GOOD },
    { name: 'landscape-1920', size: [1920, 1080], ...GOOD },
    { name: 'landscape-2560', size: [2560, 1440], ...GOOD },
  ],
}
const PORTRAIT: Shape = {
  master: { file: 'pictures/portrait.avif', focus: 100 },
  least: [1440, 2880],
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
  // Both are opened before the first file is written.
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

/** Its pixels, upright and in the colours of the web. */
async function open({ least }: Shape, { file, focus }: Source) {
  const upright = sharp(file).autoOrient().removeAlpha().toColourspace('srgb').png({ compressionLevel: 1 })
  const { data, info } = await upright.toBuffer({ resolveWithObject: true }).catch(() => {
    throw new UsageError(`${file} is not a picture that can be read: give a JPEG, PNG, WebP, AVIF or TIFF.`)
  })
  const { width, height } = info
  if (width < least[0] || height < least[1]) {
    throw new UsageError(`${file} has ${width} x ${height} pixels, which is too small: give 2560 x 2880 or more.`)
  }
  return { data, width, height, focus }
}

/** The largest part of this shape, from the upper edge and around the focus; with how far from its left edge that is now. */
function crop({ data, width, height, focus }: Photo, [wide, high]: Size) {
  const part = {
    width: Math.min(width, Math.round((height * wide) / high)),
    height: Math.min(height, Math.round((width * high) / wide)),
  }
  const place = (width * focus) / 100
  const left = Math.round(Math.min(width - part.width, Math.max(0, place - part.width / 2)))
  return {
    picture: sharp(data).extract({ left, top: 0, ...part }),
    focus: Math.round((100 * (place - left)) / part.width),
  }
}

/** Writes the files of a shape, as dark as white text needs it, and gives what the page has to know of them. */
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

/** As good as named, or less if the page's budget asks for it. */
async function encode(name: string, format: string, quality: number, at: (quality: number) => Sharp) {
  const file = join(FOLDER, `${name}.${format}`)
  const budgetOf = (format: string) => BUDGETS.find(({ path }) => String(path).endsWith(`/${name}-*.${format}`))
  const budget = budgetOf(format) ?? budgetOf(format === 'avif' ? 'webp' : 'avif')
  const most = budget ? 1024 * Number.parseInt(budget.limit, 10) : Number.POSITIVE_INFINITY
  for (let now = quality; ; now -= 4) {
    const { size } = await at(now).toFile(file)
    if (size <= most || now <= 8) break
  }
  report(file)
}

function report(file: string) {
  console.log(`${file.padEnd(36)} ${(statSync(file).size / 1024).toFixed(1).padStart(7)} KiB`)
}
