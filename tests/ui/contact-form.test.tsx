import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS, type EnquiryField, ERROR_OF_EMPTY } from '../../src/domain/enquiry.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { listen } from '../support/page/listen.ts'
import { contact } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const { field, submit, fillIn } = contact

let enquiries: Awaited<ReturnType<typeof renderApp>>['enquiries']
let announcements: () => string[]
beforeEach(async () => {
  ;({ enquiries } = await renderApp())
  await contact.open()
  announcements = listen()
})

/** Expects this error to be visible and to describe this field, and no other error; null means no error at all. */
function expectError(at: EnquiryField | null, error = '') {
  for (const name of ENQUIRY_FIELDS) {
    expect(field(name)).toHaveAttribute('aria-invalid', `${name === at}`)
    expect(field(name)).toHaveAccessibleDescription(name === at ? error : '')
  }
  if (at) expect(screen.getByText(error, { selector: `#${field(at).getAttribute('aria-describedby')}` })).toBeVisible()
}

test('every field has a visible label, and says whether it is required', () => {
  for (const name of ENQUIRY_FIELDS) {
    expect(screen.getByText(TEXT[name], { selector: 'dialog label' })).toBeVisible()
    expect(field(name).required).toBe(ERROR_OF_EMPTY[name] !== null)
  }
})

test.each([
  ['first', 'given-name', 100],
  ['last', 'family-name', 100],
  ['email', 'email', 254],
  ['message', '', 5000],
] as const)('the field %s tells browsers its purpose, its length and its direction', (name, purpose, length) => {
  expect(field(name)).toMatchObject({ autocomplete: purpose, maxLength: length, dir: 'auto' })
})

test('an invalid enquiry is not sent, and its field gets the error and the focus', async () => {
  await fillIn(anEnquiry({ email: 'plain' }))
  await userEvent.click(submit())
  expectError('email', VALIDATION_TEXT.invalidEmail)
  expect(field('email')).toHaveFocus()
  expect(enquiries.sent).toEqual([])
})

test('an error disappears when its field changes', async () => {
  await userEvent.click(submit())
  await userEvent.type(field('first'), 'x')
  expectError(null)
})

test('an error is not announced if the focus moves to its field', async () => {
  await userEvent.click(submit())
  expect(announcements()).toEqual([])
})

test('an error at the field with the focus is announced at each attempt', async () => {
  for (const _attempt of [1, 2]) {
    await userEvent.type(field('first'), '{Enter}')
    expect(announcements()).toEqual([VALIDATION_TEXT.noFirst])
  }
})

test('a repeated error changes its text, because the same text is not announced', async () => {
  const texts = []
  for (const _attempt of [1, 2]) {
    await userEvent.type(field('first'), '{Enter}')
    texts.push(submit().parentElement?.querySelector('[aria-live]')?.textContent)
  }
  expect(texts[1]).not.toBe(texts[0])
})

test('Enter in the message adds lines, also while it is held, and sends nothing', async () => {
  await fillIn(anEnquiry({ message: 'One' }))
  await userEvent.click(field('message'))
  await userEvent.keyboard('{Control>}{End}{/Control}{Enter>2/}')
  expect(field('message')).toHaveValue('One\n\n')
  expect(enquiries.sent).toEqual([])
})

test('the message field counts its last characters down, without announcements', async () => {
  await userEvent.fill(field('message'), 'm'.repeat(4800))
  expect(screen.getByText(TEXT.charactersLeft(200))).toBeVisible()
  expect(field('message')).toHaveAccessibleDescription(TEXT.charactersLeft(200))
  expect(announcements()).toEqual([])
})
