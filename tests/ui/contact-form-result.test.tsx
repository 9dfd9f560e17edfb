import { act, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS, mapFields } from '../../src/domain/enquiry.ts'
import type { EnquiryAnswer } from '../../src/domain/ports.ts'
import { ENQUIRY_NOTIFICATION_TEXT, ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { contact, notification, subscription } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const { field, submit, fillIn } = contact

/** What stands beside the button: the use of the details, or the result of a submit. */
const result = () => submit().nextElementSibling as HTMLElement
const spinner = () => result().querySelector<HTMLElement>('.chakra-spinner')
const tryAgain = () => screen.getByRole('button', { name: TEXT.tryAgain })

/** The form with an enquiry that the backend has not answered yet. */
async function renderSent() {
  const app = await renderApp()
  await contact.open()
  await fillIn()
  await userEvent.click(submit())
  return app
}

test('while an enquiry is sent, Submit keeps the focus and is disabled', async () => {
  await renderSent()
  expect(submit()).toHaveFocus()
  expect(submit()).toHaveAttribute('aria-disabled', 'true')
})

test('while an enquiry is sent, its text stays, and no press sends it again', async () => {
  const { enquiries } = await renderSent()
  await userEvent.click(submit(), { force: true })
  await userEvent.click(field('first'))
  await userEvent.keyboard('x{Enter}')
  expect(contact.text()).toEqual(anEnquiry())
  expect(enquiries.sent).toEqual([anEnquiry()])
})

test('a dialog that opens during a call shows the spinner, with the focus on Submit', async () => {
  await renderSent()
  await contact.close()
  await contact.open()
  expect(spinner()).toBeVisible()
  expect(submit()).toHaveFocus()
})

test.each<[EnquiryAnswer, hue: 'red' | 'green', string]>([
  ['received', 'green', ENQUIRY_TEXT.received],
  ['failed', 'red', ENQUIRY_TEXT.failed],
])('only the form shows the answer %s, in %s', async (answer, hue, text) => {
  const { enquiries } = await renderSent()
  await enquiries.answer(answer)
  const [red, green] = getComputedStyle(within(result()).getByText(text)).color.match(/\d+/g) ?? []
  expect(Number(red) > Number(green) ? 'red' : 'green').toBe(hue)
  expect(notification.all()).toEqual([])
})

// Screen readers read what gets the focus.
test('after a success the focus is at the thanks, beside a button that closes the dialog', async () => {
  const { enquiries, dialogStates } = await renderSent()
  await enquiries.answer('received')
  expect(document.activeElement).toHaveAccessibleName(ENQUIRY_TEXT.received)
  await userEvent.keyboard('{Tab}{Enter}')
  expect(dialogStates).toEqual([true, false])
})

test('after a success the text stays; a form that opens again is empty and ready', async () => {
  const { enquiries, contactDialog } = await renderSent()
  await enquiries.answer('received')
  expect(contact.text()).toEqual(anEnquiry())
  // The dialog opens again before its closing animation ends.
  for (const open of [false, true]) await act(async () => contactDialog.set(open))
  expect(contact.text()).toEqual(mapFields(() => ''))
  expect(submit()).toHaveAttribute('aria-disabled', 'false')
  expect(result().innerText.trim()).toBe(TEXT.enquiryUse)
  for (const name of ENQUIRY_FIELDS) expect(field(name)).not.toHaveAttribute('readonly')
})

test('on a low screen the outcome is scrolled into view', async () => {
  const { enquiries } = await renderSent()
  await page.viewport(740, 360)
  await enquiries.answer('failed')
  const { top, bottom } = tryAgain().getBoundingClientRect()
  expect(top).toBeGreaterThanOrEqual(contact.title().getBoundingClientRect().bottom)
  expect(bottom).toBeLessThanOrEqual(360)
})

test('a notification shows an answer that comes after the dialog was closed', async () => {
  const { enquiries } = await renderSent()
  await contact.close()
  await enquiries.answer('failed')
  expect(notification.only().textContent).toContain(ENQUIRY_NOTIFICATION_TEXT.failed.detail)
})

// A held press may arrive after the dialog was closed.
test('a notification reports an invalid enquiry if the dialog is closed', async () => {
  await renderApp()
  await act(async () => document.forms.namedItem('contact')?.requestSubmit())
  expect(notification.only().textContent).toContain(ENQUIRY_NOTIFICATION_TEXT.failed.detail)
})

test('sending an enquiry removes the outcome of an earlier subscription', async () => {
  const { subscriptions } = await renderApp()
  await subscription.send()
  await subscriptions.answer('failed')
  await contact.open()
  await fillIn()
  await userEvent.click(submit())
  expect(notification.all()).toEqual([])
  expect(subscription.form().queryByText(NOTIFICATION_TEXT.failed.detail)).toBeNull()
})

test('Try again has the focus; it opens the dialog anew and sends the text', async () => {
  const { enquiries, dialogStates } = await renderSent()
  await enquiries.answer('failed')
  expect(tryAgain()).toHaveAccessibleDescription(ENQUIRY_TEXT.failed)
  await userEvent.keyboard('{Enter}')
  expect(dialogStates).toEqual([true, false, true])
  expect(enquiries.sent).toEqual([anEnquiry(), anEnquiry()])
  expect(submit()).toHaveFocus()
})
