import { act, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS, mapFields, type TypedEnquiry } from '../../src/domain/enquiry.ts'
import type { EnquiryAnswer } from '../../src/domain/ports.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { listen } from '../support/page/listen.ts'
import { contact, notification, subscription } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const { field, submit, fillIn } = contact

/** What is told of a submit, beside the button. */
const result = () => submit().parentElement?.querySelector('[aria-live]') as HTMLElement
const spinner = () => result().querySelector<HTMLElement>('.chakra-spinner')
const tryAgain = () => screen.getByRole('button', { name: TEXT.tryAgain })

/** The form with an enquiry that the backend has not answered yet. */
async function renderSent() {
  const app = await renderApp()
  await contact.open()
  await fillIn()
  const heard = listen()
  await userEvent.click(submit())
  return { ...app, heard }
}

/** The form as a new opening shows it, with this text. */
function expectReady(text: TypedEnquiry) {
  expect(contact.text()).toEqual(text)
  expect(submit()).toHaveAttribute('aria-disabled', 'false')
  expect(result().innerText).toBe('')
  for (const name of ENQUIRY_FIELDS) expect(field(name).readOnly).toBe(false)
}

test('while an enquiry is sent Submit keeps the focus, and is disabled', async () => {
  await renderSent()
  expect(submit()).toHaveFocus()
  expect(submit()).toHaveAttribute('aria-disabled', 'true')
})

test('while an enquiry is sent its text stays, and nothing sends it again', async () => {
  const { enquiries } = await renderSent()
  await userEvent.click(submit(), { force: true })
  await userEvent.click(field('first'))
  await userEvent.keyboard('x{Enter}')
  expect(contact.text()).toEqual(anEnquiry())
  expect(enquiries.sent).toEqual([anEnquiry()])
})

test('a dialog that opens while an enquiry is sent shows it, with the focus at Submit', async () => {
  await renderSent()
  await contact.close()
  await contact.open()
  expect(spinner()).toBeVisible()
  expect(submit()).toHaveFocus()
})

test.each<[EnquiryAnswer, hue: 'red' | 'green', string]>([
  ['received', 'green', ENQUIRY_TEXT.received],
  ['failed', 'red', ENQUIRY_TEXT.failed],
])('the answer %s is told in %s, by the form alone', async (answer, hue, text) => {
  const { enquiries, heard } = await renderSent()
  await enquiries.answer(answer)
  expect(heard()).toEqual([text])
  const [red, green] = getComputedStyle(within(result()).getByText(text)).color.match(/\d+/g) ?? []
  expect(Number(red) > Number(green) ? 'red' : 'green').toBe(hue)
  expect(notification.all()).toEqual([])
})

test.each<[EnquiryAnswer, string, TypedEnquiry]>([
  ['received', 'is empty', mapFields(() => '')],
  ['failed', 'keeps its text', anEnquiry()],
])('answered with %s the form stays until it opens anew, and then %s', async (answer, _, text) => {
  const { enquiries, contactDialog } = await renderSent()
  await enquiries.answer(answer)
  expect(contact.text()).toEqual(anEnquiry())
  // Before it has quite closed.
  for (const open of [false, true]) await act(async () => contactDialog.set(open))
  expectReady(text)
})

test('on a low screen the outcome is scrolled into view', async () => {
  const { enquiries } = await renderSent()
  await page.viewport(740, 360)
  await enquiries.answer('failed')
  const { top, bottom } = tryAgain().getBoundingClientRect()
  expect(top).toBeGreaterThanOrEqual(contact.title().getBoundingClientRect().bottom)
  expect(bottom).toBeLessThanOrEqual(360)
})

test('an answer to a closed dialog is told by a notification', async () => {
  const { enquiries } = await renderSent()
  await contact.close()
  await enquiries.answer('failed')
  expect(notification.only().textContent).toContain(ENQUIRY_TEXT.notSent)
})

// A press that was held may arrive after the dialog was closed.
test('an invalid enquiry to a closed dialog is told by a notification', async () => {
  await renderApp()
  await act(async () => document.forms.namedItem('contact')?.requestSubmit())
  expect(notification.only().textContent).toContain(ENQUIRY_TEXT.notSent)
})

test('an enquiry that is sent removes the outcome of an attempt to subscribe', async () => {
  const { subscriptions } = await renderApp()
  await subscription.send()
  await subscriptions.answer('failed')
  await contact.open()
  await fillIn()
  await userEvent.click(submit())
  expect(notification.all()).toEqual([])
  expect(subscription.form().queryByText(NOTIFICATION_TEXT.failed.detail)).toBeNull()
})

test('Try again opens the dialog anew, with its text and the focus at Submit', async () => {
  const { enquiries, dialogNews } = await renderSent()
  await enquiries.answer('failed')
  await userEvent.click(tryAgain())
  await expect.poll(() => document.activeElement).toBe(submit())
  expect(dialogNews).toEqual([true, false, true])
  expectReady(anEnquiry())
})
