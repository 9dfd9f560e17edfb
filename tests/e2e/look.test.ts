import type { Locator } from 'playwright'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { DIR, ENQUIRY_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()
let visit: Visit

beforeEach(async () => {
  visit = await site.revisit()
})

/** A phone in both orientations and a desktop, in CSS pixels. */
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
    for (const part of parts) boxes.push((await part.boundingBox()) ?? expect.unreachable(`${part}`))
  }
  return boxes
}

/** A corner of the page with these styles too. The page's policy forbids an added element of styles. */
async function cornerWith(styles: string) {
  await visit.page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, styles)
  return visit.page.screenshot({ clip: { x: 0, y: 0, width: 40, height: 40 } })
}

test.each([
  ['on a screen there is a picture', {}, true],
  ['in forced colours there is no picture', { forcedColors: 'active' }, false],
  ['on paper there is no picture', { media: 'print' }, false],
] as const)('%s', async (_, media, isSeen) => {
  await visit.page.emulateMedia(media)
  const withoutPicture = await cornerWith('main::before { content: none !important }')
  await expect.poll(async () => !(await cornerWith('')).equals(withoutPicture)).toBe(isSeen)
})

test('on paper no button is printed, and the heading is black', async () => {
  await visit.page.emulateMedia({ media: 'print' })
  expect(await visit.page.getByRole('button').count()).toBe(0)
  const heading = visit.page.getByRole('heading', { name: TEXT.heading })
  expect(await heading.evaluate((it) => getComputedStyle(it).color)).toBe('rgb(0, 0, 0)')
})

/** The greys, from 0 to 255, of a line through the left edge of an element, from 8 px outside to 8 px inside. */
async function edgeOf(element: Locator) {
  const { x, y, height } = await element.evaluate((it) => it.getBoundingClientRect())
  const line = await visit.page.screenshot({ clip: { x: x - 8, y: Math.round(y + height / 2), width: 16, height: 1 } })
  return sharp(line).greyscale().raw().toBuffer()
}

test.each(['light', 'dark'] as const)('in %s colours the focus is visible at each control', async (colorScheme) => {
  await visit.page.emulateMedia({ colorScheme })
  for (const scope of [visit.page.getByRole('main'), visit.dialog]) {
    if (scope === visit.dialog) await visit.fillIn({})
    // A browser marks the focus only after the use of a key.
    await visit.page.keyboard.press('Shift')
    for (const control of await scope.locator('button, input, textarea').filter({ visible: true }).all()) {
      await control.focus()
      const focused = await edgeOf(control)
      await control.blur()
      const usual = await edgeOf(control)
      const changes = [...focused].map((grey, place) => Math.abs(grey - (usual[place] ?? 0)))
      expect.soft(Math.max(...changes), `${control}`).toBeGreaterThan(100)
    }
  }
})

test('nothing on the page moves when an outcome is shown', async () => {
  const { page, subscribe, contactUs, notification } = visit
  const boxes = () => boxesOf(page.getByRole('heading', { name: TEXT.heading }), subscribe, contactUs)
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

test.each([
  ['the page', async () => {}],
  ['the dialog', () => visit.fillIn({})],
])('a notification stands at the top of every screen, where lines end, over %s', async (_, open) => {
  await visit.subscribeAs('plain')
  await visit.notification.waitFor()
  await open()
  const places = (await boxesOf(visit.notification)).map(({ x, y, width }, index) => {
    const right = (SCREENS[index]?.width ?? 0) - x - width
    return [Math.round(DIR === 'ltr' ? right : x), y, width]
  })
  expect(places).toEqual([320, 400, 400].map((width) => [20, 20, width]))
})

test('on a phone Submit keeps its place from its press to the result', async () => {
  const [phone = expect.unreachable()] = SCREENS
  await visit.page.setViewportSize(phone)
  await visit.fillIn(anEnquiry())
  const place = await visit.submit.boundingBox()
  await visit.submit.click()
  expect(await visit.submit.boundingBox()).toEqual(place)
  await visit.answer()
  await visit.dialog.getByText(ENQUIRY_TEXT.received).waitFor()
  expect(await visit.submit.boundingBox()).toEqual(place)
})

test('title, fields and close icon of the dialog stand in one column on every screen', async () => {
  await visit.fillIn({})
  const parts = [
    visit.dialog.getByRole('heading'),
    visit.dialog.getByRole('button', { name: TEXT.close }),
    visit.field('message'),
  ]
  const boxes = await boxesOf(...parts)
  for (const [index] of SCREENS.entries()) {
    const [title, close, field] = boxes.slice(3 * index).map(({ x, width }) => [x, x + width] as const)
    const [start, end] = DIR === 'ltr' ? [0, 1] : [1, 0]
    expect.soft([title?.[start], close?.[end]]).toEqual([field?.[start], field?.[end]])
  }
})

test('the dialog has its width, and is in the middle of every screen', async () => {
  await visit.fillIn({})
  const boxes = await boxesOf(visit.dialog.locator('> :last-child'))
  const places = boxes.map(({ x, width }) => ({ width: Math.round(width), middle: Math.round(x + width / 2) }))
  const widths = [328, 591, 1344]
  expect(places).toEqual(SCREENS.map((screen, index) => ({ width: widths[index], middle: screen.width / 2 })))
})

test('the message field is 104 px high, which is room for three lines', async () => {
  await visit.fillIn({})
  expect((await visit.field('message').boundingBox())?.height).toBe(104)
})
