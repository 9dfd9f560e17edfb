import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { browseBuiltSite } from '../support/browse-built-site.ts'
import { reach, SCREENS, STATE_NAMES, STATES, type StateName } from '../support/page-states.ts'
import { contrastRatio, type Pixel, pixels } from '../support/pixels.ts'

const site = browseBuiltSite()
let page: Page

async function show(name: StateName, options: BrowserContextOptions) {
  page = await site.openPage({ bypassCSP: true, ...options })
  await reach(page, site.origin, name)
}

/** The colours of a line through the left edge of an element, from `outside` px before it to 8 px inside. */
async function edge(element: Locator, outside = 8): Promise<Pixel[]> {
  const { x = 0, y = 0, height = 0 } = (await element.boundingBox()) ?? {}
  return pixels(page, { x: x - outside, y: Math.round(y + height / 2), width: outside + 8, height: 1 })
}

/** The most contrast between one of the colours and the last of them. */
const mostContrast = (line: readonly Pixel[]): number => {
  const inside = line.at(-1) ?? [0, 0, 0]
  return Math.max(...line.map((pixel) => contrastRatio(pixel, inside)))
}

describe.each(['light', 'dark'] as const)('in forced colours, %s', (colorScheme) => {
  const forced = { forcedColors: 'active', colorScheme } as const

  test.each(['at rest', 'the dialog, empty'] as const)(
    'every field and button has an edge, and the focus is seen: %s',
    async (name) => {
      await show(name, forced)
      const all = await page
        .locator(name === 'at rest' ? 'main button, main input' : 'dialog :is(button, input, textarea)')
        .all()
      expect(all.length).toBeGreaterThanOrEqual(3)
      for (const element of all) {
        await element.evaluate((it: HTMLElement) => it.blur())
        expect(mostContrast(await edge(element, 1))).toBeGreaterThanOrEqual(3)
        await element.focus()
        await page.keyboard.press('Tab')
        await page.keyboard.press('Shift+Tab')
        const { style, width } = await element.evaluate((it) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(it)
          return { style: outlineStyle, width: outlineWidth }
        })
        expect([style, width]).toEqual(['solid', '3px'])
      }
    },
  )

  test('the dialog has an edge, and an invalid field a mark that moves nothing', async () => {
    await show('no first name', forced)
    const dialog = page.locator('#contact > *')
    expect(mostContrast(await edge(dialog, 1))).toBeGreaterThanOrEqual(3)
    const darkRun = async (placeholder: string) => {
      const line = await edge(page.getByRole('dialog').getByPlaceholder(placeholder), 0)
      return line.findIndex((pixel) => contrastRatio(pixel, line.at(-1) ?? pixel) < 3)
    }
    expect(await darkRun('Last Name')).toBe(1)
    expect(await darkRun('First Name')).toBe(6)
  })

  test('the spinner is open', async () => {
    await show('submitting', forced)
    const spinner = page.getByRole('dialog').getByRole('status').locator('span')
    const { borderTopColor, borderLeftColor } = await spinner.evaluate((it) => getComputedStyle(it))
    expect(borderTopColor).toBe('rgba(0, 0, 0, 0)')
    expect(borderLeftColor).not.toBe(borderTopColor)
  })

  test('the progress of a notification is seen', async () => {
    page = await site.openPage({ bypassCSP: true, ...forced })
    await page.goto(site.origin)
    await STATES['a new address'](page)
    const card = page.locator('#toast-status > *')
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) {
        animation.pause()
        animation.currentTime = 1000
      }
    })
    const { x = 0, y = 0, height = 0 } = (await card.boundingBox()) ?? {}
    const column = await pixels(page, { x: Math.round(x + 40), y: Math.round(y + height - 12), width: 1, height: 10 })
    expect(contrastRatio(column[0] ?? [0, 0, 0], column.at(-1) ?? [0, 0, 0])).toBeGreaterThanOrEqual(3)
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

test('the picture fades in within 200 ms, when it is whole', async () => {
  const { before, after } = await entranceOfPicture({})
  expect(before).toEqual([['paused', 200]])
  await expect.poll(after).toEqual([['finished', 200]])
})

/** The part of a colour that its name tells: degrees from red. */
function hue([red, green, blue]: Pixel): number {
  const degrees = Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * (180 / Math.PI)
  return Math.abs(degrees)
}

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test('the focus is not taken for an error', async () => {
    await show('no first name', { colorScheme })
    const { outline, border, panel } = await page.getByPlaceholder('First Name').evaluate((it) => {
      const channels = (css: string) => (css.match(/\d+/g) ?? []).map(Number) as unknown as Pixel
      const { outlineColor, borderColor, backgroundColor } = getComputedStyle(it)
      return { outline: channels(outlineColor), border: channels(borderColor), panel: channels(backgroundColor) }
    })
    expect(contrastRatio(outline, panel)).toBeGreaterThanOrEqual(3)
    expect(hue(border)).toBeLessThan(30)
    expect(hue(outline)).toBeGreaterThan(90)
  })

  test('the field on the water has a boundary of 3 to 1', async () => {
    for (const [width, height] of SCREENS) {
      await show('at rest', { colorScheme, viewport: { width, height } })
      const line = await edge(page.locator('main form'), 8)
      const water = line.slice(0, 6)
      for (const pixel of water)
        expect(Math.max(...line.slice(6, 10).map((it) => contrastRatio(it, pixel)))).toBeGreaterThanOrEqual(3)
    }
  })
})

describe.each(['light', 'dark'] as const)('printed from %s colours', (colorScheme) => {
  test.each(['at rest', 'a known address', 'an enquiry declined'] as const)(
    'everything is dark on white: %s',
    async (name) => {
      await show(name, { colorScheme })
      await page.emulateMedia({ media: 'print', colorScheme })
      const { width = 0, height = 0 } = page.viewportSize() ?? {}
      const all = await pixels(page, { x: 0, y: 0, width, height })
      const share = (level: number) => all.filter((pixel) => pixel.every((it) => it === level)).length / all.length
      expect(share(255)).toBeGreaterThan(0.9)
      expect(share(0)).toBeGreaterThan(0.004)
    },
  )
})

describe('with reduced motion', () => {
  test('the picture does not fade in', async () => {
    expect((await entranceOfPicture({ reducedMotion: 'reduce' })).before).toEqual([])
  })

  test.each(STATE_NAMES)('nothing moves but the time that runs out: %s', async (name) => {
    page = await site.openPage({ reducedMotion: 'reduce' })
    await page.goto(site.origin)
    await STATES[name](page)
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(({ effect }) => effect?.getTiming().duration),
    )
    expect(moving).toEqual(name === 'a new address' ? [3000] : [])
  })

  test('words stand in for the spinner', async () => {
    await show('submitting', { reducedMotion: 'reduce' })
    const progress = page.locator('dialog form [role=status]')
    expect(await progress.locator('span').isVisible()).toBe(false)
    expect(await progress.getByText('Sending…').evaluate((words) => getComputedStyle(words).clipPath)).toBe('none')
  })
})
