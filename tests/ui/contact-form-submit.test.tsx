import { act, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { animationsFinished } from '../../scripts/page-states.ts'
import type { EnquiryAnswer } from '../../src/domain/ports.ts'
import { ENQUIRY_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { closeDialog, ENQUIRY, field, fillIn, openDialog, submitButton, typedText } from '../support/page/contact-us.ts'
import { renderApp } from '../support/page/render-app.tsx'
import { toasts } from '../support/page/toasts.ts'

const THANKS = ENQUIRY_TEXT.received
const OOPS = ENQUIRY_TEXT.failed
const EMPTY = { first: '', last: '', email: '', message: '' }

const outcome = () => within(field('first').form as HTMLElement).getByRole('status')
const spinner = () => outcome().querySelector('span')

async function renderSent() {
  const app = await renderApp()
  await openDialog()
  await fillIn(ENQUIRY)
  await userEvent.click(submitButton())
  return app
}

function expectReadOnly(readOnly: boolean) {
  for (const name of ['first', 'last', 'email', 'message'] as const) expect(field(name).readOnly).toBe(readOnly)
}

test('while it is submitting, the form turns a spinner, keeps text and focus, and sends nothing more', async () => {
  const { enquiries } = await renderSent()
  expect(spinner()).toBeVisible()
  expect(spinner()?.getAnimations()[0]?.effect?.getTiming().iterations).toBe(Infinity)
  expect(outcome()).toHaveTextContent(TEXT.sending)
  expect(submitButton()).toBeDisabled()
  expectReadOnly(true)
  expect(typedText()).toEqual(ENQUIRY)
  expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement)
  await userEvent.click(field('first'))
  await userEvent.keyboard('{Enter}')
  expect(enquiries.sent).toHaveLength(1)
})

test('two submits in the same breath send one enquiry', async () => {
  const { enquiries } = await renderApp()
  await openDialog()
  await fillIn(ENQUIRY)
  await act(async () => {
    field('first').form?.requestSubmit()
    field('first').form?.requestSubmit()
  })
  expect(enquiries.sent).toHaveLength(1)
})

test.each<[answer: EnquiryAnswer, text: string, hint: string, hue: 'green' | 'red']>([
  ['received', THANKS, '', 'green'],
  ['failed', OOPS, TEXT.sendAgain, 'red'],
])("the answer '%s' is told in the form alone, which takes nothing more", async (answer, text, hint, hue) => {
  const { enquiries, dialogNews } = await renderSent()
  await enquiries.answer(answer)
  const message = within(outcome()).getByText(text)
  expect(message).toBeVisible()
  expect(outcome().textContent).toBe(text + hint)
  const [red = 0, green = 0] = (getComputedStyle(message).color.match(/\d+/g) ?? []).map(Number)
  expect(red > green ? 'red' : 'green').toBe(hue)
  expect(spinner()).toBeNull()
  expect(toasts()).toEqual([])
  expect(dialogNews).toEqual([true])

  expect(submitButton()).toBeDisabled()
  expectReadOnly(true)
  await userEvent.click(field('first'))
  await userEvent.keyboard('x{Enter}')
  expect(typedText()).toEqual(ENQUIRY)
  expect(enquiries.sent).toHaveLength(1)
})

describe('opening the dialog again', () => {
  const expectFresh = () => {
    expect(submitButton()).toBeEnabled()
    expect(spinner()).toBeNull()
    expect(outcome().textContent).toBe('')
    expectReadOnly(false)
  }

  test('after a success shows an empty form', async () => {
    const { enquiries } = await renderSent()
    await enquiries.answer('received')
    await closeDialog()
    await openDialog()
    expect(typedText()).toEqual(EMPTY)
    expectFresh()
  })

  test('after a failure shows the text, through any number of closes, ready to be sent again', async () => {
    const { enquiries } = await renderSent()
    await enquiries.answer('declined')
    for (let round = 0; round < 2; round += 1) {
      await closeDialog()
      await openDialog()
    }
    expect(typedText()).toEqual(ENQUIRY)
    expectFresh()
    await userEvent.click(submitButton())
    expect(enquiries.sent).toEqual([ENQUIRY, ENQUIRY])
    await enquiries.answer('received')
    expect(outcome().textContent).toBe(THANKS)
  })

  test('without a submit keeps the text, and tells no old problem', async () => {
    await renderApp()
    await openDialog()
    await fillIn({ ...ENQUIRY, message: '' })
    await userEvent.click(submitButton())
    expect(screen.getByText(VALIDATION_TEXT.noMessage)).toBeVisible()
    await closeDialog()
    await openDialog()
    expect(typedText()).toEqual({ ...ENQUIRY, message: '' })
    expect(screen.queryByText(VALIDATION_TEXT.noMessage)).toBeNull()
    expectFresh()
  })

  test('while the call runs shows it submitting, and then its end', async () => {
    const { enquiries } = await renderSent()
    await closeDialog()
    await openDialog()
    expect(spinner()).toBeVisible()
    expect(submitButton()).toBeDisabled()
    expectReadOnly(true)
    expect(typedText()).toEqual(ENQUIRY)
    await enquiries.answer('received')
    expect(outcome().textContent).toBe(THANKS)
    expect(submitButton()).toBeDisabled()
    expect(typedText()).toEqual(ENQUIRY)
    await closeDialog()
    await openDialog()
    expect(typedText()).toEqual(EMPTY)
    expectFresh()
  })

  test.each<[EnquiryAnswer, typeof ENQUIRY]>([
    ['received', EMPTY],
    ['failed', ENQUIRY],
  ])("after '%s' that came while it was closed, and opened nothing, shows what is left", async (answer, left) => {
    const { enquiries, dialogNews } = await renderSent()
    await closeDialog()
    await enquiries.answer(answer)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(toasts()).toEqual([])
    expect(dialogNews).toEqual([true, false])
    await openDialog()
    expect(typedText()).toEqual(left)
    expectFresh()
  })

  test('before it has quite closed after a success shows an empty form', async () => {
    const { enquiries, contactDialog } = await renderSent()
    await enquiries.answer('received')
    await act(async () => contactDialog.set(false))
    await act(async () => contactDialog.set(true))
    await animationsFinished()
    expect(typedText()).toEqual(EMPTY)
    expectFresh()
  })
})
