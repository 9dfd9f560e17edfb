import { act, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { Enquiry } from '../../src/domain/enquiry.ts'
import { closeIcon, ENQUIRY, field, fillIn, openDialog, submitButton, typedText } from '../support/contact-us.ts'
import { renderApp } from '../support/render-app.tsx'
import { toasts } from '../support/toasts.ts'

const PROBLEMS = [
  'Please enter first name',
  'Please enter last name',
  'Please enter an email address',
  'Please enter a valid email address',
  'Please enter a message',
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

describe('the form', () => {
  test('has a single-line input for each name and the email, and their limits', async () => {
    await renderForm()
    expect(field('first')).toHaveAttribute('maxlength', '100')
    expect(field('last')).toHaveAttribute('maxlength', '100')
    expect(field('email')).toHaveAttribute('maxlength', '254')
    expect(field('email')).toHaveAttribute('type', 'email')
    for (const name of ['first', 'last', 'email'] as const) expect(field(name).tagName).toBe('INPUT')
  })

  test('has a message box of 3 rows and 104 px that keeps its size', async () => {
    await renderForm()
    const box = field('message')
    expect(box.tagName).toBe('TEXTAREA')
    expect(box).toHaveAttribute('rows', '3')
    expect(box).toHaveAttribute('maxlength', '5000')
    expect(getComputedStyle(box).resize).toBe('none')
    expect(box.getBoundingClientRect().height).toBe(104)
    await userEvent.fill(box, 'line\n'.repeat(40))
    expect(box.getBoundingClientRect().height).toBe(104)
  })

  test.each(['First Name', 'Last Name', 'Email', 'Message'])("has '%s' as placeholder and as name", async (label) => {
    await renderForm()
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByRole('textbox', { name: label })).toBe(dialog.getByPlaceholderText(label))
  })

  test("has a 'Submit' button with an envelope", async () => {
    await renderForm()
    const icon = submitButton().querySelector('svg[data-icon=envelope]')
    expect(icon).toBeVisible()
    expect(icon).toHaveAttribute('aria-hidden', 'true')
    expect(submitButton().textContent).toBe('Submit')
  })

  test('takes no more than a field holds', async () => {
    await renderForm()
    field('first').focus()
    field('first').setRangeText?.('x'.repeat(99))
    field('first').setSelectionRange(99, 99)
    await userEvent.keyboard('yz')
    expect(field('first').value).toBe(`${'x'.repeat(99)}y`)
  })
})

describe('what is missing', () => {
  const STEPS: readonly [problem: string, at: keyof Enquiry, typed: Partial<Enquiry>][] = [
    ['Please enter first name', 'first', {}],
    ['Please enter first name', 'first', { last: 'Lovelace', email: 'ada@example.com', message: 'Hello' }],
    ['Please enter last name', 'last', { first: 'Ada' }],
    ['Please enter an email address', 'email', { first: 'Ada', last: 'Lovelace' }],
    ['Please enter a valid email address', 'email', { first: 'Ada', last: 'Lovelace', email: 'plain' }],
    ['Please enter a message', 'message', { first: 'Ada', last: 'Lovelace', email: 'ada@example.com' }],
    ['Please enter first name', 'first', { first: '   ', last: ' ', email: ' ', message: ' \n\t ' }],
    ['Please enter last name', 'last', { ...ENQUIRY, last: ' \t\u00a0 ' }],
    ['Please enter an email address', 'email', { ...ENQUIRY, email: '   ' }],
    ['Please enter a message', 'message', { ...ENQUIRY, message: ' \n \n ' }],
  ]

  test.each(STEPS)("'%s' is told alone, at the field '%s'", async (problem, at, typed) => {
    const { enquiries } = await renderForm()
    await fillIn(typed)
    await submit()
    expect(shown()).toEqual([problem])
    expect(field(at)).toHaveFocus()
    expect(field(at)).toHaveAttribute('aria-invalid', 'true')
    expect(field(at)).toHaveAccessibleDescription(problem)
    expect(enquiries.sent).toEqual([])
    expect(submitButton()).toBeEnabled()
    expect(toasts()).toEqual([])
  })

  test('is told of one field at a time', async () => {
    await renderForm()
    await submit()
    for (const name of ['last', 'email', 'message'] as const) {
      expect(field(name)).toHaveAttribute('aria-invalid', 'false')
      expect(field(name)).not.toHaveAttribute('aria-describedby')
    }
  })

  test('is no longer told when its field changes, though it be wrong still', async () => {
    await renderForm()
    await fillIn({ ...ENQUIRY, email: 'plain' })
    await submit()
    await userEvent.keyboard('{End}x')
    expect(shown()).toEqual([])
    expect(field('email')).toHaveAttribute('aria-invalid', 'false')
    expect(field('email')).not.toHaveAttribute('aria-describedby')
  })

  test('is still told when another field changes', async () => {
    await renderForm()
    await submit()
    await fillIn({ message: 'Hello' })
    expect(shown()).toEqual(['Please enter first name'])
  })

  test('gives way to the next at the next submit, without a change of that field', async () => {
    await renderForm()
    await submit()
    await act(async () => field('first').setRangeText('Ada'))
    await submit()
    expect(shown()).toEqual(['Please enter last name'])
  })

  test('is told step by step until the enquiry is sent', async () => {
    const { enquiries } = await renderForm()
    const told: string[] = []
    for (const name of ['first', 'last', 'email', 'message'] as const) {
      await submit()
      told.push(...shown())
      if (name === 'email') {
        await fillIn({ email: 'plain' })
        await submit()
        told.push(...shown())
      }
      await fillIn({ [name]: ENQUIRY[name] })
    }
    await submit()
    expect(told).toEqual(PROBLEMS)
    expect(shown()).toEqual([])
    expect(enquiries.sent).toEqual([ENQUIRY])
  })

  test('is told again by Enter', async () => {
    const { enquiries } = await renderForm()
    await userEvent.click(field('email'))
    await userEvent.keyboard('{Enter}')
    expect(shown()).toEqual(['Please enter first name'])
    expect(enquiries.sent).toEqual([])
  })
})

describe('what is sent', () => {
  // Few lines, for Chromium takes seconds to fill in thousands.
  const LONGEST = `${`${'m'.repeat(99)}\n`.repeat(49)}${'m'.repeat(100)}`

  test.each<[what: string, typed: Enquiry, sent: Enquiry]>([
    ['the enquiry as typed', ENQUIRY, ENQUIRY],
    [
      'each field without the white space around it',
      { first: ' Ada ', last: '\u00a0Lovelace\t', email: ' ada@example.com ', message: '\n Hello \n\n' },
      { ...ENQUIRY, message: 'Hello' },
    ],
    [
      'a space for each control character in a name',
      { ...ENQUIRY, first: 'Ada\tAugusta\u0007', last: 'King\u2028Noel\u0000' },
      { ...ENQUIRY, first: 'Ada Augusta', last: 'King Noel' },
    ],
    [
      'line breaks in the message',
      { ...ENQUIRY, message: 'One\nTwo\n\nThree' },
      { ...ENQUIRY, message: 'One\nTwo\n\nThree' },
    ],
    [
      'names in any script',
      { ...ENQUIRY, first: '埃达', last: "O'Нил-ß 3" },
      { ...ENQUIRY, first: '埃达', last: "O'Нил-ß 3" },
    ],
    [
      'the longest that the fields hold',
      { first: 'F'.repeat(100), last: 'L'.repeat(100), email: 'ada@example.com', message: LONGEST },
      { first: 'F'.repeat(100), last: 'L'.repeat(100), email: 'ada@example.com', message: LONGEST },
    ],
  ])('is %s', async (_what, typed, sent) => {
    const { enquiries } = await renderForm()
    await fillIn(typed)
    await submit()
    expect(shown()).toEqual([])
    expect(enquiries.sent).toEqual([sent])
  })

  test('is sent by Enter in a single-line field', async () => {
    const { enquiries } = await renderForm()
    await fillIn(ENQUIRY)
    await userEvent.click(field('last'))
    await userEvent.keyboard('{Enter}')
    expect(enquiries.sent).toEqual([ENQUIRY])
  })

  test('is not sent by Enter in the message, which begins a line', async () => {
    const { enquiries } = await renderForm()
    await fillIn(ENQUIRY)
    await userEvent.click(field('message'))
    await userEvent.keyboard('{Control>}{End}{/Control}{Enter}Bye')
    expect(enquiries.sent).toEqual([])
    expect(typedText().message).toBe(`${ENQUIRY.message}\nBye`)
  })

  test('is not sent by closing', async () => {
    const { enquiries } = await renderForm()
    await fillIn(ENQUIRY)
    await userEvent.click(closeIcon())
    expect(enquiries.sent).toEqual([])
  })
})
