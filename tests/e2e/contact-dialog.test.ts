import { beforeAll, beforeEach, expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()
let visit: Visit

// The tests share one page. Each test begins with its open dialog.
beforeAll(async () => {
  visit = await site.visit()
})
beforeEach(async () => {
  if (!(await visit.dialog.isVisible())) await visit.fillIn({})
})

const closeIcon = () => visit.dialog.getByRole('button', { name: TEXT.close, description: TEXT.contactUs, exact: true })
/** Moves the pointer beside the dialog. */
const toMask = () => visit.page.mouse.move(40, 400)
const toField = () => visit.field('first').hover()

/** Presses the mouse at one place, and releases it at another. */
async function drag(toStart: () => Promise<void>, toEnd: () => Promise<void>, press: object = {}) {
  await toStart()
  await visit.page.mouse.down(press)
  await toEnd()
  await visit.page.mouse.up(press)
}

test.each([
  ['Escape', () => visit.page.keyboard.press('Escape')],
  ['its close icon', () => closeIcon().click()],
  ['a press of the mask', () => drag(toMask, toMask)],
])('the dialog is closed by %s, and the focus returns to Contact us', async (_, close) => {
  await close()
  await visit.dialog.waitFor({ state: 'hidden' })
  await visit.focused(visit.contactUs)
})

test.each([
  ['begins in a field', toField, toMask, {}],
  ['ends in a field', toMask, toField, {}],
  ['is by the right button', toMask, toMask, { button: 'right' }],
  // The second click of a double click on 'Contact us', which may be beside the dialog.
  ['is the second of a double click', toMask, toMask, { clickCount: 2 }],
] as const)('a press of the mask does not close the dialog if it %s', async (_, toStart, toEnd, press) => {
  await drag(toStart, toEnd, press)
  expect(await visit.dialog.isVisible()).toBe(true)
})

test('the page behind the dialog does not scroll', async () => {
  expect(await visit.page.evaluate(() => getComputedStyle(document.documentElement).overflowY)).toBe('hidden')
})

test('a held Enter in the message makes several lines', async () => {
  const message = visit.field('message')
  await message.focus()
  for (const _repeat of [1, 2, 3]) await visit.page.keyboard.down('Enter')
  await visit.page.keyboard.up('Enter')
  expect(await message.inputValue()).toBe('\n\n\n')
  await message.fill('')
})

test('with reduced motion the dialog opens at once', async () => {
  expect(await visit.dialog.evaluate((dialog) => getComputedStyle(dialog).transitionDuration)).toBe('0s')
})
