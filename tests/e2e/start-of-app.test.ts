import { expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite, isTakenOver } from '../support/page/browse-built-site.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()

test('if the browser is too old, one sentence replaces the forms', async () => {
  const page = await site.openPage()
  await page.addInitScript(() => Reflect.deleteProperty(HTMLDialogElement.prototype, 'showModal'))
  await page.goto(site.origin)
  await page.getByText(TEXT.needsScripts).waitFor()
  expect(await page.getByRole('button').or(page.getByRole('textbox')).count()).toBe(0)
})

test('without the app the dialog opens at a double click, closes and reopens', async () => {
  const visit = await site.visit({ holdApp: true })
  expect(await visit.page.getByText(TEXT.needsScripts).isVisible()).toBe(false)
  // On this screen the close icon is over the end of 'Contact us'.
  await visit.page.setViewportSize({ width: 360, height: 640 })
  const { width = 0 } = (await visit.contactUs.boundingBox()) ?? {}
  await visit.contactUs.dblclick({ position: { x: width - 25, y: 20 } })
  await visit.focused(visit.field('first'))
  await visit.dialog.getByRole('button', { name: TEXT.close, exact: true }).click()
  await visit.dialog.waitFor({ state: 'hidden' })
  await visit.page.keyboard.press('Enter')
  await visit.focused(visit.field('first'))
})

test('holding Enter on Contact us opens the dialog, and submits nothing', async () => {
  const visit = await site.visit({ holdApp: true })
  await visit.contactUs.focus()
  for (const _repeat of [1, 2, 3]) await visit.page.keyboard.down('Enter')
  await visit.focused(visit.field('first'))
  expect(await visit.submit.getAttribute('aria-busy')).not.toBe('true')
})

test('if nobody uses the page, the app is fetched after 2 s and started after 6 s', async () => {
  const visit = await site.visit({ holdApp: true, stopClock: true })
  await visit.page.clock.runFor(1999)
  expect(visit.scriptRequests).toEqual([])
  await visit.page.clock.runFor(1)
  await (await visit.script()).continue()
  await visit.page.clock.runFor(3999)
  expect(await visit.page.evaluate(isTakenOver)).toBe(false)
  await visit.page.clock.runFor(1)
  await expect.poll(() => visit.page.clock.runFor(1).then(() => visit.page.evaluate(isTakenOver))).toBe(true)
  expect(visit.scriptRequests).toHaveLength(1)
})

test.each<[sign: string, use: (visit: Visit) => Promise<unknown>]>([
  ['a moving pointer', ({ page }) => page.mouse.move(50, 50, { steps: 2 })],
  ['a tap', ({ page }) => page.locator('body').dispatchEvent('click')],
  ['a key', ({ page }) => page.keyboard.press('Shift')],
  ['the focus in a field', ({ email }) => email.focus()],
])('the first sign of use requests the app: %s', async (_, use) => {
  const visit = await site.visit({ holdApp: true, stopClock: true })
  await use(visit)
  // After two seconds the app would be fetched without any use.
  await visit.page.clock.runFor(100)
  await visit.script()
})

test('a pointer that rests where the page appears does not request the app', async () => {
  const visit = await site.visit({ holdApp: true, stopClock: true })
  await visit.page.evaluate(() => dispatchEvent(new PointerEvent('pointermove')))
  await visit.page.clock.runFor(100)
  await visit.page.evaluate(() => fetch('/robots.txt'))
  expect(visit.scriptRequests).toEqual([])
})
