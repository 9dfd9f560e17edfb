// Makes the page's pictures from a photograph, or without one from pictures/: every crop, size and format, the gradient
// shown until they load, and the social card. The build draws the icons.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { cropsOf, LANDSCAPE, open, PORTRAIT, type Source, UsageError } from './crops.ts'
import { encode } from './encode.ts'
import { takeCard } from './social-card.ts'

const USAGE = 'Usage: npm run pictures -- [PHOTO] [--focus 0..100]'
const FOLDER = 'src/ui/page/water'
/** The folder is written beside the present one, and replaces it as a whole. */
const [NEW, OLD] = [`${FOLDER}.new`, `${FOLDER}.old`]
const CARD = 'public/card.jpg'

try {
  await makePictures()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function makePictures() {
  const photo = readArguments()
  // Opens both before it writes anything.
  const landscape = await open(LANDSCAPE, photo ?? LANDSCAPE.master)
  const portrait = await open(PORTRAIT, photo ?? PORTRAIT.master)
  rmSync(NEW, { recursive: true, force: true })
  mkdirSync(NEW)
  const wide = await cropsOf(LANDSCAPE, landscape)
  const high = await cropsOf(PORTRAIT, portrait)
  // The largest first.
  const jobs = [...wide.jobs, ...high.jobs].reverse()
  const queue = jobs.values()
  let done = 0
  console.log(`Making ${jobs.length} pictures, two at a time.`)

  async function work() {
    for (const job of queue) {
      const file = join(NEW, `${job.name}.${job.format}`)
      const data = await encode(job)
      writeFileSync(file, data)
      done += 1
      report(`${String(done).padStart(2)} of ${jobs.length}`, file, data)
    }
  }
  await Promise.all([work(), work()])

  const backdrop = { gradient: wide.gradient, landscape: { focus: wide.focus }, portrait: { focus: high.focus } }
  writeFileSync(join(NEW, 'backdrop.json'), `${JSON.stringify(backdrop, null, 2)}\n`)
  if (existsSync(FOLDER)) {
    rmSync(OLD, { recursive: true, force: true })
    renameSync(FOLDER, OLD)
  }
  renameSync(NEW, FOLDER)
  rmSync(OLD, { recursive: true, force: true })

  console.log('Building the page, and taking the social card of it.')
  await build({ logLevel: 'warn' })
  const card = await takeCard()
  writeFileSync(`${CARD}.new`, card)
  renameSync(`${CARD}.new`, CARD)
  report('        ', CARD, card)
}

function report(progress: string, file: string, data: Buffer) {
  console.log(`${progress} ${basename(file).padEnd(20)} ${(data.length / 1024).toFixed(1).padStart(7)} KiB`)
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
