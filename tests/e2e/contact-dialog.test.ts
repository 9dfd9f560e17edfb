import { beforeEach, expect, test } from 'vitest'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()
let visit: Visit

beforeEach(async () => {
  visit = await site.revisit()
  await visit.fillIn({})
})

const closeIcon = () => visit.dialog.getByRole('button', { name: TEXT.close, description: TEXT.contactUs })
const invalid = () => visit.dialog.locator('[aria-invalid=true]')
/** Moves the pointer to the mask, beside the dialog. */
const toMask = () => visit.page.mouse.move(40, 400)
const toField = () => visit.field('last').hover()

/** Presses the mouse at one place, and releases it at another. */
async function drag(toStart: () => Promise<void>, toEnd: () => Promise<void>, button: 'left' | 'right' = 'left') {
  await toStart()
  await visit.page.mouse.down({ button })
  await toEnd()
  await visit.page.mouse.up({ button })
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
  ['begins in a field', toField, toMask, 'left'],
  ['is by the right button', toMask, toMask, 'right'],
] as const)('a press of the mask does not close the dialog if it %s', async (_, toStart, toEnd, button) => {
  await drag(toStart, toEnd, button)
  expect(await visit.dialog.isVisible()).toBe(true)
})

test.each([
  ['first', 'given-name', 100],
  ['last', 'family-name', 100],
  ['email', 'email', 254],
  ['message', null, 5000],
] as const)('the field %s has a label, and tells its purpose, length and direction', async (name, purpose, length) => {
  await visit.dialog.locator('label').filter({ hasText: TEXT[name], visible: true }).waitFor()
  const field = visit.dialog.getByLabel(TEXT[name], { exact: true }).and(visit.field(name))
  const attributes = ['autocomplete', 'maxlength', 'dir', 'required'].map((each) => field.getAttribute(each))
  expect(await Promise.all(attributes)).toEqual([purpose, `${length}`, 'auto', ''])
})

test('an invalid enquiry is not sent; its field has focus and error until it changes', async () => {
  await visit.submit.click()
  const error = visit.dialog.getByText(VALIDATION_TEXT.noFirst).filter({ visible: true })
  await error.waitFor()
  const described = visit.dialog.getByRole('textbox', { description: VALIDATION_TEXT.noFirst, exact: true })
  await visit.focused(described.and(visit.field('first')))
  expect([await described.count(), await invalid().count(), visit.posts]).toEqual([1, 1, []])
  await visit.field('first').press('x')
  await error.or(invalid()).waitFor({ state: 'detached' })
})
