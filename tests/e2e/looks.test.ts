import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Locator, Page, PageScreenshotOptions, ViewportSize } from 'playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { PROVIDER } from '../../src/domain/provider.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { findCovered, findCut } from '../support/page/cut.ts'
import { animationsFinished, STATE_NAMES } from '../support/page/page-states.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** A phone in both orientations, a tablet and a desktop, in CSS pixels. */
const SCREENS = [
  { width: 360, height: 800 },
  { width: 768, height: 1024 },
  { width: 2560, height: 1440 },
  { width: 844, height: 390 },
]

const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'
const LARGE_TEXT = 'html { font-size: 200% }'
const SMALL = { width: 320, height: 568 }

const VIEWS: { readonly viewport: ViewportSize; readonly css?: string }[] = [
  { viewport: SMALL, css: SPACING },
  { viewport: SMALL, css: LARGE_TEXT },
  { viewport: { width: 1280, height: 800 }, css: LARGE_TEXT },
  // A zoom of 400 %.
  { viewport: { width: 320, height: 256 } },
  ...SCREENS.map((viewport) => ({ viewport })),
]

const LOOKS = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

/** Where axe can't decide on contrasts: on the image, which is measured below, and under a notification. */
const measured = (name: string) => (name.endsWith('over the dialog') ? 'body' : 'main')

const site = browseBuiltSite()

/** To run in the page: gives it these rules besides its own, in place of those it was given before. */
function restyle(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/** Which of these rules on sizes and places does not hold. */
function broken(): string[] {
  const rectOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
  const [width, main, notification, dialog] = [
    innerWidth,
    rectOf('main'),
    rectOf('[id^=notification-] > *'),
    rectOf('dialog[open] > #contact > :last-child'),
  ]
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
      !notification ||
      (notification.top === 20 &&
        near(notification.right, width - 20) &&
        notification.width === Math.min(400, width - 40)),
    'the dialog is 70vw wide, or 22rem, in the middle, and fits the screen':
      !dialog ||
      (dialog.top >= 0 &&
        near(dialog.width, Math.max(0.7 * width, Math.min(352, width - 32))) &&
        near(dialog.left + dialog.width / 2, width / 2) &&
        dialog.bottom < innerHeight),
  }
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]))
}

/**
 * Where the page breaks WCAG 2.2 AA or the usual practice, and what axe can't decide there, but for contrasts within what is
 * `measured` elsewhere.
 */
async function axeFindings(page: Page, measured: string): Promise<string[]> {
  const run = async ([standards, measured]: readonly [string[], string]) => {
    const { axe: checker } = window as unknown as { axe: typeof axe }
    const { violations, incomplete } = await checker.run(document, { runOnly: standards, elementRef: true })
    const isOpen = (id: string, { element }: axe.NodeResult) => id !== 'color-contrast' || !element?.closest(measured)
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target}`)),
      ...incomplete.flatMap(({ id, nodes }) =>
        nodes.filter((node) => isOpen(id, node)).map(({ target }) => `${id}, perhaps, at ${target}`),
      ),
    ]
  }
  return page.evaluate(run, [STANDARDS, measured] as const)
}

test('in every state all that is pressed has 44 px, all is in its place on every screen, nothing is cut or covered when enlarged, and axe finds nothing', async () => {
  const found: string[] = []
  for (const name of STATE_NAMES) {
    const page = await site.show(name)
    for (const { viewport, css = '' } of VIEWS) {
      await page.setViewportSize(viewport)
      await page.evaluate(restyle, css)
      await page.evaluate(animationsFinished)
      const rules = css ? [findCut, findCovered] : [findCut, findCovered, broken]
      for (const rule of rules)
        for (const what of await page.evaluate(rule))
          found.push(`${name}, ${viewport.width} by ${viewport.height} px, ${css}: ${what}`)
    }
    if (name === 'at rest') await page.evaluate(AXE)
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.evaluate(animationsFinished)
      for (const what of await axeFindings(page, measured(name)))
        found.push(`${name}, ${width} px, ${colorScheme}: ${what}`)
    }
  }
  expect(found).toEqual([])
})

/** What each value of a channel adds to the relative luminance of WCAG 2.2, before its weight. */
const LINEAR = Array.from({ length: 256 }, (_, i) => (i <= 10 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ** 2.4))
const luminance = (red = 0, green = 0, blue = 0) =>
  0.2126 * (LINEAR[red] ?? 0) + 0.7152 * (LINEAR[green] ?? 0) + 0.0722 * (LINEAR[blue] ?? 0)

/** How two luminances stand out from each other (WCAG 2.2). */
const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)

/** The luminance of each pixel that the screen shows in a box, row by row. */
async function pixels(page: Page, clip: NonNullable<PageScreenshotOptions['clip']>): Promise<number[]> {
  const screenshot = sharp(await page.screenshot({ clip }))
  const data = await screenshot.removeAlpha().raw().toBuffer()
  return Array.from({ length: data.length / 3 }, (_, i) => luminance(data[3 * i], data[3 * i + 1], data[3 * i + 2]))
}

/** Every one of these texts has a contrast of 4.5:1 to each pixel of the box that it is written in. */
async function expectLegible(page: Page, texts: readonly Locator[]) {
  for (const text of texts) {
    if (!(await text.isVisible())) continue
    const { css, box } = await text.evaluate((element) => {
      element.scrollIntoView({ block: 'center' })
      const range = document.createRange()
      range.selectNodeContents(element)
      const { x, top, width, bottom } = range.getBoundingClientRect()
      // Large text may be higher than the screen.
      const y = Math.max(0, top)
      return { css: getComputedStyle(element).color, box: { x, y, width, height: Math.min(innerHeight, bottom) - y } }
    })
    const own = luminance(...(css.match(/\d+/g) ?? []).map(Number))
    const setColor = (color: string) =>
      text.evaluate((element: HTMLElement, color) => element.style.setProperty('color', color, 'important'), color)
    await setColor('transparent')
    const worst = (await pixels(page, box)).reduce((worst, pixel) => Math.min(worst, contrast(own, pixel)), Infinity)
    await setColor('')
    expect(worst, await text.innerText()).toBeGreaterThanOrEqual(4.5)
  }
}

/** To run in the page: waits until the image for this screen is there, and tells its size. */
async function imageIsThere() {
  const image = new Image()
  image.src = getComputedStyle(document.querySelector('main') ?? document.body, '::before').backgroundImage.slice(5, -2)
  await image.decode()
  for (const _frame of [1, 2]) await new Promise(requestAnimationFrame)
  return { width: image.naturalWidth, height: image.naturalHeight }
}

const GROUNDS = {
  'the picture': '',
  'its colours, until it is there': 'main::before { background-image: none !important }',
  'a white picture': 'main::before { background: #fff !important }',
}
const SMALLEST = { width: 320, height: 256 }

test.each(Object.entries(GROUNDS))(
  'each text is legible on %s, on every screen and with large text',
  async (_, ground) => {
    for (const viewport of [SMALLEST, SMALL, ...SCREENS]) {
      const page = await site.show('an invalid email', { viewport })
      await page.evaluate(imageIsThere)
      for (const size of ['', LARGE_TEXT]) {
        // The notification stands before all this on a small screen.
        await page.evaluate(restyle, `#notifications { display: none } ${ground} ${size}`)
        const main = page.getByRole('main')
        await expectLegible(page, [
          main.getByRole('heading'),
          main.getByText(PROVIDER, { exact: true }),
          main.getByText(TEXT.purpose),
          main.getByText(TEXT.emailUse),
          main.getByText(VALIDATION_TEXT.invalidEmail),
          main.getByRole('button', { name: TEXT.contactUs }),
        ])
      }
      await page.evaluate(restyle, '')
    }
  },
)

test('a screen is filled by one image, in its pixels, and shows the page in its own width', async () => {
  const page = await site.openPage()
  let asked = 0
  page.on('response', (response) => {
    if (response.request().resourceType() === 'image') asked += 1
  })
  const devTools = await page.context().newCDPSession(page)
  // The largest screen for each of the upright images, a narrower one of as many pixels, and wide ones.
  const screens = [
    { width: 412, height: 823, density: 1.75, images: 1 },
    { width: 440, height: 956, density: 3, images: 2 },
    { width: 390, height: 844, density: 3, images: 2 },
    { width: 1440, height: 900, density: 1, images: 3 },
    { width: 2560, height: 1440, density: 1, images: 4 },
  ]
  for (const { width, height, density, images } of screens) {
    const metrics = { width, height, deviceScaleFactor: density, mobile: true }
    await devTools.send('Emulation.setDeviceMetricsOverride', metrics)
    if (asked === 0) await page.goto(site.origin)
    const image = await page.evaluate(imageIsThere)
    expect(asked, 'how many were asked for').toBe(images)
    expect(await page.evaluate(() => innerWidth)).toBe(width)
    const scale = density * Math.max(width / image.width, height / image.height)
    expect(scale).toBeLessThanOrEqual(1)
    expect(scale).toBeGreaterThan(0.6)
  }
})

/** Ways in which the boot script does not run, or not to its end. */
const NO_SCRIPTS: Record<string, (page: Page) => Promise<unknown>> = {
  'a proxy rewrites its scripts': async (page) => {
    await page.route(site.origin, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('<script>', '<script>;') })
    })
    // The policy of the page refuses what was rewritten.
    site.expectComplaint(/Content Security Policy/)
  },
  'the browser is too old': (page) =>
    page.addInitScript(() => Reflect.deleteProperty(HTMLDialogElement.prototype, 'showModal')),
  'scripts are off': async () => {},
}

test.each(Object.entries(NO_SCRIPTS))(
  'where %s, one sentence says what is needed, and no button is dead',
  async (name, prepare) => {
    const page = await site.openPage(name === 'scripts are off' ? { javaScriptEnabled: false } : {})
    await prepare(page)
    await page.goto(site.origin)
    await page.getByText(TEXT.needsScripts).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('textbox').count()).toBe(0)
  },
)

test('the sentence about scripts is legible', async () => {
  const page = await site.openPage({ javaScriptEnabled: false })
  await page.goto(site.origin, { waitUntil: 'networkidle' })
  await expectLegible(page, [page.getByText(TEXT.needsScripts)])
})

test('where scripts run, no sentence speaks of them', async () => {
  const page = await site.openPage()
  await page.goto(site.origin)
  expect(await page.getByText(TEXT.needsScripts).isVisible()).toBe(false)
})

/** Of a line through the left edge of an element, from 8 px before it to 8 px inside, something stands out. */
async function expectEdgeSeen(page: Page, element: Locator) {
  const { x, y, height } = await element.evaluate((it) => it.getBoundingClientRect())
  const line = await pixels(page, { x: x - 8, y: Math.round(y + height / 2), width: 16, height: 1 })
  const ratios = line.map((pixel) => contrast(pixel, line[0] ?? 0))
  expect(Math.max(...ratios), `${element}`).toBeGreaterThanOrEqual(3)
}

test.each(['light', 'dark'] as const)(
  'in %s colours the borders of fields are seen, and the focus, on the image and in the dialog',
  async (colorScheme) => {
    for (const state of ['at rest', 'the dialog, empty'] as const) {
      const page = await site.show(state, { colorScheme })
      const scope = page.getByRole(state === 'at rest' ? 'main' : 'dialog')
      for (const element of await scope.locator('button, input, textarea').all()) {
        await element.blur()
        if (state !== 'at rest' && (await element.getAttribute('name'))) await expectEdgeSeen(page, element)
        await element.focus()
        await expectEdgeSeen(page, element)
      }
    }
  },
)

test('in forced colours there is no image, and an invalid field has a mark', async () => {
  const page = await site.show('no first name', { forcedColors: 'active' })
  expect(
    await page.evaluate(() => getComputedStyle(document.querySelector('main') ?? document.body, '::before').content),
  ).toBe('none')
  const borderOf = (placeholder: string) =>
    page
      .getByRole('dialog')
      .getByPlaceholder(placeholder)
      .evaluate((it) => getComputedStyle(it).borderInlineStartWidth)
  expect([await borderOf(TEXT.first), await borderOf(TEXT.last)]).toEqual(['6px', '1px'])
})

test('with reduced motion something else stands in for what turns', async () => {
  const reducedMotion = 'reduce'
  let page = await site.show('a call in flight', { reducedMotion })
  const button = page.getByRole('button', { name: TEXT.subscribe })
  expect(await button.evaluate((it) => getComputedStyle(it, '::after').content)).toBe('"…"')
  page = await site.show('submitting', { reducedMotion })
  expect(await page.getByRole('dialog').getByText(TEXT.sending).first().isVisible()).toBe(true)
  expect(await page.locator('dialog .chakra-spinner').evaluate((it) => getComputedStyle(it).animationName)).toBe('none')
})
