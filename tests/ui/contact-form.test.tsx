import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS, type EnquiryField, MAX_LENGTH } from '../../src/domain/enquiry.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { listen } from '../support/page/listen.ts'
import { closeDialog, field, fillIn, openDialog, shownNotifications, submitButton } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

async function renderForm() {
  const app = await renderApp()
  const dialog = await openDialog()
  return { ...app, dialog: within(dialog), heard: listen() }
}

/** That this error stands at this field, describes it, and that no other field has one. */
function expectError(at: EnquiryField, error: string) {
  expect(field(at)).toHaveFocus()
  for (const name of ENQUIRY_FIELDS) {
    expect(field(name)).toHaveAttribute('aria-invalid', `${name === at}`)
    expect(field(name)).toHaveAccessibleDescription(name === at ? error : '')
  }
  expect(document.getElementById(field(at).getAttribute('aria-describedby') ?? '')).toBeVisible()
}

test('the form has four labelled fields that say what they take, and a Submit with an envelope', async () => {
  const { dialog } = await renderForm()
  expect(dialog.getAllByRole('textbox')).toEqual(ENQUIRY_FIELDS.map(field))
  for (const name of ENQUIRY_FIELDS) {
    const attributes = { name, placeholder: TEXT[name], dir: 'auto', maxlength: `${MAX_LENGTH[name]}` }
    for (const [attribute, value] of Object.entries(attributes)) expect(field(name)).toHaveAttribute(attribute, value)
    expect(field(name)).toHaveAccessibleName(TEXT[name])
    expect(field(name).required).toBe(true)
  }
  expect(ENQUIRY_FIELDS.map((name) => field(name).autocomplete)).toEqual(['given-name', 'family-name', 'email', ''])
  expect(field('email')).toHaveAttribute('type', 'email')
  expect(field('message')).toHaveAttribute('rows', '3')
  await userEvent.fill(field('message'), 'line\n'.repeat(40))
  expect(field('message').getBoundingClientRect().height).toBe(104)
  expect(getComputedStyle(field('message')).resize).toBe('none')
  expect(submitButton().querySelector('svg[data-icon=envelope]')).toHaveAttribute('aria-hidden', 'true')
})

test('what is missing is told alone, in order, at its field, which gets the focus, until that field changes, and moves nothing on a phone', async () => {
  const { enquiries, heard } = await renderForm()
  await page.viewport(390, 700)
  const tops = () => [...ENQUIRY_FIELDS.map(field), submitButton()].map(({ offsetTop }) => offsetTop)
  const atRest = tops()
  const STEPS: [at: EnquiryField, error: string, typed: string][] = [
    ['first', VALIDATION_TEXT.noFirst, anEnquiry().first],
    ['last', VALIDATION_TEXT.noLast, anEnquiry().last],
    ['email', VALIDATION_TEXT.noEmail, 'plain'],
    ['email', VALIDATION_TEXT.invalidEmail, anEnquiry().email],
    ['message', VALIDATION_TEXT.noMessage, anEnquiry().message],
  ]
  for (const [at, error, typed] of STEPS) {
    await userEvent.click(submitButton())
    expectError(at, error)
    expect(tops()).toEqual(atRest)
    expect(heard(), 'the focus says it').toEqual([])
    await userEvent.type(field(at === 'first' ? 'last' : 'first'), ' ')
    expect(field(at)).toHaveAccessibleDescription(error)
    await userEvent.fill(field(at), typed)
    expect(field(at)).not.toHaveAccessibleDescription()
    expect(field(at)).toHaveAttribute('aria-invalid', 'false')
  }
  expect(enquiries.sent).toEqual([])
  expect(shownNotifications()).toEqual([])
})

test('what is missing is announced where the focus is at its field already, each time, and is gone after a close', async () => {
  const { heard } = await renderForm()
  expect(field('first')).toHaveFocus()
  for (const _press of [1, 2]) {
    await userEvent.keyboard('{Enter}')
    expectError('first', VALIDATION_TEXT.noFirst)
    expect(heard()).toEqual([VALIDATION_TEXT.noFirst])
  }
  await closeDialog()
  await openDialog()
  expect(field('first')).not.toHaveAccessibleDescription()
})

test('Enter in the message begins a line, held down more; in a single-line field it sends what was typed, tidied', async () => {
  const { enquiries } = await renderForm()
  await fillIn(
    anEnquiry({ first: ' Ada\tAugusta ', last: '埃达', email: ' ada@example.com ', message: '\n One\n\nTwo ' }),
  )
  await userEvent.click(field('message'))
  await userEvent.keyboard('{Control>}{End}{/Control}{Enter>2/}')
  expect(field('message')).toHaveValue('\n One\n\nTwo \n\n')
  expect(enquiries.sent).toEqual([])
  await userEvent.click(field('last'))
  await userEvent.keyboard('{Enter}')
  expect(enquiries.sent).toEqual([
    anEnquiry({ first: 'Ada Augusta', last: '埃达', email: 'ada@example.com', message: 'One\n\nTwo' }),
  ])
})

test('the last 200 characters of a message are counted down, which is seen, and describes its field without a word aloud', async () => {
  const { dialog, heard } = await renderForm()
  const countdown = TEXT.charactersLeft(200)
  await userEvent.fill(field('message'), 'm'.repeat(4800))
  expect(dialog.getByText(countdown)).toBeVisible()
  expect(field('message')).toHaveAccessibleDescription(countdown)
  await userEvent.fill(field('message'), 'm'.repeat(4799))
  expect(dialog.queryByText(countdown)).toBeNull()
  expect(field('message')).not.toHaveAccessibleDescription()
  expect(heard()).toEqual([])
})

test('a text that a program made too long is told so at its field, with the number, and nothing is sent', async () => {
  const { enquiries } = await renderForm()
  await fillIn(anEnquiry())
  for (const [name, excess] of [
    ['last', 1],
    ['message', 101],
  ] as const) {
    field(name).value = 'x'.repeat(MAX_LENGTH[name] + excess)
    await userEvent.click(submitButton())
    expectError(name, TEXT.charactersTooMany(excess))
    await userEvent.fill(field(name), 'x')
  }
  expect(enquiries.sent).toEqual([])
})

test('a text that was restored is counted, and never below zero', async () => {
  await renderApp({ message: 'x'.repeat(5001) })
  await openDialog()
  expect(field('message')).toHaveAccessibleDescription(TEXT.charactersLeft(0))
})

test('a field of the same name that an extension puts before ours hides nothing that was typed', async () => {
  const { enquiries } = await renderForm()
  await fillIn(anEnquiry())
  for (const type of ['text', 'hidden'])
    field('first').before(Object.assign(document.createElement('input'), { name: 'first', type }))
  await userEvent.click(submitButton())
  expect(enquiries.sent).toEqual([anEnquiry()])
})
