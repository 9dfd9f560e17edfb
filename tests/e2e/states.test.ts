import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { expect, test } from 'vitest'
import { PAGES } from '../../src/routes.tsx'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { checkStates } from '../support/page/check-states.ts'
import { findFlaws } from '../support/page/find-flaws.ts'

const site = browseBuiltSite()

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
  await checkStates(await site.visit(), async ({ page, style }, state) => {
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
  await checkStates(await site.visit(), async ({ page, style }, state) => {
    await page.evaluate(`if (!('axe' in window)) { ${AXE} }`)
    for (const [colorScheme, rules] of schemes) {
      await page.emulateMedia({ colorScheme })
      await style('')
      expect.soft(await page.evaluate(axeFindings, [...rules]), `${state}, ${colorScheme}`).toEqual([])
    }
  })
})
