import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { describe, expect, test } from 'vitest'
import { DIR, TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { findBroken, findCovered, findCut, findSmall } from '../support/page/find.ts'
import { STATE_NAMES, type StateName } from '../support/page/page-states.ts'
import { SCREENS, SMALL, SMALLEST } from '../support/page/screens.ts'
import { type Look, showState } from '../support/page/show-state.ts'

const show = showState(browseBuiltSite())

/** The spacing of text that WCAG 1.4.12 lets a visitor set. */
const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'
const LARGE_TEXT = 'html { font-size: 200% }'
// The worst picture, because the texts on it are light.
const WHITE_PICTURE = 'main { background: #fff !important } main::before { content: none !important }'

const VIEWS: Look[] = [
  {},
  { viewport: { width: 844, height: 390 } },
  { viewport: SMALLEST },
  { viewport: SMALL, css: SPACING },
  { viewport: SMALL, css: LARGE_TEXT },
]

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** To run in the page: the places that break these rules, or that axe can't decide. */
async function axeFindings(runOnly: string[]): Promise<string[]> {
  const { axe: checker } = window as unknown as { axe: typeof axe }
  const { violations, incomplete } = await checker.run(document, { runOnly, resultTypes: ['violations', 'incomplete'] })
  return [...violations, ...incomplete].flatMap(({ id, helpUrl, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary} ${helpUrl}`),
  )
}

/** The places of these parts on each screen. */
async function boxesOf(name: StateName, ...parts: readonly string[]) {
  const boxes = []
  for (const viewport of SCREENS) {
    const page = await show(name, { viewport })
    for (const part of parts) boxes.push((await page.locator(part).boundingBox()) ?? expect.unreachable(part))
  }
  return boxes
}

test('in forced colours there is no picture', async () => {
  const main = (await show('at rest', { forcedColors: 'active' })).getByRole('main')
  expect(await main.evaluate((it) => getComputedStyle(it, '::before').content)).toBe('none')
})

test('on paper the texts are black, without buttons', async () => {
  const page = await show('at rest', { media: 'print' })
  const heading = page.getByRole('heading', { name: TEXT.heading })
  expect(await heading.evaluate((it) => getComputedStyle(it).color)).toBe('rgb(0, 0, 0)')
  expect(await page.getByRole('button').count()).toBe(0)
})

test('with reduced motion an ellipsis replaces the ring of a busy button', async () => {
  const page = await show('a call in flight', { reducedMotion: 'reduce' })
  const button = page.getByRole('button', { name: TEXT.subscribe })
  expect(await button.evaluate((it) => getComputedStyle(it, '::after').content)).toBe('"…"')
})

describe.each(STATE_NAMES)('in the state %s', (name) => {
  test('no part is cut, broken, covered or too small on any screen, even enlarged', async () => {
    for (const view of VIEWS) {
      const page = await show(name, view)
      for (const find of [findBroken, findCut, findCovered, findSmall])
        expect.soft(await page.evaluate(find), JSON.stringify(view)).toEqual([])
    }
  })

  // Dark colours change nothing but colours.
  test.each([
    ['light', ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']],
    ['dark', ['color-contrast']],
  ] as const)('axe finds nothing on a white picture, in %s colours', async (colorScheme, rules) => {
    const page = await show(name, { colorScheme, css: WHITE_PICTURE })
    await page.evaluate(`if (!('axe' in window)) { ${AXE} }`)
    expect(await page.evaluate(axeFindings, [...rules])).toEqual([])
  })
})

test('nothing on the page moves when an outcome is shown', async () => {
  const boxes = (name: StateName) => boxesOf(name, 'h1', 'main form [type=submit]', 'main [data-contact-dialog]')
  const atRest = await boxes('at rest')
  for (const name of ['an invalid email', 'a call in flight', 'a new address'] as const)
    expect.soft(await boxes(name), name).toEqual(atRest)
})

test.each(['an invalid email', 'a failure over the dialog'] as const)(
  'a notification stands at the top of every screen, where lines end: %s',
  async (name) => {
    const places = (await boxesOf(name, '[data-severity]')).map(({ x, y, width }, index) => {
      const right = (SCREENS[index]?.width ?? 0) - x - width
      return [Math.round(DIR === 'ltr' ? right : x), y, width]
    })
    expect(places).toEqual([320, 400, 400].map((width) => [20, 20, width]))
  },
)

test('title, fields and close icon of the dialog stand in one column on every screen', async () => {
  for (const viewport of [SMALL, ...SCREENS]) {
    const page = await show('no first name', { viewport })
    const boxes = await page.evaluate(() => {
      const box = (selector: string) => document.querySelector(`dialog ${selector}`)?.getBoundingClientRect().toJSON()
      return { title: box('h2'), close: box('button'), field: box('textarea') }
    })
    const [start, end] = DIR === 'ltr' ? ['left', 'right'] : ['right', 'left']
    expect.soft(boxes.title[start], JSON.stringify(viewport)).toBe(boxes.field[start])
    expect.soft(boxes.close[end], JSON.stringify(viewport)).toBe(boxes.field[end])
  }
})

test('the message field has room for three lines of large text', async () => {
  const page = await show('no first name', { viewport: SMALL, css: LARGE_TEXT })
  const lines = await page.getByPlaceholder(TEXT.message).evaluate((field) => {
    const { paddingTop, paddingBottom, lineHeight } = getComputedStyle(field)
    const [top, bottom, line] = [paddingTop, paddingBottom, lineHeight].map(Number.parseFloat)
    return (field.clientHeight - (top ?? 0) - (bottom ?? 0)) / (line ?? 1)
  })
  expect(lines).toBeGreaterThan(3)
})

test('the dialog has its width, and is in the middle of every screen', async () => {
  const boxes = await boxesOf('an enquiry declined', 'dialog > :last-child')
  const places = boxes.map(({ x, width }) => ({ width: Math.round(width), middle: Math.round(x + width / 2) }))
  const widths = [328, 591, 1344]
  expect(places).toEqual(SCREENS.map((screen, index) => ({ width: widths[index], middle: screen.width / 2 })))
})
