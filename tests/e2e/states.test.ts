import type { Page, ViewportSize } from 'playwright'
import { expect, test } from 'vitest'
import { ENQUIRY_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { axeFindings } from '../support/page/axe.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { findCovered, findCut } from '../support/page/cut.ts'
import { animationsFinished, answerCalls, fillIn, SCREENS, STATE_NAMES, STATES } from '../support/page/page-states.ts'
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
  const [width, main, toast, dialog] = [
    innerWidth,
    rectOf('main'),
    rectOf('[id^=toast-] > *'),
    rectOf('dialog[open] > #contact > :last-child'),
  ]
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
      !toast || (toast.top === 20 && near(toast.right, width - 20) && toast.width === Math.min(400, width - 40)),
    'the dialog is 70vw wide, or 22rem, in the middle, and fits the screen':
      !dialog ||
      (dialog.top >= 0 &&
        near(dialog.width, Math.max(0.7 * width, Math.min(352, width - 32))) &&
        near(dialog.left + dialog.width / 2, width / 2) &&
        dialog.bottom < innerHeight),
  }
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]))
}

test.each(STATE_NAMES)(
  '%s: 44 px to press, in its place on every screen, nothing cut or covered when enlarged, nothing that axe finds',
  async (name) => {
    const page = await site.show(name)
    for (const { viewport, css = '' } of VIEWS) {
      await page.setViewportSize(viewport)
      await page.evaluate(restyle, css)
      await page.evaluate(animationsFinished)
      const found = [
        ...(await page.evaluate(findCut)),
        ...(await page.evaluate(findCovered)),
        ...(css ? [] : await page.evaluate(broken)),
      ]
      expect(found, `at ${viewport.width} by ${viewport.height} px, ${css}`).toEqual([])
    }
    // In turn: a state and the next one are made of the same parts.
    const { width, colorScheme } = LOOKS[STATE_NAMES.indexOf(name) % 2] ?? LOOKS[0]
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await page.evaluate(animationsFinished)
    expect(await axeFindings(page, measured(name)), `at ${width} px, ${colorScheme}`).toEqual([])
  },
)

test('nothing on the page moves when a notification, an error or a failure comes or goes', async () => {
  const page = await site.show('at rest', { viewport: { width: 390, height: 700 } })
  const atRest = await places(page, 'h1, main form, main button')
  await STATES['an invalid email'](page)
  expect(await places(page, 'h1, main form, main button')).toEqual(atRest)
  await page.route(/assets\/.*\.js/, (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: TEXT.subscribe }).click()
  await page.getByRole('main').getByText(ENQUIRY_TEXT.failed).waitFor()
  expect(await places(page, 'h1, main form, main button')).toEqual(atRest)
})

test('on a phone Submit stands still while it sends and fails', async () => {
  const page = await site.show('the dialog, filled in', { viewport: { width: 390, height: 700 } })
  const ready = await places(page, 'dialog h2, dialog [type=submit]')
  for (const [answer, seen] of [
    ['never', '.spinner'],
    [500, `text=${TEXT.sendAgain}`],
  ] as const) {
    await answerCalls(page, answer)
    await page.getByRole('button', { name: TEXT.submit }).click()
    await page.getByRole('dialog').locator(seen).waitFor()
    expect(await places(page, 'dialog h2, dialog [type=submit]')).toEqual(ready)
    await page.reload()
    await fillIn(page, anEnquiry())
  }
})

async function places(page: Page, parts: string) {
  await page.evaluate(animationsFinished)
  return Promise.all((await page.locator(parts).all()).map(boxOf))
}

test('on a low screen the outcome of an enquiry is brought onto the screen, and title and Close stay there', async () => {
  const page = await site.show('an enquiry declined', { viewport: { width: 740, height: 360 } })
  const dialog = page.getByRole('dialog')
  for (const part of [
    dialog.getByText(TEXT.sendAgain),
    dialog.getByRole('heading'),
    dialog.getByRole('button', { name: TEXT.close }),
  ]) {
    const { y, height } = await boxOf(part)
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(360)
  }
})
