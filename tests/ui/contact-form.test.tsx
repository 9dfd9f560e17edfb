import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { Enquiry } from '../../src/domain/enquiry.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { closeIcon, ENQUIRY, field, fillIn, openDialog, submitButton, typedText } from '../support/page/contact-us.ts'
import { renderApp } from '../support/page/render-app.tsx'
import { toasts } from '../support/page/toasts.ts'

const PROBLEMS = [
  VALIDATION_TEXT.noFirst,
  VALIDATION_TEXT.noLast,
  VALIDATION_TEXT.noEmail,
  VALIDATION_TEXT.invalidEmail,
  VALIDATION_TEXT.noMessage,
]

/** The problems that the form shows. */
const shown = () =>
  PROBLEMS.filter((problem) => within(screen.getByRole('dialog')).queryByText(problem, { exact: true }))

const submit = () => userEvent.click(submitButton())

async function renderForm() {
  const app = await renderApp()
  await openDialog()
  return app
}

test('the form has four labelled fields with their limits, and a Submit with an envelope', async () => {
  await renderForm()
  const dialog = within(screen.getByRole('dialog'))
  for (const label of [TEXT.first, TEXT.last, TEXT.email, TEXT.message])
    expect(dialog.getByRole('textbox', { name: label })).toBe(dialog.getByPlaceholderText(label))
  for (const [name, limit] of Object.entries({ first: 100, last: 100, email: 254, message: 5000 } as const))
    expect(field(name as keyof Enquiry)).toHaveAttribute('maxlength', `${limit}`)
  expect(field('email')).toHaveAttribute('type', 'email')
  expect(field('message')).toHaveAttribute('rows', '3')
  await userEvent.fill(field('message'), 'line\n'.repeat(40))
  expect(field('message').getBoundingClientRect().height).toBe(104)
  expect(submitButton().querySelector('svg[data-icon=envelope]')).toHaveAttribute('aria-hidden', 'true')
  expect(submitButton().textContent).toBe(TEXT.submit)
})

describe('what is missing', () => {
  test('is told alone, at its field, step by step until the enquiry is sent', async () => {
    const { enquiries } = await renderForm()
    const STEPS: [at: keyof Enquiry, problem: string, typed: string][] = [
      ['first', VALIDATION_TEXT.noFirst, 'Ada'],
      ['last', VALIDATION_TEXT.noLast, 'Lovelace'],
      ['email', VALIDATION_TEXT.noEmail, 'plain'],
      ['email', VALIDATION_TEXT.invalidEmail, 'ada@example.com'],
      ['message', VALIDATION_TEXT.noMessage, ENQUIRY.message],
    ]
    expect(STEPS.map(([, problem]) => problem)).toEqual(PROBLEMS)
    for (const [at, problem, typed] of STEPS) {
      await submit()
      expect(shown()).toEqual([problem])
      expect(field(at)).toHaveFocus()
      expect(field(at)).toHaveAccessibleDescription(problem)
      for (const name of ['first', 'last', 'email', 'message'] as const) {
        expect(field(name)).toHaveAttribute('aria-invalid', `${name === at}`)
        if (name !== at) expect(field(name)).not.toHaveAttribute('aria-describedby')
      }
      expect(submitButton()).toBeEnabled()
      await userEvent.fill(field(at), typed)
    }
    expect(toasts()).toEqual([])
    expect(enquiries.sent).toEqual([])
    await submit()
    expect(shown()).toEqual([])
    expect(enquiries.sent).toEqual([ENQUIRY])
  })

  test('is told by Enter too, until its own field changes, though it be wrong still', async () => {
    const { enquiries } = await renderForm()
    await fillIn({ ...ENQUIRY, email: 'plain' })
    await userEvent.click(field('email'))
    await userEvent.keyboard('{Enter}')
    expect(shown()).toEqual([VALIDATION_TEXT.invalidEmail])
    await userEvent.fill(field('message'), 'Hello')
    expect(shown()).toEqual([VALIDATION_TEXT.invalidEmail])
    await userEvent.click(field('email'))
    await userEvent.keyboard('{End}x')
    expect(shown()).toEqual([])
    expect(field('email')).toHaveAttribute('aria-invalid', 'false')
    expect(field('email')).not.toHaveAttribute('aria-describedby')
    expect(enquiries.sent).toEqual([])
  })
})

describe('what is sent', () => {
  test('is what was typed, tidied, by Enter in a single-line field', async () => {
    const { enquiries } = await renderForm()
    await fillIn({ first: ' Ada\tAugusta ', last: '埃达', email: ' ada@example.com ', message: '\n One\n\nTwo \n' })
    await userEvent.click(field('last'))
    await userEvent.keyboard('{Enter}')
    expect(enquiries.sent).toEqual([
      { first: 'Ada Augusta', last: '埃达', email: 'ada@example.com', message: 'One\n\nTwo' },
    ])
  })

  test('is not sent by Enter in the message, which begins a line, nor by closing', async () => {
    const { enquiries } = await renderForm()
    await fillIn(ENQUIRY)
    await userEvent.click(field('message'))
    await userEvent.keyboard('{Control>}{End}{/Control}{Enter}Bye')
    expect(typedText().message).toBe(`${ENQUIRY.message}\nBye`)
    await userEvent.click(closeIcon())
    expect(enquiries.sent).toEqual([])
  })
})
