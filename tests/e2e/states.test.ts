import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { describe, expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { findBroken, findCovered, findCut, findSmall } from '../support/page/find.ts'
import { STATE_NAMES } from '../support/page/page-states.ts'
import { LARGE_TEXT, SCREENS, SMALL, SMALLEST } from '../support/page/screens.ts'

const site = browseBuiltSite()

const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'

const VIEWS = [
  { viewport: SMALL, css: SPACING },
  { viewport: SMALL, css: LARGE_TEXT },
  { viewport: { width: 1280, height: 800 }, css: LARGE_TEXT },
  ...[SMALLEST, ...SCREENS].map((viewport) => ({ viewport })),
]

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** To run in the page: where it breaks WCAG 2.2 AA or the usual practice, and what axe can't decide there. */
async function axeFindings(measured: string): Promise<string[]> {
  const { axe: checker } = window as unknown as { axe: typeof axe }
  const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const { violations, incomplete } = await checker.run(document, { runOnly, elementRef: true })
  const undecided = incomplete.map((finding) => ({
    ...finding,
    nodes: finding.nodes.filter(({ element }) => finding.id !== 'color-contrast' || !element?.closest(measured)),
  }))
  return [...violations, ...undecided].flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target}`))
}

describe.each(STATE_NAMES)('in the state %s', (name) => {
  test('nothing is cut, broken, covered or too small on any screen, and enlarged', async () => {
    for (const view of VIEWS) {
      const page = await site.show(name, view)
      for (const find of [findBroken, findCut, findCovered, findSmall])
        expect.soft(await page.evaluate(find), JSON.stringify(view)).toEqual([])
    }
  })

  test.each([
    { viewport: { width: 320, height: 800 }, colorScheme: 'light' },
    { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  ] as const)('axe finds nothing in $colorScheme colours, $viewport.width px wide', async (look) => {
    const page = await site.show(name, look)
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
    // There axe can't decide on contrasts: on the picture, which pixels.test.ts measures, and under a notification.
    const measured = name.endsWith('over the dialog') ? 'body' : 'main'
    expect(await page.evaluate(axeFindings, measured)).toEqual([])
  })
})

/** To run in the page: where this part stands. */
const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().toJSON()

test.each(SCREENS)('the page fills a screen of $width by $height px', async ({ width, height }) => {
  const page = await site.show('at rest', { viewport: { width, height } })
  const box = await page.evaluate(boxOf, 'main')
  expect(box).toMatchObject({ left: 0, top: 0, width })
  expect(box.height).toBeGreaterThanOrEqual(height)
})

test.each(SCREENS)('a notification has its size and place: $width by $height px', async ({ width, height }) => {
  const page = await site.show('an invalid email', { viewport: { width, height } })
  const box = await page.evaluate(boxOf, '[id^=notification-] > *')
  expect(box).toMatchObject({ top: 20, right: width - 20, width: Math.min(400, width - 40) })
})

test.each(SCREENS)('in the dialog a notification stands at its place: $width by $height px', async (viewport) => {
  const page = await site.show('a failed call, told over the dialog', { viewport })
  const box = await page.evaluate(boxOf, '[id^=notification-] > *')
  expect(box.top).toBe(20)
  expect(box.right).toBeCloseTo(viewport.width - 20, 0)
})

test.each(SCREENS)('the dialog has its width in the middle: $width by $height px', async ({ width, height }) => {
  const page = await site.show('an enquiry declined', { viewport: { width, height } })
  const box = await page.evaluate(boxOf, '#contact > :last-child')
  expect(box.width).toBeCloseTo(Math.max(0.7 * width, Math.min(352, width - 32)), 0)
  expect(box.left + box.width / 2).toBeCloseTo(width / 2, 0)
  expect(box.top).toBeGreaterThanOrEqual(0)
  expect(box.bottom).toBeLessThan(height)
})

test('in forced colours there is no picture', async () => {
  const page = await site.show('at rest', { forcedColors: 'active' })
  expect(await page.getByRole('main').evaluate((main) => getComputedStyle(main, '::before').content)).toBe('none')
})

test('in forced colours fields, buttons, notification and dialog have borders', async () => {
  const page = await site.show('a failed call, told over the dialog', { forcedColors: 'active' })
  const parts = page.locator(
    'main input, button[type=submit], dialog textarea, [data-severity], #contact > :last-child',
  )
  const edges = await parts.evaluateAll((all) => all.map((part) => getComputedStyle(part).borderTopWidth))
  expect(edges).toHaveLength(6)
  expect(edges).not.toContain('0px')
})

test('in forced colours an invalid field has a mark', async () => {
  const dialog = (await site.show('no first name', { forcedColors: 'active' })).getByRole('dialog')
  const edges = [TEXT.first, TEXT.last].map((name) =>
    dialog.getByPlaceholder(name).evaluate((field) => getComputedStyle(field).borderInlineStartWidth),
  )
  expect(await Promise.all(edges)).toEqual(['6px', '1px'])
})

test('with reduced motion an ellipsis stands in for the ring of a busy button', async () => {
  const page = await site.show('a call in flight', { reducedMotion: 'reduce' })
  const button = page.getByRole('button', { name: TEXT.subscribe })
  expect(await button.evaluate((it) => getComputedStyle(it, '::after').content)).toBe('"…"')
})

test('with reduced motion a text stands beside the spinner, which does not turn', async () => {
  const page = await site.show('submitting', { reducedMotion: 'reduce' })
  // Besides this one, a text is only heard.
  expect(await page.locator('dialog [aria-hidden=true]').getByText(TEXT.sending).isVisible()).toBe(true)
  expect(await page.locator('dialog .chakra-spinner').evaluate((it) => getComputedStyle(it).animationName)).toBe('none')
})

test('on paper the texts are black, without buttons', async () => {
  const page = await site.show('at rest', { media: 'print' })
  const heading = page.getByRole('heading', { name: TEXT.heading })
  expect(await heading.evaluate((it) => getComputedStyle(it).color)).toBe('rgb(0, 0, 0)')
  expect(await page.getByRole('button').count()).toBe(0)
})
