import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { reach, resize, SCREENS, STATES, type StateName } from '../../scripts/page-states.ts'
import type { Colour } from '../../scripts/picture-colours.ts'
import { TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { contrastRatio, pixels } from '../support/page/pixels.ts'

const site = browseBuiltSite()
let page: Page

async function show(name: StateName, options: BrowserContextOptions = {}) {
  page = await site.openPage({ bypassCSP: true, ...options })
  await reach(page, site.origin, name)
}

/** The colours of a line through the left edge of an element, from `outside` px before it to 8 px inside. */
async function edge(element: Locator, outside = 8): Promise<Colour[]> {
  const { x = 0, y = 0, height = 0 } = (await element.boundingBox()) ?? {}
  return pixels(page, { x: x - outside, y: Math.round(y + height / 2), width: outside + 8, height: 1 })
}

/** The most contrast between one of the colours and the last of them. */
const mostContrast = (line: readonly Colour[]): number => {
  const inside = line.at(-1) ?? [0, 0, 0]
  return Math.max(...line.map((pixel) => contrastRatio(pixel, inside)))
}

const SCHEMES = ['light', 'dark'] as const

/** Brings the page into a state and then into both forced palettes. */
async function forced(name: StateName, check: (scheme: string) => Promise<void>) {
  await show(name)
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    await check(colorScheme)
  }
}

/** Every field and button has an edge, and the focus on it is seen. */
async function expectEdges(selector: string, scheme: string) {
  const all = await page.locator(selector).all()
  expect(all.length).toBeGreaterThanOrEqual(3)
  for (const element of all) {
    await element.evaluate((it: HTMLElement) => it.blur())
    expect(mostContrast(await edge(element, 1)), scheme).toBeGreaterThanOrEqual(3)
    await element.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    const outline = await element.evaluate((it) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(it)
      return [outlineStyle, outlineWidth]
    })
    expect(outline, scheme).toEqual(['solid', '3px'])
  }
}

describe('in forced colours', () => {
  test('every field and button of the page has an edge, and the focus is seen', () =>
    forced('at rest', (scheme) => expectEdges('main button, main input', scheme)))

  test('so have those of the dialog, and itself; an invalid field has a mark that moves nothing', () =>
    forced('no first name', async (scheme) => {
      expect(mostContrast(await edge(page.locator('#contact > *'), 1)), scheme).toBeGreaterThanOrEqual(3)
      const darkRun = async (placeholder: string) => {
        const line = await edge(page.getByRole('dialog').getByPlaceholder(placeholder), 0)
        return line.findIndex((pixel) => contrastRatio(pixel, line.at(-1) ?? pixel) < 3)
      }
      expect(await darkRun(TEXT.last), scheme).toBe(1)
      expect(await darkRun(TEXT.first), scheme).toBe(6)
      await expectEdges('dialog :is(button, input, textarea)', scheme)
    }))

  test('the spinner is open', () =>
    forced('submitting', async (scheme) => {
      const spinner = page.getByRole('dialog').getByRole('status').locator('span')
      const { borderTopColor, borderLeftColor } = await spinner.evaluate((it) => getComputedStyle(it))
      expect(borderTopColor, scheme).toBe('rgba(0, 0, 0, 0)')
      expect(borderLeftColor, scheme).not.toBe(borderTopColor)
    }))

  test('the progress of a notification is seen', async () => {
    page = await site.openPage({ bypassCSP: true, forcedColors: 'active' })
    await page.goto(site.origin)
    await STATES['a new address'](page)
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) {
        animation.pause()
        animation.currentTime = 1000
      }
    })
    const { x = 0, y = 0, height = 0 } = (await page.locator('#toast-status > *').boundingBox()) ?? {}
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      const column = await pixels(page, { x: Math.round(x + 40), y: Math.round(y + height - 12), width: 1, height: 10 })
      expect(contrastRatio(column[0] ?? [0, 0, 0], column.at(-1) ?? [0, 0, 0])).toBeGreaterThanOrEqual(3)
    }
  })
})

/** How long the picture takes to come in, once it is whole; until then it is held back. */
async function entranceOfPicture(options: BrowserContextOptions) {
  page = await site.openPage(options)
  let deliver = () => {}
  const asked = new Promise<void>((resolve) => {
    deliver = resolve
  })
  await page.route(/avif/, (route) => asked.then(() => route.continue()))
  await page.goto(site.origin, { waitUntil: 'domcontentloaded' })
  const entrances = await page.evaluateHandle(() => document.getAnimations())
  const states = () =>
    entrances.evaluate((all) => all.map((it) => [it.playState, it.effect?.getComputedTiming().endTime]))
  const before = await states()
  deliver()
  await page.waitForLoadState('load')
  return { before, after: async () => await states() }
}

test('the picture fades in within 200 ms, when it is whole, or comes at once where motion is reduced', async () => {
  const { before, after } = await entranceOfPicture({})
  expect(before).toEqual([['paused', 200]])
  await expect.poll(after).toEqual([['finished', 200]])
  expect((await entranceOfPicture({ reducedMotion: 'reduce' })).before).toEqual([])
})

/** The part of a colour that its name tells: degrees from red. */
function hue([red, green, blue]: Colour): number {
  const degrees = Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * (180 / Math.PI)
  return Math.abs(degrees)
}

test('the focus is not taken for an error, in light and in dark, and stands out in the dialog and on the picture', async () => {
  await show('no first name')
  const colours = () =>
    page.evaluate(() => {
      const channels = (css: string) => (css.match(/\d+/g) ?? []).map(Number) as unknown as Colour
      const { outlineStyle, outlineColor, borderColor, backgroundColor } = getComputedStyle(
        document.activeElement ?? document.body,
      )
      return {
        style: outlineStyle,
        outline: channels(outlineColor),
        border: channels(borderColor),
        panel: channels(backgroundColor),
      }
    })
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    await page.getByPlaceholder(TEXT.first).focus()
    const { style, outline, border, panel } = await colours()
    expect(style).toBe('solid')
    expect(contrastRatio(outline, panel)).toBeGreaterThanOrEqual(3)
    expect(hue(border)).toBeLessThan(30)
    expect(hue(outline)).toBeGreaterThan(90)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    for (const element of await page.locator('main button, main input').all()) {
      await element.focus()
      // Beyond the edge, and beyond the outline.
      const line = (await edge(element)).slice(0, 8)
      expect(mostContrast(line.toReversed())).toBeGreaterThanOrEqual(3)
    }
  }
})

test('the field on the water has a boundary of 3 to 1', async () => {
  await show('at rest')
  for (const [width, height] of SCREENS) {
    await resize(page, width, height)
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      const line = await edge(page.locator('main form'), 8)
      for (const pixel of line.slice(0, 6))
        expect(Math.max(...line.slice(6, 10).map((it) => contrastRatio(it, pixel)))).toBeGreaterThanOrEqual(3)
    }
  }
})

test.each(['a known address', 'an enquiry declined'] as const)(
  'printed, everything is dark on white, from light and from dark colours: %s',
  async (name) => {
    await show(name, { viewport: { width: 800, height: 600 } })
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ media: 'print', colorScheme })
      const all = await pixels(page, { x: 0, y: 0, width: 800, height: 600 })
      const share = (level: number) => all.filter((pixel) => pixel.every((it) => it === level)).length / all.length
      expect(share(255)).toBeGreaterThan(0.9)
      expect(share(0)).toBeGreaterThan(0.004)
    }
  },
)

test('with reduced motion words stand in for what turns', async () => {
  await show('a call in flight', { reducedMotion: 'reduce' })
  const button = page.getByRole('button', { name: TEXT.subscribe })
  expect(await button.evaluate((it) => getComputedStyle(it, '::after').content)).toBe(JSON.stringify(TEXT.sending))
  await STATES.submitting(page)
  const progress = page.locator('dialog form [role=status]')
  expect(await progress.locator('span').isVisible()).toBe(false)
  expect(await progress.getByText(TEXT.sending).evaluate((words) => getComputedStyle(words).clipPath)).toBe('none')
})
