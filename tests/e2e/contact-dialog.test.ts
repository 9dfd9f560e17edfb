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
  ['ends in a field', toMask, toField, 'left'],
  ['begins in a field', toField, toMask, 'left'],
  ['is by the right button', toMask, toMask, 'right'],
] as const)('a press of the mask does not close the dialog if it %s', async (_, toStart, toEnd, button) => {
  await drag(toStart, toEnd, button)
  expect(await visit.dialog.isVisible()).toBe(true)
})

test.each([
  ['no-preference', '0.15s'],
  ['reduce', '0s'],
] as const)('with motion set to %s the dialog opens and closes in %s', async (reducedMotion, duration) => {
  await visit.page.emulateMedia({ reducedMotion })
  const durations = visit.page.evaluate(() => {
    const parts = document.querySelectorAll('dialog, dialog > :last-child')
    return [...parts].flatMap((part) => getComputedStyle(part).transitionDuration.split(', '))
  })
  expect(new Set(await durations)).toEqual(new Set([duration]))
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

test('Enter in the message adds lines, also while it is held, and sends nothing', async () => {
  await visit.field('message').fill('One')
  for (const _repeat of [1, 2]) await visit.page.keyboard.down('Enter')
  await visit.page.keyboard.up('Enter')
  expect(await visit.field('message').inputValue()).toBe('One\n\n')
  // An attempt would find the empty fields.
  expect(await invalid().count()).toBe(0)
})

test('the message field is described by the number of its last characters', async () => {
  await visit.field('message').fill('m'.repeat(4800))
  const description = TEXT.charactersLeft(200)
  await visit.dialog.getByText(description).waitFor()
  await visit.dialog.getByRole('textbox', { description, exact: true }).and(visit.field('message')).waitFor()
})
