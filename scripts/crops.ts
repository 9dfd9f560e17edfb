import sharp, { type Sharp } from 'sharp'
import type { Job } from './encode.ts'

export class UsageError extends Error {}

/** On this grey, white text has a contrast of 4.5:1. */
const LIGHTEST_GREY = 118

/** `focus` is the point that small screens keep in sight, in percent from the left edge. */
export type Source = { readonly file: string; readonly focus: number }
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
export const LANDSCAPE: Shape = {
  master: { file: 'pictures/landscape.avif', focus: 70 },
  min: [2560, 1440],
  text: [0.22, 0.78],
  outputs: [
    { name: 'landscape-1280', size: [1280, 720], ...GOOD },
    { name: 'landscape-1920', size: [1920, 1080], ...GOOD },
    { name: 'landscape-2560', size: [2560, 1440], ...GOOD },
  ],
}
export const PORTRAIT: Shape = {
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

type Photo = Awaited<ReturnType<typeof open>>

/** Reads a picture: upright and in sRGB. */
export async function open({ min }: Shape, { file, focus }: Source) {
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

/** All files of a shape, darkened if white text needs it, and what the page's styles need. */
export async function cropsOf({ text, outputs }: Shape, photo: Photo) {
  const { picture, focus } = crop(photo, outputs[0]?.size ?? [1, 1])
  const light = await lightFor(picture, text)
  if (light < 1) console.log(`Darkened to ${Math.round(light * 100)} %, so that white text can be read on it.`)
  const jobs: Job[] = []
  for (const { name, size, avif, webp } of outputs) {
    const scaled = crop(photo, size)
      .picture.resize(...size)
      .linear(light)
    const { data, info } = await scaled.raw().toBuffer({ resolveWithObject: true })
    const pixels = () => sharp(data, { raw: info })
    jobs.push({ name, format: 'avif', quality: avif, at: (quality, effort) => pixels().avif({ quality, effort }) })
    if (!webp) continue
    const at: Job['at'] = (quality, effort) => pixels().webp({ quality, effort, preset: 'photo' })
    jobs.push({ name, format: 'webp', quality: webp, at })
  }
  return { jobs, gradient: await gradientOf(picture.linear(light)), focus: `${focus}%` }
}

/** The factor, at most 1, that makes a picture dark enough for white text between these fractions of its width. */
async function lightFor(picture: Sharp, [from, to]: readonly [number, number]): Promise<number> {
  const means = picture.clone().resize(100, 100, { fit: 'fill' }).greyscale()
  const [left, right] = [Math.round(100 * from), Math.round(100 * to)]
  const behindText = means.extract({ left, top: 20, width: right - left, height: 60 })
  const { channels } = await sharp(await behindText.png().toBuffer()).stats()
  return Math.min(1, LIGHTEST_GREY / (channels[0]?.max ?? 255))
}

/** The picture's colours from top to bottom. */
async function gradientOf(picture: Sharp): Promise<string> {
  const means = await picture.clone().resize(1, 16, { fit: 'fill' }).raw().toBuffer()
  const colours = Array.from({ length: 16 }, (_, i) => `#${means.toString('hex', 3 * i, 3 * i + 3)}`)
  return `linear-gradient(${colours.join(', ')})`
}
