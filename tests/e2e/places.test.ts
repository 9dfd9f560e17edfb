import { expect, test } from 'vitest'
import { DIR, TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { type StateName, showState } from '../support/page/show-state.ts'

// One page goes through the states of these tests, because their order is that of a visit.
const show = showState(browseBuiltSite())

/** A phone in both orientations and a desktop, in CSS pixels. */
const SCREENS = [
  { width: 360, height: 800 },
  { width: 844, height: 390 },
  { width: 1920, height: 1080 },
]
const SMALL = { width: 320, height: 568 }

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

test('nothing on the page moves when an outcome is shown', async () => {
  const boxes = (name: StateName) => boxesOf(name, 'h1', 'main form [type=submit]', 'main [data-contact-dialog]')
  const atRest = await boxes('at rest')
  for (const name of ['an invalid email', 'a call in flight', 'a new address'] as const)
    expect.soft(await boxes(name), name).toEqual(atRest)
})

test.each(['a new address', 'a failure over the dialog'] as const)(
  'a notification stands at the top of every screen, where lines end: %s',
  async (name) => {
    const places = (await boxesOf(name, '[data-severity]')).map(({ x, y, width }, index) => {
      const right = (SCREENS[index]?.width ?? 0) - x - width
      return [Math.round(DIR === 'ltr' ? right : x), y, width]
    })
    expect(places).toEqual([320, 400, 400].map((width) => [20, 20, width]))
  },
)

test('the dialog has its width, and is in the middle of every screen', async () => {
  const boxes = await boxesOf('no first name', 'dialog > :last-child')
  const places = boxes.map(({ x, width }) => ({ width: Math.round(width), middle: Math.round(x + width / 2) }))
  const widths = [328, 591, 1344]
  expect(places).toEqual(SCREENS.map((screen, index) => ({ width: widths[index], middle: screen.width / 2 })))
})

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
  const page = await show('no first name', { viewport: SMALL, css: 'html { font-size: 200% }' })
  const lines = await page.getByPlaceholder(TEXT.message).evaluate((field) => {
    const { paddingTop, paddingBottom, lineHeight } = getComputedStyle(field)
    const [top, bottom, line] = [paddingTop, paddingBottom, lineHeight].map(Number.parseFloat)
    return (field.clientHeight - (top ?? 0) - (bottom ?? 0)) / (line ?? 1)
  })
  expect(lines).toBeGreaterThan(3)
})
