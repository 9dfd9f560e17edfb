import type { Page, ViewportSize } from 'playwright'
import { expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { axeFindings } from '../support/page/axe.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { cut } from '../support/page/cut.ts'
import { animationsFinished, SCREENS, STATE_NAMES, STATES, settle, toastOf } from '../support/page/page-states.ts'
import { boxOf } from '../support/page/pixels.ts'

const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'
const LARGE_TEXT = 'html { font-size: 200% }'
const SMALL = { width: 320, height: 568 }

const ENLARGED: Record<string, { readonly viewport: ViewportSize; readonly css?: string }> = {
  'more space in the text': { viewport: SMALL, css: SPACING },
  '200 % text on a small phone': { viewport: SMALL, css: LARGE_TEXT },
  '200 % text': { viewport: { width: 1280, height: 800 }, css: LARGE_TEXT },
  '400 % zoom': { viewport: { width: 320, height: 256 } },
}

const LOOKS = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

/** Where axe can't decide on contrasts: on the image, which legibility.test.ts measures, and under a notification. */
const reviewed = (name: string) => ({ 'color-contrast': name.endsWith('over the dialog') ? 'body' : 'main' })

const site = browseBuiltSite()

/** Gives the page these rules besides its own, in place of those it was given before. */
function restyle(css: string) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/** Which buttons of the dialog, if it is open, can't be brought whole onto the screen. */
async function outOfReach(page: Page, { height: screen }: ViewportSize) {
  const found: string[] = []
  for (const button of await page.getByRole('dialog').getByRole('button').all()) {
    await button.scrollIntoViewIfNeeded()
    const { y, height } = await boxOf(button)
    if (y < -1 || y + height > screen + 1) found.push(`${await button.innerText()} is at ${y}, and ${height} px high`)
  }
  return found
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
      (near(dialog.width, Math.max(0.7 * width, Math.min(352, width - 32))) &&
        near(dialog.left + dialog.width / 2, width / 2) &&
        near(dialog.top + dialog.height / 2, innerHeight / 2)),
  }
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]))
}

test.each(STATE_NAMES)(
  '%s: 44 px to press, in its place on every screen, nothing cut when enlarged, nothing that axe finds',
  async (name) => {
    const page = await site.show(name)
    for (const [how, { viewport, css = '' }] of Object.entries(ENLARGED)) {
      await page.setViewportSize(viewport)
      await page.evaluate(restyle, css)
      await settle(page)
      const found = { cut: await cut(page), outOfReach: await outOfReach(page, viewport) }
      expect(found, how).toEqual({ cut: [], outOfReach: [] })
    }
    for (const [width, height] of SCREENS) {
      await page.setViewportSize({ width, height })
      await settle(page)
      const found = { cut: await cut(page), broken: await page.evaluate(broken) }
      expect(found, `at ${width} by ${height} px`).toEqual({ cut: [], broken: [] })
    }
    // In turn: a state and the next one are made of the same parts.
    const { width, colorScheme } = LOOKS[STATE_NAMES.indexOf(name) % 2] ?? LOOKS[0]
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await settle(page)
    const found = await axeFindings(page, reviewed(name))
    expect(found, `at ${width} px, ${colorScheme}`).toEqual({ violations: [], undecided: [] })
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
