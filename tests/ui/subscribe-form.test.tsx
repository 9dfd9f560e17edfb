import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { listen } from '../support/page/listen.ts'
import {
  closeDialog,
  contactUs,
  emailInput,
  fillIn,
  openDialog,
  places,
  shownNotification,
  shownNotifications,
  submitButton,
  subscribeButton,
  subscribeForm,
  subscribeWith,
} from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

function expectBusy(busy: boolean) {
  expect(subscribeButton()).toHaveAttribute('aria-busy', `${busy}`)
  expect(subscribeButton()).toHaveAttribute('aria-disabled', `${busy}`)
}

const expectNotification = (text: keyof typeof NOTIFICATION_TEXT) =>
  expect(shownNotification().textContent).toContain(NOTIFICATION_TEXT[text].detail)

async function renderSubscribed() {
  const app = await renderApp()
  await subscribeWith()
  await app.subscriptions.answer('subscribed')
  return app
}

test('the email input tells browsers and phones what it takes', async () => {
  await renderApp()
  const { type, name, autocomplete, inputMode, enterKeyHint, dir, maxLength } = emailInput()
  expect([type, name, autocomplete, inputMode]).toEqual(['email', 'email', 'email', 'email'])
  expect([enterKeyHint, dir, maxLength]).toEqual(['send', 'auto', 254])
})

test('the email input is labelled, and described by what happens with the address', async () => {
  await renderApp()
  expect(emailInput()).toHaveAccessibleName(TEXT.email)
  expect(emailInput()).toHaveAccessibleDescription(TEXT.emailUse)
})

// Otherwise Firefox calls them invalid while a required field is empty.
test('no field and no form is called invalid before it was used', async () => {
  await renderApp()
  for (const untouched of [emailInput(), ...document.forms]) expect(untouched).toHaveAttribute('aria-invalid', 'false')
})

test('an address whose call fails stays, and can be sent again', async () => {
  const { subscriptions } = await renderApp()
  await subscribeWith('ada@example.com')
  await subscriptions.answer('failed')
  await userEvent.click(subscribeButton())
  expect(subscriptions.sent).toEqual(['ada@example.com', 'ada@example.com'])
})

test('a call that starts ends what is told of an earlier attempt', async () => {
  const { subscriptions } = await renderApp()
  await subscribeWith()
  await subscriptions.answer('failed')
  await userEvent.click(subscribeButton())
  expect(shownNotifications()).toEqual([])
  expect(subscribeForm().queryByText(NOTIFICATION_TEXT.failed.detail)).toBeNull()
})

test('a decline shows nothing, and leaves the address and a ready button', async () => {
  const { subscriptions } = await renderApp()
  await subscribeWith('ada@example.com')
  await subscriptions.answer('declined')
  expect(shownNotifications()).toEqual([])
  expect(emailInput()).toHaveValue('ada@example.com')
  expectBusy(false)
})

test('what is no address is not sent, and is marked and described by its error', async () => {
  const { subscriptions } = await renderApp()
  await subscribeWith('plain')
  expect(emailInput()).toHaveFocus()
  expect(emailInput()).toHaveAttribute('aria-invalid', 'true')
  expect(emailInput()).toHaveAccessibleDescription(VALIDATION_TEXT.invalidEmail)
  expect(screen.getByText(VALIDATION_TEXT.invalidEmail)).toBeVisible()
  expect(subscriptions.sent).toEqual([])
  expectBusy(false)
})

test('an invalid email is announced once, by its notification', async () => {
  await renderApp()
  const heard = listen()
  await subscribeWith('plain')
  const { summary, detail } = NOTIFICATION_TEXT.invalidEmail
  // Two sentences, though the summary has no sign at its end.
  expect(heard()).toEqual([`${summary}. ${detail}`])
})

test('the error of the email input goes when it is edited', async () => {
  await renderApp()
  await subscribeWith('plain')
  await userEvent.type(emailInput(), 'x')
  expect(emailInput()).toHaveAttribute('aria-invalid', 'false')
  expect(emailInput()).toHaveAccessibleDescription(TEXT.emailUse)
  expect(screen.queryByText(VALIDATION_TEXT.invalidEmail)).toBeNull()
})

test('an error of the email input moves nothing on a phone', async () => {
  await renderApp()
  await page.viewport(390, 700)
  const parts = [screen.getByRole('heading'), emailInput(), subscribeButton(), contactUs()]
  const atRest = places(parts)
  await subscribeWith('plain')
  expect(places(parts)).toEqual(atRest)
})

test('an address is sent once by a double Enter and further clicks', async () => {
  const { subscriptions } = await renderApp()
  await userEvent.click(emailInput())
  await userEvent.keyboard('Ada+News@Mail.Example.COM{Enter}{Enter}')
  await userEvent.click(subscribeButton(), { force: true })
  expect(subscriptions.sent).toEqual(['Ada+News@Mail.Example.COM'])
})

test('the button shows that it is busy while a call is pending', async () => {
  const { subscriptions } = await renderApp()
  await subscribeWith()
  expectBusy(true)
  expect(getComputedStyle(subscribeButton(), '::after').animationName).not.toBe('none')
  await subscriptions.answer('subscribed')
  expectBusy(false)
})

test('the second click of a double click presses nothing, however late it comes', async () => {
  await renderSubscribed()
  await act(async () => fireEvent.click(subscribeButton(), { detail: 2 }))
  expect(subscribeButton()).toHaveFocus()
})

test('a wait of a second is announced', async () => {
  const { pass } = await renderApp()
  const heard = listen()
  await subscribeWith()
  pass(999)
  expect(heard()).toEqual([])
  pass(1)
  expect(heard()).toEqual([TEXT.sending])
})

test('a wait that is over is not announced', async () => {
  const { pass } = await renderSubscribed()
  const heard = listen()
  pass(1000)
  expect(heard()).toEqual([])
})

test.each([
  ['subscribed', 'subscribed'],
  ['already-subscribed', 'alreadySubscribed'],
] as const)('an address that is %s leaves an empty field', async (answer, notification) => {
  const { subscriptions } = await renderApp()
  await subscribeWith()
  await subscriptions.answer(answer)
  expectNotification(notification)
  expect(emailInput()).toHaveValue('')
})

test('text that is typed during a call stays', async () => {
  const { subscriptions } = await renderApp()
  await subscribeWith()
  await userEvent.fill(emailInput(), 'grace@example.com')
  await subscriptions.answer('subscribed')
  expect(emailInput()).toHaveValue('grace@example.com')
})

test.each([
  ['Enter', () => userEvent.type(emailInput(), '{Enter}')],
  ['a tap', () => userEvent.click(subscribeButton())],
])('after thanks %s only leaves the focus in the emptied field', async (_, press) => {
  const { subscriptions } = await renderSubscribed()
  await press()
  expectNotification('subscribed')
  expect(emailInput()).toHaveFocus()
  expect(emailInput()).toHaveAttribute('aria-invalid', 'false')
  expect(subscriptions.sent).toHaveLength(1)
})

test('after thanks the field is judged once it was edited', async () => {
  await renderSubscribed()
  await userEvent.type(emailInput(), 'x{Backspace}{Enter}')
  expect(emailInput()).toHaveAccessibleDescription(VALIDATION_TEXT.noEmail)
})

test('after thanks the field is not judged after an enquiry either', async () => {
  const { enquiries } = await renderSubscribed()
  await openDialog()
  await fillIn()
  await userEvent.click(submitButton())
  await enquiries.answer('received')
  await closeDialog()
  await userEvent.click(subscribeButton())
  expect(shownNotifications()).toEqual([])
})

test('the sentence of an outcome stands at the form until the field is edited', async () => {
  await renderSubscribed()
  const sentence = NOTIFICATION_TEXT.subscribed.detail
  expect(subscribeForm().getByText(sentence)).toBeVisible()
  await userEvent.type(emailInput(), 'x')
  expect(subscribeForm().queryByText(sentence)).toBeNull()
})

test('an outcome is announced once, though it stands at the form too', async () => {
  const { subscriptions } = await renderApp()
  const heard = listen()
  await subscribeWith()
  await subscriptions.answer('failed')
  expect(heard()).toHaveLength(1)
})
