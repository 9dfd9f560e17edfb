import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { expect, test } from 'vitest'
import { ENQUIRY_TEXT, TEXT } from '../../src/domain/texts.ts'
import { APP_FAILED } from '../../src/element-names.ts'
import { PAGES } from '../../src/routes.tsx'
import { anEnquiry } from '../support/enquiries.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { ringContrast, WHITE_PICTURE } from '../support/page/contrast.ts'
import { findFlaws } from '../support/page/find-flaws.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()
const ENQUIRY = anEnquiry()

const waitForText = ({ dialog }: Visit, text: string) =>
  dialog.getByText(text).filter({ visible: true }).first().waitFor()

/** The states of one visit, in order. Each step leads from the state before it to a state that looks different. */
const STEPS: Record<string, (visit: Visit) => Promise<unknown>> = {
  'at rest': async () => {},
  async 'an invalid email'(visit) {
    await visit.subscribeAs('plain')
    await visit.notification.waitFor()
  },
  'a call in flight': (visit) => visit.subscribeAs(ENQUIRY.email),
  async 'a new address'(visit) {
    await visit.answer()
    await visit.notification.waitFor()
  },
  async 'a failure'(visit) {
    await visit.subscribeAs(ENQUIRY.email)
    await visit.answer(500)
    await visit.notification.waitFor()
  },
  async 'an empty field'(visit) {
    await visit.fillIn({})
    await visit.submit.click()
    await visit.dialog.locator('[aria-invalid=true]').first().waitFor()
  },
  async submitting(visit) {
    await visit.page.keyboard.press('Escape')
    await visit.fillIn(ENQUIRY)
    await visit.submit.click()
    await waitForText(visit, TEXT.sending)
  },
  async 'an enquiry declined'(visit) {
    await visit.answer({ success: false })
    await waitForText(visit, TEXT.failed)
  },
  async 'an enquiry received'(visit) {
    await visit.tryAgain.click()
    await visit.answer()
    await waitForText(visit, ENQUIRY_TEXT.received.detail)
  },
}

/** Loads a page, and checks it in each state. */
async function checkStates(check: (visit: Visit, state: string) => Promise<void>) {
  const visit = await site.visit()
  for (const [state, step] of Object.entries(STEPS)) {
    await step(visit)
    // A closed or replaced notification disappears.
    await visit.page.locator('[data-severity][inert]').first().waitFor({ state: 'detached' })
    // While the pointer is on a notification, it stays, however long the check takes.
    if (await visit.notification.isVisible()) await visit.notification.hover()
    await check(visit, state)
  }
}

/** The spacing of text that WCAG 1.4.12 lets a visitor set. */
const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'

test('no part is cut, broken, covered or too small on any screen, even enlarged', async () => {
  const views = [
    { width: 844, height: 390 },
    // A desktop that is zoomed to 400 %.
    { width: 320, height: 256 },
    { width: 320, height: 568, css: SPACING },
    { width: 320, height: 568, css: 'html { font-size: 200% }' },
    // The visit goes on in the last view.
    { width: 1280, height: 720 },
  ]
  await checkStates(async ({ page, style }, state) => {
    for (const { css = '', ...size } of views) {
      await page.setViewportSize(size)
      await style(css)
      expect.soft(await page.evaluate(findFlaws), `${state}: ${JSON.stringify(size)} ${css}`).toEqual([])
    }
  })
})

test.each(PAGES.map(({ path }) => path))(
  'as it is loaded, the page %s has no part that is cut or too small',
  async (path) => {
    const { page } = await site.visit()
    await page.goto(site.origin + path)
    for (const size of [
      { width: 320, height: 568 },
      { width: 1280, height: 720 },
    ]) {
      await page.setViewportSize(size)
      expect.soft(await page.evaluate(findFlaws), JSON.stringify(size)).toEqual([])
    }
  },
)

test('on paper there is no notification', async () => {
  const { page, subscribeAs, notification } = await site.visit()
  await subscribeAs('plain')
  await notification.waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await notification.isVisible()).toBe(false)
})

/** Runs in the page. Doubles every text, like a language of long words. */
function doubleTexts() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { currentNode: text } = walker
    if (text.nodeValue?.trim()) text.nodeValue += ` ${text.nodeValue}`
  }
}

test('texts of double length are neither cut nor covered on a small phone', async () => {
  const { page, subscribeAs, notification, fillIn, submit } = await site.visit()
  await page.setViewportSize({ width: 320, height: 568 })
  await subscribeAs('')
  await notification.waitFor()
  await fillIn({})
  await submit.press('Enter')
  await page.evaluate(doubleTexts)
  expect(await page.evaluate(findFlaws)).toEqual([])
})

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** Runs in the page. Returns the places that break these rules, or that axe can't decide, except for texts on the picture. */
async function axeFindings(runOnly: string[]): Promise<string[]> {
  const { axe: checker } = window as unknown as { axe: typeof axe }
  const { violations, incomplete } = await checker.run(document, { runOnly, resultTypes: ['violations', 'incomplete'] })
  const nodes = [...violations, ...incomplete].flatMap((finding) => finding.nodes)
  const onPicture = ['bgGradient', 'pseudoContent']
  const decided = nodes.filter(({ any }) => !onPicture.includes(any[0]?.data?.messageKey))
  return decided.map(({ target, failureSummary }) => `${target}: ${failureSummary}`)
}

test('axe finds nothing, in light and dark colours', async () => {
  const schemes = [
    ['light', ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']],
    // Dark colours change nothing but colours.
    ['dark', ['color-contrast']],
  ] as const
  await checkStates(async ({ page, style }, state) => {
    await page.evaluate(`if (!('axe' in window)) { ${AXE} }`)
    for (const [colorScheme, rules] of schemes) {
      await page.emulateMedia({ colorScheme })
      await style('')
      expect.soft(await page.evaluate(axeFindings, [...rules]), `${state}, ${colorScheme}`).toEqual([])
    }
  })
})

/** The elements that can have the focus. The box of an outcome is a group that gets the focus when it appears. */
const FOCUSABLE = ':is(a, button, input, textarea, [role=group][tabindex]):not(:disabled)'

/** Runs in the page. Shows what the boot script shows when the app can't be loaded. */
const failToLoadApp = (attribute: string) => document.forms[0]?.setAttribute(attribute, '')

// On the picture only the picture matters, and elsewhere only the colour scheme. So two pairs are enough.
test.each([
  ['light', ''],
  ['dark', WHITE_PICTURE],
] as const)('every focus ring has enough contrast in each state, %s', async (colorScheme, css) => {
  await checkStates(async ({ page, style }, state) => {
    await page.emulateMedia({ colorScheme })
    await style(css)
    if (state === 'at rest') await page.evaluate(failToLoadApp, APP_FAILED)
    // A browser marks the focus only after the use of a key.
    await page.keyboard.press('Shift')
    const controls = page.locator(FOCUSABLE).filter({ visible: true })
    const dialog = page.locator('dialog[open]')
    for (const control of await ((await dialog.count()) ? dialog.locator(controls) : controls).all()) {
      const [contrast, html] = [await ringContrast(page, control), await control.evaluate((it) => it.outerHTML)]
      expect.soft(contrast, `${state}: choose another focusRingColor for ${html.slice(0, 200)}`).toBeGreaterThan(3)
    }
  })
})
