// Draws the water at first light that lies behind the page's heading, in every size the page asks for.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { type Color, makeWater, sunrise } from './light.ts'
import { makeSurface, mulberry32, smoothstep } from './surface.ts'

const SEED = 10
const EYE = 1.7
const REACH = 0.095
const STEPS = 12

// Shares of the height (horizon, focal) or of the width (calm, edge); the sun's azimuth is in radians.
type Pair = readonly [number, number]
type Crop = { readonly size: Pair; readonly calm: Pair } & Readonly<
  Record<'samples' | 'horizon' | 'focal' | 'sun' | 'edge', number>
>
const PORTRAIT: Crop = {
  size: [2048, 4096],
  samples: 2,
  horizon: 0.125,
  focal: 1.6,
  sun: 0.135,
  calm: [-1, 0.885],
  edge: 0.31,
}
const LANDSCAPE: Crop = {
  size: [2560, 1440],
  samples: 2,
  horizon: 0.13,
  focal: 1.7,
  sun: 0.372,
  calm: [0.22, 0.78],
  edge: 0.24,
}
/** A picture's sizes in pixels, and its qualities; where WebP has none, a smaller picture stands in for it. */
type File = { readonly name: string; readonly size: Size; readonly avif: number; readonly webp?: number }
type Size = readonly [width: number, height?: number]
const GOOD = { avif: 48, webp: 51 }
const SETS: readonly {
  readonly name: string
  readonly crop: Crop
  readonly text: Pair
  readonly files: readonly File[]
}[] = [
  {
    name: 'portrait',
    crop: PORTRAIT,
    text: [0.1, 0.9],
    files: [
      { name: 'portrait-480', size: [480], ...GOOD },
      { name: 'portrait-830', size: [830], ...GOOD },
      // So many pixels on an inch hide what a lower quality loses.
      { name: 'portrait-1440', size: [1440], avif: 35 },
      { name: 'tablet-2048', size: [2048, 3277], avif: 35 },
    ],
  },
  {
    name: 'landscape',
    crop: LANDSCAPE,
    text: [0.22, 0.78],
    files: [1280, 1920, 2560].map((width) => ({ name: `landscape-${width}`, size: [width], ...GOOD })),
  },
]

const surface = makeSurface(SEED)

// The first crossing of the ray with the waves, none of which stands REACH metres high, so that near crests hide what lies behind them.
const meet = (u: number, v: number) => {
  const swell = smoothstep(0.02, 0.1, v)
  const step = (2 * REACH * swell) / v / STEPS
  let t = (EYE - REACH * swell) / v
  let gap = REACH
  for (let i = 0; i <= STEPS && swell > 0; i += 1) {
    const next = EYE - v * t - swell * surface.elevation(u * t, t)
    if (next <= 0) return t + (step * next) / (gap - next)
    gap = next
    t += step
  }
  return t
}

const trace = (sun: number, water: ReturnType<typeof makeWater>, u: number, v: number, pixel: number): Color => {
  const side = Math.hypot(1, u)
  if (v <= 0.0008) return sunrise(Math.atan(u), Math.atan(Math.max(0, -v) / side), sun)
  const t = meet(u, v)
  const distance = Math.hypot(side, v)
  const footprint = { across: 0.45 * t * pixel, along: (0.45 * t * t * pixel) / EYE, lean: u }
  return water(surface.facet(u * t, t, footprint), [-u / distance, -1 / distance, v / distance])
}

const luminance = (c: Color) => 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
const encode = (x: number) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055)
const decode = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)

// 0 where the heading and the form stand, 1 where the light may play.
const freedom = (x: number, y: number, { horizon, calm, edge }: Crop) => {
  const outX = Math.max(0, (calm[0] - x) / 0.5, (x - calm[1]) / edge)
  const outY = y < horizon ? 1 : Math.max(0, (0.45 * (0.2 - y)) / (0.2 - horizon), (y - 0.8) / 0.15)
  return smoothstep(0, 1, Math.hypot(outX, outY))
}

// A graduated filter holds the calm area under a ceiling of luminance; an exponential film rolls the lights off.
const develop = (c: Color, x: number, y: number, crop: Crop): Color => {
  const free = freedom(x, y, crop)
  const gain = 0.8 + 0.45 * free + (y < crop.horizon ? 0.4 : 0) + 1.5 * smoothstep(0.72, 1, y)
  const l = luminance(c)
  const held = gain / (1 + (gain * l) / (0.047 + 2.5 * free ** 1.5))
  const cool = (0.34 * (1 - free)) / (1 + (gain * l) / 0.12)
  const film = (raw: number, tint: number) =>
    1 - Math.exp(-1.35 * held * Math.max(0, raw + 0.2 * (raw - l)) * (1 + tint))
  return [film(c[0], -cool), film(c[1], -0.1 * cool), film(c[2], 0.35 * (1 - free))]
}

const render = (crop: Crop) => {
  const { size, samples } = crop
  const [width, height] = size
  const random = mulberry32(SEED)
  const water = makeWater(crop.sun)
  const data = Buffer.alloc(width * height * 3)
  const pixel = 1 / (crop.focal * height)
  let at = 0
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      let [r, g, b] = [0, 0, 0]
      for (let i = 0; i < samples * samples; i += 1) {
        const u = (column + ((i % samples) + 0.5) / samples - width / 2) * pixel
        const v = (row + (Math.floor(i / samples) + 0.5) / samples - crop.horizon * height) * pixel
        const c = trace(crop.sun, water, u, v, pixel)
        r += c[0] / samples ** 2
        g += c[1] / samples ** 2
        b += c[2] / samples ** 2
      }
      // Triangular noise one step wide: without it the sky's gradient shows bands.
      for (const x of develop([r, g, b], (column + 0.5) / width, (row + 0.5) / height, crop)) {
        data[at] = Math.max(0, Math.min(255, Math.round(255 * encode(x) + random() - random())))
        at += 1
      }
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } }).png()
}

// WCAG's relative luminance over the area behind the text, measured on the file as a browser would decode it.
const measure = async (file: string, [from, to]: Pair) => {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  let [max, sum, count] = [0, 0, 0]
  for (let row = Math.ceil(0.2 * height); row < 0.8 * height; row += 1) {
    for (let column = Math.ceil(from * width); column < to * width; column += 1) {
      const channel = (i: number) => decode((data[(row * width + column) * 3 + i] ?? 0) / 255)
      const l = luminance([channel(0), channel(1), channel(2)])
      max = Math.max(max, l)
      sum += l
      count += 1
    }
  }
  return `luminance max ${max.toFixed(3)} mean ${(sum / count).toFixed(3)}`
}

const say = (line: string) => process.stdout.write(`${line}\n`)

const main = async (directory: string) => {
  const started = performance.now()
  const write = async (name: string, picture: Sharp, text?: Pair) => {
    const file = join(directory, name)
    const { size } = await picture.toFile(file)
    const behind = text === undefined ? '' : await measure(file, text)
    const seconds = Math.round((performance.now() - started) / 1000)
    say(`${String(seconds).padStart(4)} s  ${name.padEnd(20)} ${(size / 1000).toFixed(1).padStart(7)} kB  ${behind}`)
  }
  mkdirSync(directory, { recursive: true })
  for (const { name, crop, text, files } of SETS) {
    say(`drawing ${name}`)
    const base = await render(crop).toBuffer()
    await write(`${name}.png`, sharp(base), text)
    for (const { name, size, avif, webp } of files) {
      const [width, height] = size
      const picture = sharp(base).resize({ width, height, position: 'top' })
      await write(`${name}.avif`, picture.clone().avif({ quality: avif, effort: 6 }), text)
      if (webp) await write(`${name}.webp`, picture.webp({ quality: webp, effort: 6, preset: 'photo' }), text)
    }
  }
}

const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error('usage: node scripts/water/render.ts OUTDIR')
await main(directory)
