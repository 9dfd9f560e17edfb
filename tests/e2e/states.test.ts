import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { describe, expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { findBroken, findCovered, findCut, findSmall } from '../support/page/find.ts'
import { STATE_NAMES, type StateName } from '../support/page/page-states.ts'
import { SCREENS, SMALL, SMALLEST } from '../support/page/screens.ts'

const site = browseBuiltSite()

/** The spacing of text that WCAG 1.4.12 lets a visitor set. */
const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'
const LARGE_TEXT = 'html { font-size: 200% }'
// The worst picture, because the texts on it are light.
const WHITE_PICTURE = 'main { background: #fff !important } main::before { content: none !important }'

const VIEWS = [
  { viewport: SMALL, css: SPACING },
  { viewport: SMALL, css: LARGE_TEXT },
  ...[SMALLEST, ...SCREENS].map((viewport) => ({ viewport })),
]

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** To run in the page: the places that break WCAG 2.2 AA or best practice, or that axe can't decide. */
async function axeFindings(): Promise<string[]> {
  const { axe: checker } = window as unknown as { axe: typeof axe }
  const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const { violations, incomplete } = await checker.run(document, { runOnly })
  return [...violations, ...incomplete].flatMap(({ id, helpUrl, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary} ${helpUrl}`),
  )
}

/** The place of this part on each screen. */
async function boxesOf(part: string, name: StateName) {
  const boxes = []
  for (const viewport of SCREENS) {
    const page = await site.show(name, { viewport })
    boxes.push((await page.locator(part).boundingBox()) ?? expect.unreachable(part))
  }
  return boxes
}

test('in forced colours there is no picture', async () => {
  const main = (await site.show('at rest', { forcedColors: 'active' })).getByRole('main')
  expect(await main.evaluate((it) => getComputedStyle(it, '::before').content)).toBe('none')
})

test('on paper the texts are black, without buttons', async () => {
  const page = await site.show('at rest', { media: 'print' })
  const heading = page.getByRole('heading', { name: TEXT.heading })
  expect(await heading.evaluate((it) => getComputedStyle(it).color)).toBe('rgb(0, 0, 0)')
  expect(await page.getByRole('button').count()).toBe(0)
})

describe.each(STATE_NAMES)('in the state %s', (name) => {
  test('no part is cut, broken, covered or too small on any screen, even enlarged', async () => {
    for (const view of VIEWS) {
      const page = await site.show(name, view)
      for (const find of [findBroken, findCut, findCovered, findSmall])
        expect.soft(await page.evaluate(find), JSON.stringify(view)).toEqual([])
    }
  })

  test.each([
    { viewport: { width: 320, height: 800 }, colorScheme: 'light' },
    { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  ] as const)('axe finds nothing on a white picture, in $colorScheme colours', async (look) => {
    const page = await site.show(name, { ...look, css: WHITE_PICTURE })
    await page.evaluate(`if (!('axe' in window)) { ${AXE} }`)
    expect(await page.evaluate(axeFindings)).toEqual([])
  })
})

test.each(['an invalid email', 'a failure over the dialog'] as const)(
  'a notification stands at the top right of every screen: %s',
  async (name) => {
    const places = (await boxesOf('[data-severity]', name)).map(({ x, y, width }) => [Math.round(x), y, width])
    expect(places).toEqual([
      [20, 20, 320],
      [424, 20, 400],
      [1500, 20, 400],
    ])
  },
)

test('with reduced motion an ellipsis replaces the ring of a busy button', async () => {
  const page = await site.show('a call in flight', { reducedMotion: 'reduce' })
  const button = page.getByRole('button', { name: TEXT.subscribe })
  expect(await button.evaluate((it) => getComputedStyle(it, '::after').content)).toBe('"…"')
})

test.each(['an invalid email', 'a call in flight', 'a new address'] as const)(
  'nothing on the page moves in the state %s',
  async (name) => {
    for (const part of ['h1', 'main form [type=submit]', 'main [data-contact-dialog]'])
      expect.soft(await boxesOf(part, name), part).toEqual(await boxesOf(part, 'at rest'))
  },
)

test('title, fields and close icon of the dialog stand in one column on every screen', async () => {
  for (const viewport of [SMALL, ...SCREENS]) {
    const page = await site.show('no first name', { viewport })
    const edges = await page.evaluate(() => {
      const box = (selector: string) => document.querySelector(`dialog ${selector}`)?.getBoundingClientRect()
      const [title, close, field] = [box('h2'), box('button'), box('textarea')]
      return { starts: [title?.left, field?.left], ends: [close?.right, field?.right] }
    })
    for (const [first, second] of Object.values(edges)) expect.soft(first, JSON.stringify(viewport)).toBe(second)
  }
})

test('the message field has room for three lines of large text', async () => {
  const page = await site.show('no first name', { viewport: SMALL, css: LARGE_TEXT })
  const lines = await page.getByPlaceholder(TEXT.message).evaluate((field) => {
    const { paddingTop, paddingBottom, lineHeight } = getComputedStyle(field)
    const [top, bottom, line] = [paddingTop, paddingBottom, lineHeight].map(Number.parseFloat)
    return (field.clientHeight - (top ?? 0) - (bottom ?? 0)) / (line ?? 1)
  })
  expect(lines).toBeGreaterThan(3)
})

test('the dialog has its width, and is in the middle of every screen', async () => {
  const boxes = await boxesOf('dialog > :last-child', 'an enquiry declined')
  const places = boxes.map(({ x, width }) => ({ width: Math.round(width), middle: Math.round(x + width / 2) }))
  const widths = [328, 591, 1344]
  expect(places).toEqual(SCREENS.map((screen, index) => ({ width: widths[index], middle: screen.width / 2 })))
})
