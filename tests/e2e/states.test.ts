import type { Page, ViewportSize } from 'playwright'
import { expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { axeFindings } from '../support/page/axe.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { findCut } from '../support/page/cut.ts'
import { animationsFinished, SCREENS, STATE_NAMES, STATES, toastOf } from '../support/page/page-states.ts'
import { boxOf } from '../support/page/pixels.ts'

const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'
const LARGE_TEXT = 'html { font-size: 200% }'
const SMALL = { width: 320, height: 568 }

const VIEWS: { readonly viewport: ViewportSize; readonly css?: string }[] = [
  { viewport: SMALL, css: SPACING },
  { viewport: SMALL, css: LARGE_TEXT },
  { viewport: { width: 1280, height: 800 }, css: LARGE_TEXT },
  // A zoom of 400 %.
  { viewport: { width: 320, height: 256 } },
  ...SCREENS.map((viewport) => ({ viewport })),
]

const LOOKS = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

/** Where axe can't decide on contrasts: on the image, which legibility.test.ts measures, and under a notification. */
const measured = (name: string) => (name.endsWith('over the dialog') ? 'body' : 'main')

const site = browseBuiltSite()

/** Gives the page these rules besides its own, in place of those it was given before. */
function restyle(css: string) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/** Which of these rules on sizes and places does not hold. */
function broken(): string[] {
  const rectOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
  const [width, main, toast, dialog] = [innerWidth, rectOf('main'), rectOf('[id^=toast-] > *'), rectOf('dialog[open]')]
  const near = (one: number, other: number) => Math.abs(one - other) <= 0.5
  const rules = {
    'what is pressed or filled in is at least 44 px wide and high': [
      ...document.querySelectorAll<HTMLElement>('a, button, input, textarea'),
    ]
      .filter((element) => element.checkVisibility())
      .every(({ offsetWidth, offsetHeight }) => offsetWidth >= 44 && offsetHeight >= 44),
    'the image fills the screen':
      main && main.left === 0 && main.top + scrollY === 0 && main.width === width && main.height >= innerHeight,
    'a notification is 25rem wide or fits the screen, 20 px from the top and the right':
      !toast || (toast.top === 20 && toast.right === width - 20 && toast.width === Math.min(400, width - 40)),
    'the dialog is 70vw wide, or 22rem, or fits the screen, in the middle':
      !dialog ||
      (dialog.top >= 0 &&
        near(dialog.width, Math.max(0.7 * width, Math.min(352, width - 32))) &&
        near(dialog.left + dialog.width / 2, width / 2) &&
        near(dialog.top + dialog.height / 2, innerHeight / 2)),
  }
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]))
}

test.each(STATE_NAMES)(
  '%s: 44 px to press, in its place on every screen, nothing cut when enlarged, nothing that axe finds',
  async (name) => {
    const page = await site.show(name)
    for (const { viewport, css = '' } of VIEWS) {
      await page.setViewportSize(viewport)
      await page.evaluate(restyle, css)
      await page.evaluate(animationsFinished)
      const found = { cut: await page.evaluate(findCut), broken: css ? [] : await page.evaluate(broken) }
      expect(found, `at ${viewport.width} by ${viewport.height} px, ${css}`).toEqual({ cut: [], broken: [] })
    }
    // In turn: a state and the next one are made of the same parts.
    const { width, colorScheme } = LOOKS[STATE_NAMES.indexOf(name) % 2] ?? LOOKS[0]
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await page.evaluate(animationsFinished)
    expect(await axeFindings(page, measured(name)), `at ${width} px, ${colorScheme}`).toEqual([])
  },
)

test('nothing moves when a notification comes or goes, on the page or in the dialog', async () => {
  const page = await site.show('at rest', { viewport: { width: 390, height: 700 } })
  const onPage = () => places(page, 'h1, main form, main button')
  const inDialog = () => places(page, 'dialog, dialog h2, dialog input, dialog [type=submit]')
  const atRest = await onPage()
  await STATES['an invalid email'](page)
  expect(await onPage()).toEqual(atRest)
  await STATES['the dialog, empty'](page)
  const withToast = await inDialog()
  await toastOf(page).getByRole('button', { name: TEXT.close }).click()
  await toastOf(page).waitFor({ state: 'detached' })
  expect(await inDialog()).toEqual(withToast)
})

async function places(page: Page, parts: string) {
  await page.evaluate(animationsFinished)
  return Promise.all((await page.locator(parts).all()).map(boxOf))
}

test('on a low screen the outcome of an enquiry is brought onto the screen', async () => {
  const page = await site.show('an enquiry declined', { viewport: { width: 740, height: 360 } })
  const { y, height } = await boxOf(page.getByRole('dialog').getByText(TEXT.sendAgain))
  expect(y).toBeGreaterThanOrEqual(0)
  expect(y + height).toBeLessThanOrEqual(360)
})
