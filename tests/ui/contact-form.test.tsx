import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS, type EnquiryField, isRequired, MAX_LENGTH } from '../../src/domain/enquiry.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { closeDialog, field, fillIn, openDialog, submitButton, typedText } from '../support/page/contact-us.ts'
import { ENQUIRY } from '../support/page/page-states.ts'
import { renderApp } from '../support/page/render-app.tsx'
import { toasts } from '../support/page/toasts.ts'

/** The problems that the form shows. */
const shown = () =>
  Object.values(VALIDATION_TEXT).filter((problem) => within(screen.getByRole('dialog')).queryByText(problem))

async function renderForm() {
  const app = await renderApp()
  await openDialog()
  return app
}

test('the form has four labelled fields that say what they take, and a Submit with an envelope', async () => {
  await renderForm()
  expect(within(screen.getByRole('dialog')).getAllByRole('textbox')).toEqual(ENQUIRY_FIELDS.map(field))
  for (const name of ENQUIRY_FIELDS) {
    const attributes = { name, placeholder: TEXT[name], dir: 'auto', maxlength: `${MAX_LENGTH[name]}` }
    for (const [attribute, value] of Object.entries(attributes)) expect(field(name)).toHaveAttribute(attribute, value)
    expect(field(name)).toHaveAccessibleName(TEXT[name])
    expect(field(name).required).toBe(isRequired(name))
  }
  expect(ENQUIRY_FIELDS.map((name) => field(name).autocomplete)).toEqual(['given-name', 'family-name', 'email', ''])
  expect(field('email')).toHaveAttribute('type', 'email')
  expect(field('message')).toHaveAttribute('rows', '3')
  await userEvent.fill(field('message'), 'line\n'.repeat(40))
  expect(field('message').getBoundingClientRect().height).toBe(104)
  expect(getComputedStyle(field('message')).resize).toBe('none')
  expect(submitButton().querySelector('svg[data-icon=envelope]')).toHaveAttribute('aria-hidden', 'true')
  expect(submitButton().textContent).toBe(TEXT.submit)
})

test('what is missing is told alone, at its field, where it is announced, until that field changes or the dialog closes', async () => {
  const { enquiries } = await renderForm()
  const STEPS: [at: EnquiryField, problem: string, typed: string][] = [
    ['first', VALIDATION_TEXT.noFirst, ENQUIRY.first],
    ['last', VALIDATION_TEXT.noLast, ENQUIRY.last],
    ['email', VALIDATION_TEXT.noEmail, 'plain'],
    ['email', VALIDATION_TEXT.invalidEmail, ENQUIRY.email],
    ['message', VALIDATION_TEXT.noMessage, ENQUIRY.message],
  ]
  for (const [at, problem, typed] of STEPS) {
    const region = field(at).parentElement?.querySelector('[aria-live=polite]')
    await userEvent.click(submitButton())
    expect(shown()).toEqual([problem])
    expect(region).toHaveTextContent(problem)
    expect(field(at)).toHaveFocus()
    expect(field(at)).toHaveAccessibleDescription(problem)
    for (const name of ENQUIRY_FIELDS) {
      if (name === at) expect(field(name)).toBeInvalid()
      else expect(field(name)).not.toHaveAttribute('aria-invalid')
      if (name !== at) expect(field(name)).not.toHaveAccessibleDescription()
    }
    expect(submitButton()).toBeEnabled()
    const other = at === 'first' ? 'last' : 'first'
    await userEvent.type(field(other), ' ')
    expect(shown()).toEqual([problem])
    await userEvent.fill(field(at), typed)
    expect(shown()).toEqual([])
  }
  await userEvent.fill(field('last'), ' ')
  await userEvent.click(submitButton())
  await closeDialog()
  await openDialog()
  expect(shown()).toEqual([])
  expect(typedText()).toMatchObject({ email: ENQUIRY.email, message: ENQUIRY.message })
  expect(toasts()).toEqual([])
  expect(enquiries.sent).toEqual([])
})

test('Enter in the message begins a line; in a single-line field it sends what was typed, tidied', async () => {
  const { enquiries } = await renderForm()
  await fillIn({ first: ' Ada\tAugusta ', last: '埃达', email: ' ada@example.com ', message: '\n One\n\nTwo ' })
  await userEvent.click(field('message'))
  await userEvent.keyboard('{Control>}{End}{/Control}{Enter}')
  expect(field('message')).toHaveValue('\n One\n\nTwo \n')
  expect(enquiries.sent).toEqual([])
  await userEvent.click(field('last'))
  await userEvent.keyboard('{Enter}')
  expect(enquiries.sent).toEqual([
    { first: 'Ada Augusta', last: '埃达', email: 'ada@example.com', message: 'One\n\nTwo' },
  ])
})

test('the message counts down its last 200 characters, and says when a pasted text is cut', async () => {
  await renderForm()
  const dialog = within(screen.getByRole('dialog'))
  await userEvent.fill(field('message'), 'm'.repeat(4799))
  expect(dialog.queryByText(TEXT.charactersLeft(201))).toBeNull()
  await userEvent.click(field('message'))
  await userEvent.keyboard('{Control>}{End}{/Control}m')
  expect(dialog.getByText(TEXT.charactersLeft(200))).toBeVisible()
  await userEvent.keyboard('{Control>}ac{End}v{/Control}')
  expect(field('message').value).toHaveLength(5000)
  expect(dialog.getByText(TEXT.charactersLeft(0))).toBeVisible()
  expect(dialog.getByText(TEXT.truncated)).toBeVisible()
  expect(field('message')).toHaveAccessibleDescription(TEXT.truncated)
  await userEvent.keyboard('{Backspace}')
  expect(dialog.queryByText(TEXT.truncated)).toBeNull()
})
