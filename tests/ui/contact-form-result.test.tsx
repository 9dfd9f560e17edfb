import { act, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS, mapFields, type TypedEnquiry } from '../../src/domain/enquiry.ts'
import type { EnquiryAnswer } from '../../src/domain/ports.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { listen } from '../support/page/listen.ts'
import { contact, notification, places, subscription } from '../support/page/parts.ts'
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
  expect(spinner()).toBeNull()
  expect(result().innerText).toBe('')
  for (const name of ENQUIRY_FIELDS) expect(field(name).readOnly).toBe(false)
}

test('while an enquiry is sent a spinner of 50 px turns', async () => {
  await renderSent()
  expect([spinner()?.offsetWidth, spinner()?.offsetHeight]).toEqual([50, 50])
})

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

test('while an enquiry is sent a wait of a second is announced', async () => {
  const { pass, heard } = await renderSent()
  pass(1000)
  expect(heard()).toEqual([TEXT.sending])
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
  const rgb = getComputedStyle(within(result()).getByText(text)).color.match(/\d+/g) ?? []
  expect(Number(rgb[0]) > Number(rgb[1]) ? 'red' : 'green').toBe(hue)
  expect(notification.all()).toEqual([])
})

test.each<[EnquiryAnswer, string, TypedEnquiry]>([
  ['received', 'is empty', mapFields(() => '')],
  ['failed', 'keeps its text', anEnquiry()],
])('after the answer %s the form stays until it is opened anew, and then %s', async (answer, _, text) => {
  const { enquiries, contactDialog } = await renderSent()
  await enquiries.answer(answer)
  expect(contact.text()).toEqual(anEnquiry())
  // Before it has quite closed.
  for (const open of [false, true]) await act(async () => contactDialog.set(open))
  expectReady(text)
})

test('neither the wait nor the text of a failure moves anything on a phone', async () => {
  const { enquiries } = await renderApp()
  await page.viewport(390, 700)
  await contact.open()
  await fillIn()
  const parts = [contact.title(), contact.closeIcon(), submit(), ...document.forms]
  const atRest = places(parts)
  await userEvent.click(submit())
  expect(places(parts)).toEqual(atRest)
  await enquiries.answer('failed')
  expect(places(parts)).toEqual(atRest)
})

test('on a low screen the outcome is scrolled into view under the title', async () => {
  const { enquiries } = await renderSent()
  await page.viewport(740, 360)
  await enquiries.answer('failed')
  for (const { top, bottom } of places([contact.title(), contact.closeIcon(), tryAgain()])) {
    expect(top).toBeGreaterThanOrEqual(0)
    expect(bottom).toBeLessThanOrEqual(360)
  }
})

test.each<[EnquiryAnswer, string]>([
  ['received', ENQUIRY_TEXT.received],
  ['failed', ENQUIRY_TEXT.notSent],
])('the answer %s to a closed dialog is told by a notification', async (answer, text) => {
  const { enquiries } = await renderSent()
  await contact.close()
  await enquiries.answer(answer)
  expect(notification.only().textContent).toContain(text)
  expect(screen.queryByRole('dialog')).toBeNull()
})

// A press that was held may be made after the dialog was closed.
test('an invalid enquiry to a closed dialog is told by a notification', async () => {
  await renderApp()
  await act(async () => document.forms.namedItem('contact')?.requestSubmit())
  expect(notification.only().textContent).toContain(ENQUIRY_TEXT.notSent)
})

test('Try again opens the dialog anew, with its text and the focus at Submit', async () => {
  const { enquiries, dialogNews } = await renderSent()
  await enquiries.answer('failed')
  await userEvent.click(tryAgain())
  await expect.poll(() => document.activeElement).toBe(submit())
  expect(dialogNews).toEqual([true, false, true])
  expectReady(anEnquiry())
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
