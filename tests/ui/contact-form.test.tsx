import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS, type EnquiryField } from '../../src/domain/enquiry.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { listen } from '../support/page/listen.ts'
import { contact } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const { field, submit, fillIn } = contact

async function renderForm() {
  const app = await renderApp()
  await contact.open()
  return { ...app, heard: listen() }
}

/** That this error is seen at this field, describes it, and that no other field has one; null if none has. */
function expectError(at: EnquiryField | null, error = '') {
  for (const name of ENQUIRY_FIELDS) {
    expect(field(name)).toHaveAttribute('aria-invalid', `${name === at}`)
    expect(field(name)).toHaveAccessibleDescription(name === at ? error : '')
  }
  if (at) expect(screen.getByText(error, { selector: `#${field(at).getAttribute('aria-describedby')}` })).toBeVisible()
}

test('every field has a visible label, and says that it is required', async () => {
  await renderForm()
  for (const name of ENQUIRY_FIELDS) {
    expect(screen.getByText(TEXT[name], { selector: '#contact label' })).toBeVisible()
    expect(screen.getByRole('dialog')).toContainElement(screen.getByLabelText(TEXT[name], { selector: '#contact *' }))
    expect(field(name)).toBeRequired()
  }
})

test('every field tells browsers its purpose, its length and its direction', async () => {
  await renderForm()
  const given = ENQUIRY_FIELDS.map((name) => [field(name).autocomplete, field(name).maxLength, field(name).dir])
  expect(given).toEqual([
    ['given-name', 100, 'auto'],
    ['family-name', 100, 'auto'],
    ['email', 254, 'auto'],
    ['', 5000, 'auto'],
  ])
})

test('the message keeps its height of 104 px, however long it is', async () => {
  await renderForm()
  await userEvent.fill(field('message'), 'line\n'.repeat(40))
  expect(field('message').getBoundingClientRect().height).toBe(104)
  expect(getComputedStyle(field('message')).resize).toBe('none')
})

test('Submit carries an envelope that is only seen', async () => {
  await renderForm()
  expect(submit().querySelector('svg[data-icon=envelope]')).toHaveAttribute('aria-hidden', 'true')
})

test('errors are told at one field after the other, in their order', async () => {
  const { enquiries } = await renderForm()
  const STEPS: [at: EnquiryField, error: string, typed: string][] = [
    ['first', VALIDATION_TEXT.noFirst, 'Ada'],
    ['last', VALIDATION_TEXT.noLast, 'Lovelace'],
    ['email', VALIDATION_TEXT.noEmail, 'plain'],
    ['email', VALIDATION_TEXT.invalidEmail, 'ada@example.com'],
    ['message', VALIDATION_TEXT.noMessage, ''],
  ]
  for (const [at, error, typed] of STEPS) {
    await userEvent.click(submit())
    expectError(at, error)
    expect(field(at)).toHaveFocus()
    await userEvent.fill(field(at), typed)
  }
  expect(enquiries.sent).toEqual([])
})

test('an error goes when its field changes', async () => {
  await renderForm()
  await userEvent.click(submit())
  await userEvent.type(field('first'), 'x')
  expectError(null)
})

test('errors move no field and no button on a phone', async () => {
  await renderForm()
  await page.viewport(390, 700)
  const tops = () => [...ENQUIRY_FIELDS.map(field), submit()].map(({ offsetTop }) => offsetTop)
  const atRest = tops()
  for (const name of ENQUIRY_FIELDS) {
    await userEvent.click(submit())
    expect(field(name)).toHaveAttribute('aria-invalid', 'true')
    expect(tops()).toEqual(atRest)
    await userEvent.fill(field(name), anEnquiry()[name])
  }
})

test('an error that the focus brings is not announced besides', async () => {
  const { heard } = await renderForm()
  await userEvent.click(submit())
  expect(heard()).toEqual([])
})

test('an error where the focus is already is announced at each attempt', async () => {
  const { heard } = await renderForm()
  for (const _attempt of [1, 2]) {
    await userEvent.type(field('first'), '{Enter}')
    expect(heard()).toEqual([VALIDATION_TEXT.noFirst])
  }
})

test('Enter in the message begins a line, also while it is held, and sends nothing', async () => {
  const { enquiries } = await renderForm()
  await fillIn(anEnquiry({ message: 'One' }))
  await userEvent.click(field('message'))
  await userEvent.keyboard('{Control>}{End}{/Control}{Enter>2/}')
  expect(field('message')).toHaveValue('One\n\n')
  expect(enquiries.sent).toEqual([])
})

test('Enter in a field of one line sends the enquiry, tidied', async () => {
  const { enquiries } = await renderForm()
  await fillIn(anEnquiry({ first: ' Ada\tAugusta ', email: ' ada@example.com ', message: '\n One\n\nTwo ' }))
  await userEvent.type(field('last'), '{Enter}')
  const sent = { first: 'Ada Augusta', email: 'ada@example.com', message: 'One\n\nTwo' }
  expect(enquiries.sent).toEqual([anEnquiry(sent)])
})

test('the last characters of a message are counted down at its field, silently', async () => {
  const { heard } = await renderForm()
  await userEvent.fill(field('message'), 'm'.repeat(4800))
  expect(screen.getByText(TEXT.charactersLeft(200))).toBeVisible()
  expect(field('message')).toHaveAccessibleDescription(TEXT.charactersLeft(200))
  expect(heard()).toEqual([])
})

test('a message that the browser restored is counted', async () => {
  await renderApp({ message: 'x'.repeat(5000) })
  await contact.open()
  expect(field('message')).toHaveAccessibleDescription(TEXT.charactersLeft(0))
})

test('a text that a program made too long is not sent, and its field says by how much', async () => {
  const { enquiries } = await renderForm()
  await fillIn()
  contact.field('message').value = 'x'.repeat(5101)
  await userEvent.click(submit())
  expectError('message', TEXT.charactersTooMany(101))
  expect(enquiries.sent).toEqual([])
})

test.each(['text', 'hidden'])('a %s field of an extension, of the name of ours, hides nothing', async (type) => {
  const { enquiries } = await renderForm()
  await fillIn()
  field('first').before(Object.assign(document.createElement('input'), { name: 'first', type }))
  await userEvent.click(submit())
  expect(enquiries.sent).toEqual([anEnquiry()])
})
