// Takes a picture of every state of the built page, at every size, in light and in dark, and puts all on one sheet.
import { mkdirSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { TEXT } from '../src/domain/texts.ts'
import { gotoState, STATE_NAMES, STATES, settle } from '../tests/support/page/page-states.ts'
import { serveDist } from '../tests/support/page/serve-dist.ts'
import { CHROMIUM_ARGS, chromiumPath } from './chromium.ts'
import { contactSheet } from './contact-sheet.ts'

const FOLDER = 'gallery'
const SCHEMES = ['light', 'dark'] as const
const SIZES = [
  [320, 568],
  [390, 844],
  [768, 1024],
  [1440, 900],
  [2560, 1440],
  [844, 390],
] as const

/** The pictures of the README, which `--readme` takes, and no others. */
const README_PICTURES = {
  page: 'at-rest-1440x900-light',
  dialog: 'the-dialog-filled-in-1440x900-dark',
  phone: 'a-new-address-390x844-light',
}

type State = { readonly name: string; readonly scripts?: false; readonly show: (page: Page) => Promise<void> }

const SHOWN: readonly State[] = [
  ...STATE_NAMES.map((name) => ({ name, show: (page: Page) => gotoState(page, served.url, name) })),
  { name: 'no scripts', scripts: false, show: (page) => gotoState(page, served.url, 'at rest') },
  {
    name: 'loading',
    async show(page) {
      await page.route('**/assets/*.js', () => {})
      await page.goto(served.url)
      await STATES['the dialog, filled in'](page)
      await page.getByRole('button', { name: TEXT.submit }).click()
      await page.getByText(TEXT.loading).filter({ visible: true }).waitFor()
      await settle(page)
    },
  },
]

const USAGE = 'Usage: npm run gallery -- [--only TEXT] [--width PIXELS] [--readme]'

const { only = '', width = '', readme } = readOptions()
const shownStates = SHOWN.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()))
const shownSizes = SIZES.filter((size) => width === '' || String(size[0]) === width)
if (shownStates.length === 0)
  fail(`No state has "${only}" in its name. There are: ${SHOWN.map(({ name }) => name).join('; ')}.`)
if (shownSizes.length === 0) fail(`No size is ${width} wide. There are: ${SIZES.map(([width]) => width).join(', ')}.`)
if (readme && (only || width)) fail('--readme takes its own pictures: leave out --only and --width.')

type Look = { readonly size: (typeof SIZES)[number]; readonly scheme: (typeof SCHEMES)[number] }

const LOOKS: readonly Look[] = shownSizes.flatMap((size) => SCHEMES.map((scheme) => ({ size, scheme })))

const fileOf = (name: string) => `${FOLDER}/${name}.png`
const shotOf = ({ name }: State, { size, scheme }: Look) =>
  fileOf(`${name.replaceAll(/\W+/g, '-')}-${size.join('x')}-${scheme}`)

const README_FILES = Object.values(README_PICTURES).map(fileOf)
const shots = shownStates
  .flatMap((state) => LOOKS.map((look) => ({ state, look, file: shotOf(state, look) })))
  .filter(({ file }) => !readme || README_FILES.includes(file))

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER)
const served = await serveDist()
const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGS })
try {
  for (let i = 0; i < shots.length; i += SCHEMES.length) {
    console.log(`${i + 1} of ${shots.length}: ${shots[i]?.state.name}`)
    await Promise.all(shots.slice(i, i + SCHEMES.length).map(shoot))
  }
} finally {
  await browser.close()
  await served.close()
}
if (readme) {
  for (const [name, shot] of Object.entries(README_PICTURES)) {
    await sharp(fileOf(shot)).webp({ quality: 88, effort: 6, smartSubsample: true }).toFile(`docs/images/${name}.webp`)
  }
} else {
  await contactSheet(
    fileOf('contact-sheet'),
    LOOKS.map(({ size, scheme }) => ({ label: `${size.join(' x ')} ${scheme}`, size })),
    shownStates.map((state) => ({ label: state.name, files: LOOKS.map((look) => shotOf(state, look)) })),
  )
  console.log(`All on one sheet: ${fileOf('contact-sheet')}`)
}

async function shoot({ state, look, file }: (typeof shots)[number]) {
  const [width, height] = look.size
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: look.scheme,
    javaScriptEnabled: state.scripts ?? true,
  })
  try {
    const page = await context.newPage()
    await state.show(page)
    await page.screenshot({ path: file })
  } finally {
    await context.close()
  }
}

function readOptions() {
  try {
    const options = { only: { type: 'string' }, width: { type: 'string' }, readme: { type: 'boolean' } } as const
    return parseArgs({ options }).values
  } catch {
    return fail(USAGE)
  }
}

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}
