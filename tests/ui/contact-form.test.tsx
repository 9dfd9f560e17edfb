import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS, type EnquiryField, isRequired, MAX_LENGTH } from '../../src/domain/enquiry.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { closeDialog, field, fillIn, openDialog, submitButton, typedText } from '../support/page/contact-us.ts'
import { listen } from '../support/page/listen.ts'
import { ENQUIRY } from '../support/page/page-states.ts'
import { renderApp } from '../support/page/render-app.tsx'
import { toasts } from '../support/page/toasts.ts'

/** The problems that the form shows. */
const shown = () =>
  Object.values(VALIDATION_TEXT).filter((problem) => within(screen.getByRole('dialog')).queryByText(problem))

const note = (name: EnquiryField) => document.getElementById(`contact-${name}-note`)

async function renderForm() {
  const app = await renderApp()
  await openDialog()
  listen()
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

test('what is missing is told alone, at its field, until that field changes or the dialog closes', async () => {
  const { enquiries, pass } = await renderForm()
  const STEPS: [at: EnquiryField, problem: string, typed: string][] = [
    ['first', VALIDATION_TEXT.noFirst, ENQUIRY.first],
    ['last', VALIDATION_TEXT.noLast, ENQUIRY.last],
    ['email', VALIDATION_TEXT.noEmail, 'plain'],
    ['email', VALIDATION_TEXT.invalidEmail, ENQUIRY.email],
    ['message', VALIDATION_TEXT.noMessage, ENQUIRY.message],
  ]
  for (const [at, problem, typed] of STEPS) {
    await userEvent.click(submitButton())
    expect(shown()).toEqual([problem])
    expect(submitButton(), 'the description is there before the focus comes').toHaveFocus()
    pass(100)
    expect(field(at)).toHaveFocus()
    expect(field(at)).toHaveAccessibleDescription(problem)
    for (const name of ENQUIRY_FIELDS) {
      expect(field(name)).toHaveAttribute('aria-invalid', `${name === at}`)
      if (name !== at) expect(field(name)).not.toHaveAccessibleDescription()
    }
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
  expect(window.heard(), 'a field that gets the focus reads its description').toEqual([])
})

test('what is missing is announced, once for each press, where the focus is already at its field', async () => {
  const { pass } = await renderForm()
  expect(field('first')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard('{Enter}')
  expect(window.heard()).toEqual([VALIDATION_TEXT.noFirst, VALIDATION_TEXT.noFirst])
  expect(note('first')).toHaveTextContent(VALIDATION_TEXT.noFirst)
  expect(field('first'), 'nothing is read that the live region says').not.toHaveAccessibleDescription()
  await act(async () => field('last').focus())
  await act(async () => field('first').focus())
  expect(field('first')).toHaveAccessibleDescription(VALIDATION_TEXT.noFirst)
  // As a browser that fills in a form does.
  fireEvent.input(field('last'), { target: { value: ' ' } })
  await userEvent.keyboard('x{Enter}')
  pass(100)
  expect(field('last')).toHaveFocus()
  expect(field('last')).toHaveAccessibleDescription(VALIDATION_TEXT.noLast)
  await userEvent.click(submitButton())
  expect(window.heard()).toEqual([])
})

test('the focus stays with a visitor who types before it goes to the field of an error', async () => {
  const { pass } = await renderForm()
  await userEvent.click(submitButton())
  await userEvent.click(field('message'))
  await userEvent.keyboard('x')
  pass(100)
  expect(field('message')).toHaveFocus()
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
  expect(note('message')).toHaveTextContent(TEXT.truncated)
  expect(window.heard()).toEqual([TEXT.truncated])
  expect(field('message'), 'nothing is read that the live region says').not.toHaveAccessibleDescription()
  await act(async () => field('email').focus())
  await act(async () => field('message').focus())
  expect(field('message')).toHaveAccessibleDescription(`${TEXT.truncated} ${TEXT.charactersLeft(0)}`)
  await userEvent.keyboard('{Backspace}')
  expect(note('message')).toBeEmptyDOMElement()
  expect(field('message')).not.toHaveAccessibleDescription()
})

test('the focus does not leave what the visitor has gone on to', async () => {
  const { pass } = await renderForm()
  await userEvent.click(submitButton())
  await userEvent.click(field('message'))
  pass(100)
  expect(field('message')).toHaveFocus()
})

test('a name that was pasted and is cut says so until it is shorter', async () => {
  await renderForm()
  await userEvent.fill(field('first'), 'm'.repeat(60))
  await userEvent.keyboard('{Control>}ac{End}v{/Control}')
  expect(field('first').value).toHaveLength(100)
  expect(note('first')).toHaveTextContent(TEXT.truncated)
  expect(window.heard()).toEqual([TEXT.truncated])
  await userEvent.keyboard('{Control>}v{/Control}')
  expect(window.heard(), 'each cut is heard').toEqual([TEXT.truncated])
  await userEvent.keyboard('{Backspace}')
  expect(note('first')).toBeEmptyDOMElement()
})

test('the countdown is heard after a pause, at its next number only, and again after more room', async () => {
  const { pass } = await renderForm()
  /** The message with so many characters left, after a pause of so long. */
  async function leave(left: number, pause: number) {
    await userEvent.fill(field('message'), 'm'.repeat(5000 - left))
    pass(pause)
    return window.heard()
  }
  expect(await leave(201, 1000)).toEqual([])
  expect(await leave(200, 999)).toEqual([])
  expect(await leave(198, 999)).toEqual([])
  pass(1)
  expect(window.heard()).toEqual([TEXT.charactersLeft(198)])
  expect(await leave(101, 1000)).toEqual([])
  for (const left of [99, 50, 19, 10, 0]) expect(await leave(left, 1000)).toEqual([TEXT.charactersLeft(left)])
  expect(await leave(60, 1000)).toEqual([])
  expect(await leave(50, 1000)).toEqual([TEXT.charactersLeft(50)])
  expect(await leave(10, 999)).toEqual([])
  await userEvent.tab()
  pass(1000)
  expect(window.heard(), 'not after the field was left').toEqual([])
})
