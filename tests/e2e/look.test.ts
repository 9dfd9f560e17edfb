import type { Locator } from 'playwright'
import sharp from 'sharp'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { FIELD_NAMES } from '../../src/domain/enquiry-fields.ts'
import { PROVIDER } from '../../src/domain/provider.ts'
import { ENQUIRY_TEXT, TEXT } from '../../src/domain/texts.ts'
import { SCENE_COLORS } from '../../src/ui/theme/brand.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { browseBuiltSite, stopClock } from '../support/page/browse-built-site.ts'
import { contrast, luminance, pixelsOf, WHITE_PICTURE } from '../support/page/contrast.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()
let visit: Visit

// The tests share a page. Each test begins at the top, on a light screen, with the dialog closed. Outcomes of earlier
// tests may be there.
beforeAll(async () => {
  visit = await site.visit()
  await stopClock(visit.page)
})
beforeEach(async () => {
  await visit.page.emulateMedia({ media: 'screen', forcedColors: 'none', colorScheme: 'light' })
  await visit.page.setViewportSize({ width: 1280, height: 720 })
  if (await visit.dialog.isVisible()) await visit.page.keyboard.press('Escape')
  // This also ends the fading of a closed dialog, which would make everything paler.
  await visit.style('')
  await visit.page.evaluate(() => {
    document.documentElement.dir = 'ltr'
    scrollTo(0, 0)
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
})

/** An upright phone, a phone on its side, and a desktop, in CSS pixels. */
const SCREENS = [
  { width: 360, height: 800 },
  { width: 844, height: 390 },
  { width: 1920, height: 1080 },
]

/** The places of these parts on each screen. */
async function boxesOf(...parts: readonly Locator[]) {
  const boxes = []
  for (const viewport of SCREENS) {
    await visit.page.setViewportSize(viewport)
    // If the page is higher than the screen, an outcome scrolls it.
    await visit.page.evaluate(() => scrollTo(0, 0))
    for (const part of parts) boxes.push((await part.boundingBox()) ?? expect.unreachable(`${part}`))
  }
  return boxes
}

/** A screenshot of a part of the sky, with these styles added. */
async function skyWith(styles: string) {
  await visit.style(styles)
  return visit.page.screenshot({ clip: { x: 0, y: 80, width: 40, height: 40 } })
}

test.each([
  ['on a screen there is a picture', {}, true],
  ['in forced colours there is no picture', { forcedColors: 'active' }, false],
  ['on paper there is no picture', { media: 'print' }, false],
] as const)('%s', async (_, media, isSeen) => {
  await visit.page.emulateMedia(media)
  const withoutPicture = await skyWith('header + div::before { content: none !important }')
  await expect.poll(async () => !(await skyWith('')).equals(withoutPicture)).toBe(isSeen)
})

test('on paper there is no button, and text is black on white, also in dark colours', async () => {
  await visit.fillIn({})
  await visit.page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const role of ['button', 'textbox'] as const) expect(await visit.page.getByRole(role).count()).toBe(0)
  const { channels } = await sharp(await visit.page.screenshot())
    .greyscale()
    .stats()
  expect(channels[0]).toMatchObject({ min: 0, max: 255 })
  // Nearly all pixels are white paper.
  expect(channels[0]?.mean).toBeGreaterThan(240)
})

const WITHOUT_TEXTS =
  'header *, main *, footer * { color: transparent !important; border-color: transparent !important }'

/** The lowest contrast of a light text with the pixels at its place. */
async function contrastAt(place: Locator) {
  const { data } = await pixelsOf(await place.screenshot())
  let lightest = 0
  for (let at = 0; at < data.length; at += 3) lightest = Math.max(lightest, luminance(data.subarray(at, at + 3)))
  return contrast(luminance(Buffer.from(SCENE_COLORS.foam.slice(1), 'hex')), lightest)
}

test.each([
  { width: 360, height: 640 },
  { width: 844, height: 390 },
  { width: 1440, height: 900 },
  { width: 1280, height: 720, css: 'html { font-size: 200% }' },
])('on a white picture every text has enough contrast: %o', async ({ css = '', ...screen }) => {
  const { page, contactUs } = visit
  await page.setViewportSize(screen)
  await visit.style(WHITE_PICTURE + WITHOUT_TEXTS + css)
  const texts = [TEXT.purpose, TEXT.emailUse, PROVIDER].map((text) => page.getByText(text, { exact: true }).first())
  const link = page.locator('footer').getByRole('link').first()
  for (const text of [contactUs, link, ...texts]) expect.soft(await contrastAt(text), `${text}`).toBeGreaterThan(4.5)
  expect(await contrastAt(page.getByRole('heading', { name: TEXT.heading, level: 1 }))).toBeGreaterThan(3)
})

test.each(['light', 'dark'] as const)('a placeholder has enough contrast in %s colours', async (colorScheme) => {
  await visit.page.emulateMedia({ colorScheme })
  const colors = await visit.email.evaluate((it) => [
    getComputedStyle(it, '::placeholder').color,
    getComputedStyle(it).backgroundColor,
  ])
  const [text = 0, ground = 0] = colors.map((color) => luminance(color.match(/\d+/g)?.map(Number) ?? []))
  expect(contrast(text, ground)).toBeGreaterThan(4.5)
})

test('a busy button shows its spinner after 300 ms, so that a quick answer does not flash', async () => {
  await visit.subscribeAs('ada@example.com')
  const transition = await visit.subscribe.evaluate((button) => {
    const { transitionProperty, transitionDelay } = getComputedStyle(button, '::after')
    return [transitionProperty, transitionDelay]
  })
  await visit.answer()
  expect(transition).toEqual(['opacity', '0.3s'])
})

test('nothing on the page moves when an outcome is shown', async () => {
  const { page, subscribe, contactUs, notification } = visit
  const boxes = () => boxesOf(page.getByRole('heading', { name: TEXT.heading, level: 1 }), subscribe, contactUs)
  const atRest = await boxes()
  await visit.subscribeAs('plain')
  await notification.waitFor()
  expect.soft(await boxes(), 'an invalid email').toEqual(atRest)
  await visit.subscribeAs('ada@example.com')
  expect.soft(await boxes(), 'a call in flight').toEqual(atRest)
  await visit.answer()
  await notification.waitFor()
  expect.soft(await boxes(), 'a new address').toEqual(atRest)
})

test("a notification ends at the right edge of 'Contact us', and is 400 px wide at most", async () => {
  await visit.subscribeAs('plain')
  await visit.notification.waitFor()
  const boxes = await boxesOf(visit.notification, visit.contactUs)
  const [phone, contactUs, low, contactUsLow, wide, contactUsWide] = boxes.map(({ x, width }) => x + width)
  expect([phone, low, wide]).toEqual([contactUs, contactUsLow, contactUsWide])
  expect(boxes.map(({ width }) => Math.round(width))).toMatchObject({ 0: 326, 2: 400, 4: 400 })
})

test('from right to left, text starts at the right edge and notifications are at the left', async () => {
  await visit.page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  await visit.subscribeAs('')
  expect(await visit.email.evaluate((it) => getComputedStyle(it).direction)).toBe('rtl')
  expect((await visit.notification.boundingBox())?.x).toBe((await visit.contactUs.boundingBox())?.x)
})

test.each(['', 'html { font-size: 200% }'])(
  'a notification is below the header at every scroll position %s',
  async (css) => {
    const { page, notification, contactUs } = visit
    await visit.style(css)
    await visit.subscribeAs('plain')
    await notification.waitFor()
    for (const viewport of [...SCREENS, { width: 320, height: 256 }]) {
      await page.setViewportSize(viewport)
      for (const top of [0, 30, 1000]) {
        await page.evaluate((y) => scrollTo(0, y), top)
        const [button, box] = [await contactUs.boundingBox(), await notification.boundingBox()]
        if (!button || !box) return expect.unreachable('no box')
        expect.soft(box.y, JSON.stringify({ viewport, top })).toBeGreaterThan(button.y + button.height)
        expect.soft(box.y, 'it follows the scroll').toBeLessThan(viewport.height)
      }
    }
  },
)

test('Title and Close of the dialog stay in view while the form scrolls', async () => {
  const { page, dialog, submit } = visit
  await page.setViewportSize({ width: 844, height: 390 })
  await visit.fillIn({})
  const parts = [dialog.getByRole('heading'), dialog.getByRole('button', { name: TEXT.close })]
  const boxes = () => Promise.all(parts.map((part) => part.boundingBox()))
  const before = await boxes()
  await submit.scrollIntoViewIfNeeded()
  expect(await dialog.locator('form').evaluate((form) => form.parentElement?.scrollTop)).toBeGreaterThan(0)
  expect(await boxes()).toEqual(before)
})

test("logo and 'Contact us' end above the horizon, and the heading ends below it", async () => {
  const { page, contactUs } = visit
  const sea = page.locator('header + div')
  const [heading, logo] = [page.getByRole('heading', { level: 1 }), page.getByText(PROVIDER, { exact: true }).first()]
  const boxes = await boxesOf(sea, logo, contactUs, heading)
  for (let at = 0; at < boxes.length; at += 4) {
    const [horizon = 0, ...others] = boxes.slice(at, at + 4).map(({ y, height }, part) => (part === 0 ? y : y + height))
    expect(others.map((end) => end <= horizon)).toEqual([true, true, false])
  }
})

/** Where fields and Submit are on phones, tablets and desktops. The form scrolls if it is longer than the screen. */
async function placesInDialog() {
  const places: Record<string, unknown> = {}
  for (const [width, height] of [...PHONES, [768, 1024], [844, 390], [1280, 800], [1440, 900]] as const) {
    await visit.page.setViewportSize({ width, height })
    places[`${width} x ${height}`] = await visit.dialog.locator('input, textarea, [type=submit]').evaluateAll((all) =>
      all.map((it) => {
        const { x, y } = it.getBoundingClientRect()
        return [x, y + (it.closest('form')?.parentElement?.scrollTop ?? 0)].map(Math.round)
      }),
    )
  }
  return places
}

const PHONES = [
  [320, 568],
  [360, 640],
  [390, 844],
] as const

test.each(['100%', '150%', '200%'])(
  'with text of %s nothing in the dialog moves when a state changes',
  async (size) => {
    const { page, submit, tryAgain, dialog } = visit
    await visit.style(`html { font-size: ${size} }`)
    await visit.fillIn({})
    const atRest = await placesInDialog()
    for (const name of FIELD_NAMES) {
      await submit.press('Enter')
      await dialog.locator('[aria-invalid=true]').waitFor()
      expect.soft(await placesInDialog(), `the error of ${name}`).toEqual(atRest)
      await visit.field(name).fill(anEnquiry()[name])
    }
    await submit.press('Enter')
    await page.clock.runFor(1000)
    expect.soft(await placesInDialog(), 'sending').toEqual(atRest)
    await visit.answer(500)
    await tryAgain.waitFor()
    expect.soft(await placesInDialog(), 'a failure').toEqual(atRest)
    await tryAgain.click()
    await visit.answer()
    await dialog.getByText(ENQUIRY_TEXT.received.detail).waitFor()
    expect.soft(await placesInDialog(), 'thanks').toEqual(atRest)
  },
)

test.each(PHONES)('a wait does not scroll the dialog on a phone of %i x %i', async (width, height) => {
  await visit.page.setViewportSize({ width, height })
  await visit.fillIn(anEnquiry())
  await visit.submit.click()
  const pressed = await visit.submit.boundingBox()
  await visit.page.clock.runFor(1000)
  await visit.dialog.getByText(TEXT.sending).filter({ visible: true }).first().waitFor()
  expect(await visit.submit.boundingBox()).toEqual(pressed)
  await visit.answer()
  await visit.dialog.getByText(ENQUIRY_TEXT.received.detail).waitFor()
})

test('the dialog has the right width, and is in the middle of every screen', async () => {
  await visit.fillIn({})
  const boxes = await boxesOf(visit.dialog)
  const places = boxes.map(({ x, width }) => ({ width: Math.round(width), middle: Math.round(x + width / 2) }))
  const widths = [328, 591, 1344]
  expect(places).toEqual(SCREENS.map((screen, index) => ({ width: widths[index], middle: screen.width / 2 })))
})

test('a dialog with much text ends within every screen', async () => {
  await visit.style('dialog form { min-height: 1200px }')
  await visit.fillIn({})
  const ends = (await boxesOf(visit.dialog)).map(({ y, height }) => Math.round(y + height))
  expect(ends).toEqual(SCREENS.map(({ height }) => height - 8))
})

test('on a large screen the message field is 45rem wide and 104 px high', async () => {
  await visit.page.setViewportSize({ width: 1920, height: 1080 })
  await visit.fillIn({})
  expect(await visit.field('message').boundingBox()).toMatchObject({ width: 720, height: 104 })
})

test('at a zoom of 400 % a notification leaves the focused field in view', async () => {
  await visit.page.setViewportSize({ width: 320, height: 256 })
  await visit.email.fill('plain')
  await visit.email.press('Enter')
  await visit.notification.waitFor()
  const [field, cover] = [await visit.email.boundingBox(), await visit.notification.boundingBox()]
  if (!field || !cover) return expect.unreachable('no box')
  const seen = Math.min(field.y + field.height, 256) - Math.max(field.y, cover.y + cover.height)
  expect(seen).toBeGreaterThanOrEqual(field.height / 2)
})
