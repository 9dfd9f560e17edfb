import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { PROVIDER } from '../../src/domain/provider.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { animationsFinished, resize, SCREENS, STATES } from '../support/page/page-states.ts'
import { boxOf, type Colour, contrastRatio, pixels, worstRatio } from '../support/page/pixels.ts'

const SCHEMES = ['light', 'dark'] as const

const site = browseBuiltSite()
let page: Page

const channels = (css: string) => (css.match(/\d+/g) ?? []).map(Number) as unknown as Colour

/** Every text that is seen stands out by 7 to 1 from each pixel of the box it is written in. */
async function expectLegible(where: string, texts: Locator) {
  const found = await texts.locator('visible=true').evaluateAll((all) =>
    all.map((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const { x, y, width, height } = range.getBoundingClientRect()
      return { text: element.textContent, css: getComputedStyle(element).color, box: { x, y, width, height } }
    }),
  )
  const setColour = (colour: string) =>
    texts.evaluateAll((all: HTMLElement[], colour) => {
      for (const element of all) element.style.setProperty('color', colour, 'important')
    }, colour)
  await setColour('transparent')
  expect(found.length).toBeGreaterThan(1)
  for (const { text, css, box } of found) {
    const ratio = worstRatio(channels(css), await pixels(page, box))
    expect(ratio, `${text}, ${where}`).toBeGreaterThanOrEqual(7)
  }
  await setColour('')
}

test.each([1, 2] as const)(
  'what stands on the picture stands out by 7 to 1, with %i pixels a CSS pixel, and its field by 3 to 1',
  async (density) => {
    page = await site.show('an invalid email', { deviceScaleFactor: density })
    // Without the notification, which stands before all this on a small screen.
    await page.getByRole('button', { name: TEXT.close }).click()
    const mark = page.getByText(PROVIDER, { exact: true })
    const problem = page.locator('main').getByText(VALIDATION_TEXT.invalidEmail)
    const texts = page.locator('h1, main label, main > button').or(mark).or(problem)
    // With two pixels, only screens where they bring another picture.
    const screens = density === 1 ? SCREENS : SCREENS.filter(([, height]) => [800, 1024, 390].includes(height))
    for (const [width, height] of [...screens, [1024, 768]] as const) {
      await resize(page, width, height)
      await expectLegible(`${width} by ${height} at ${density}x`, texts)
      for (const colorScheme of density === 1 ? SCHEMES : []) {
        await page.emulateMedia({ colorScheme })
        const line = await edge(page.locator('main form'))
        for (const pixel of line.slice(0, 6))
          expect(Math.max(...line.slice(6, 10).map((it) => contrastRatio(it, pixel)))).toBeGreaterThanOrEqual(3)
      }
    }
  },
)

test('without scripts the page is whole, and above the form one sentence tells what needs them, as legible', async () => {
  page = await site.openPage({ javaScriptEnabled: false })
  await page.goto(site.origin, { waitUntil: 'networkidle' })
  expect(await page.locator('noscript').innerText()).toBe(TEXT.withoutScripts)
  expect(await page.getByRole('button', { name: TEXT.contactUs }).isVisible()).toBe(true)
  expect(await page.locator('main').evaluate((main) => getComputedStyle(main, '::before').opacity)).toBe('1')
  const [sentence, form] = await Promise.all([boxOf(page.locator('noscript')), boxOf(page.locator('main form'))])
  expect(sentence.y + sentence.height).toBeLessThan(form.y)
  for (const [width, height] of SCREENS) {
    await resize(page, width, height)
    await expectLegible(`${width} by ${height} without scripts`, page.locator('h1, noscript'))
  }
  await page.getByPlaceholder(TEXT.emailPlaceholder).fill('visitor@example.com')
  await page.getByPlaceholder(TEXT.emailPlaceholder).press('Enter')
  expect(page.url(), 'no address ends up in a URL').toBe(`${site.origin}/`)
})

/** The colours of a line through the left edge of an element, from `outside` px before it to 8 px inside. */
async function edge(element: Locator, outside = 8): Promise<Colour[]> {
  const { x, y, height } = await boxOf(element)
  return pixels(page, { x: x - outside, y: Math.round(y + height / 2), width: outside + 8, height: 1 })
}

/** The most contrast between one of the colours and the last of them. */
const mostContrast = (line: readonly Colour[]): number => {
  const inside = line.at(-1) ?? [0, 0, 0]
  return Math.max(...line.map((pixel) => contrastRatio(pixel, inside)))
}

/** Every field and button has an edge, and the focus on it is seen. */
async function expectEdges(selector: string) {
  for (const element of await page.locator(selector).all()) {
    await element.blur()
    expect(mostContrast(await edge(element, 1))).toBeGreaterThanOrEqual(3)
    await element.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    const outline = await element.evaluate((it) => getComputedStyle(it).outline)
    expect(outline).toMatch(/ solid 3px$/)
  }
}

test.each(SCHEMES)(
  'in forced colours, %s, what is seen of fields, focus, problem, spinner and progress is seen',
  async (colorScheme) => {
    page = await site.show('at rest', { forcedColors: 'active', colorScheme })
    await expectEdges('main button, main input')

    await STATES['no first name'](page)
    const dialog = page.getByRole('dialog')
    expect(mostContrast(await edge(page.locator('#contact > :last-child'), 1))).toBeGreaterThanOrEqual(3)
    const darkRun = async (placeholder: string) => {
      const line = await edge(dialog.getByPlaceholder(placeholder), 0)
      return line.findIndex((pixel) => contrastRatio(pixel, line.at(-1) ?? pixel) < 3)
    }
    expect([await darkRun(TEXT.last), await darkRun(TEXT.first)], 'an invalid field has a mark').toEqual([1, 6])
    await expectEdges('dialog :is(button, input, textarea)')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })

    await STATES['a new address'](page)
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) {
        animation.pause()
        animation.currentTime = 1000
      }
    })
    const { x, y, height } = await boxOf(page.locator('#toast-status > *'))
    const column = await pixels(page, { x: Math.round(x + 40), y: Math.round(y + height - 12), width: 1, height: 10 })
    expect(mostContrast(column)).toBeGreaterThanOrEqual(3)

    await STATES.submitting(page)
    const spinner = dialog.locator('.spinner')
    const { borderTopColor, borderLeftColor } = await spinner.evaluate((it) => getComputedStyle(it))
    expect(borderTopColor).toBe('rgba(0, 0, 0, 0)')
    expect(borderLeftColor).not.toBe(borderTopColor)
  },
)

test('the focus stands out in the dialog and on the picture, and is not taken for an error; labels stand out by 7 to 1', async () => {
  page = await site.show('no first name')
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    await expectLegible(`the dialog, ${colorScheme}`, page.locator('dialog label'))
    await expectFocusSeen('dialog :is(input, textarea)')
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    await expectFocusSeen('main :is(button, input)')
  }
})

async function expectFocusSeen(selector: string) {
  await page.evaluate(animationsFinished)
  for (const element of await page.locator(selector).all()) {
    await element.focus()
    const { outlineColor, borderColor } = await element.evaluate((it) => getComputedStyle(it))
    expect(outlineColor).not.toBe(borderColor)
    // Beyond the edge, and beyond the outline.
    const line = (await edge(element)).slice(0, 8)
    expect(mostContrast(line.toReversed())).toBeGreaterThanOrEqual(3)
  }
}

test('printed, everything is dark on white, from light and from dark colours', async () => {
  page = await site.show('a failed call, told over the dialog', { viewport: { width: 800, height: 600 } })
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ media: 'print', colorScheme })
    const all = await pixels(page, { x: 0, y: 0, width: 800, height: 600 })
    const share = (level: number) => all.filter((pixel) => pixel.every((it) => it === level)).length / all.length
    expect(share(255)).toBeGreaterThan(0.9)
    expect(share(0)).toBeGreaterThan(0.004)
  }
})

test('with reduced motion words stand in for what turns', async () => {
  page = await site.show('a call in flight', { reducedMotion: 'reduce' })
  const button = page.getByRole('button', { name: TEXT.subscribe })
  expect(await button.evaluate((it) => getComputedStyle(it, '::after').content)).toBe(JSON.stringify(TEXT.sending))
  await STATES.submitting(page)
  const spinner = page.locator('dialog .spinner')
  expect(await spinner.evaluate((it) => getComputedStyle(it, '::after').content)).toBe(JSON.stringify(TEXT.sending))
  expect(await spinner.evaluate((it) => getComputedStyle(it).animationName)).toBe('none')
})
