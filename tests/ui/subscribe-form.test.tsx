import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { listen } from '../support/page/listen.ts'
import { contact, notification, places, subscription } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const { input, button, form, send } = subscription

let app: Awaited<ReturnType<typeof renderApp>>
beforeEach(async () => {
  app = await renderApp()
})

function expectBusy(busy: boolean) {
  expect(button()).toHaveAttribute('aria-busy', `${busy}`)
  expect(button()).toHaveAttribute('aria-disabled', `${busy}`)
}

async function subscribe() {
  await send()
  await app.subscriptions.answer('subscribed')
}

test('the email input is labelled, and described by the use of the address', async () => {
  expect(input()).toHaveAccessibleName(TEXT.email)
  expect(input()).toHaveAccessibleDescription(TEXT.emailUse)
})

test('the email input tells browsers and phones that it takes an address', async () => {
  const { type, name, autocomplete, inputMode, enterKeyHint, dir, maxLength } = input()
  expect([type, name, autocomplete, inputMode]).toEqual(['email', 'email', 'email', 'email'])
  expect([enterKeyHint, dir, maxLength]).toEqual(['send', 'auto', 254])
})

// Otherwise Firefox calls them invalid while a required field is empty.
test('no field and no form is called invalid before it was used', async () => {
  for (const untouched of [input(), ...document.forms]) expect(untouched).toHaveAttribute('aria-invalid', 'false')
})

test('an invalid address is not sent, and its field gets the error and the focus', async () => {
  await send('plain')
  expect(input()).toHaveFocus()
  expect(input()).toHaveAttribute('aria-invalid', 'true')
  expect(input()).toHaveAccessibleDescription(VALIDATION_TEXT.invalidEmail)
  expect(screen.getByText(VALIDATION_TEXT.invalidEmail)).toBeVisible()
  expect(app.subscriptions.sent).toEqual([])
  expectBusy(false)
})

test('the error of the email input goes when it is edited', async () => {
  await send('plain')
  await userEvent.type(input(), 'x')
  expect(input()).toHaveAttribute('aria-invalid', 'false')
  expect(input()).toHaveAccessibleDescription(TEXT.emailUse)
  expect(screen.queryByText(VALIDATION_TEXT.invalidEmail)).toBeNull()
})

test('an error of the email input moves nothing on a phone', async () => {
  await page.viewport(390, 700)
  const parts = [screen.getByRole('heading'), input(), button(), contact.opener()]
  const atRest = places(parts)
  await send('plain')
  expect(places(parts)).toEqual(atRest)
})

test('an address is sent once by a double Enter and further clicks', async () => {
  await userEvent.click(input())
  await userEvent.keyboard('Ada+News@Mail.Example.COM{Enter}{Enter}')
  await userEvent.click(button(), { force: true })
  expect(app.subscriptions.sent).toEqual(['Ada+News@Mail.Example.COM'])
})

test('the second click of a double click presses nothing, however late it comes', async () => {
  await userEvent.fill(input(), 'ada@example.com')
  await act(async () => fireEvent.click(button(), { detail: 2 }))
  expect(app.subscriptions.sent).toEqual([])
})

test('the button shows that it is busy while a call is pending', async () => {
  await send()
  expectBusy(true)
  expect(getComputedStyle(button(), '::after').animationName).not.toBe('none')
  await app.subscriptions.answer('declined')
  expectBusy(false)
})

test('a wait of a second is announced', async () => {
  const heard = listen()
  await send()
  app.pass(999)
  expect(heard()).toEqual([])
  app.pass(1)
  expect(heard()).toEqual([TEXT.sending])
})

test.each([
  ['failed', 'failed'],
  ['declined', null],
  ['subscribed', 'subscribed'],
  ['already-subscribed', 'alreadySubscribed'],
] as const)('the answer %s is told by its notification, or by none', async (answer, text) => {
  await send()
  await app.subscriptions.answer(answer)
  const shown = notification.all().map(({ innerText }) => innerText.replace(/\s+/g, ' ').trim())
  expect(shown).toEqual(text ? [`${NOTIFICATION_TEXT[text].summary} ${NOTIFICATION_TEXT[text].detail}`] : [])
})

test('an address that the backend has not taken stays, and can be sent again', async () => {
  await send('ada@example.com')
  await app.subscriptions.answer('failed')
  await userEvent.click(button())
  expect(app.subscriptions.sent).toEqual(['ada@example.com', 'ada@example.com'])
})

test('an address that the backend has taken leaves an empty field', async () => {
  await subscribe()
  expect(input()).toHaveValue('')
})

test('text that is typed during a call stays', async () => {
  await send()
  await userEvent.fill(input(), 'grace@example.com')
  await app.subscriptions.answer('subscribed')
  expect(input()).toHaveValue('grace@example.com')
})

test('a call that starts removes the outcome of an earlier attempt', async () => {
  await send()
  await app.subscriptions.answer('failed')
  await userEvent.click(button())
  expect(notification.all()).toEqual([])
  expect(form().queryByText(NOTIFICATION_TEXT.failed.detail)).toBeNull()
})

test('the sentence of an outcome stands at the form until the field is edited', async () => {
  await subscribe()
  const sentence = NOTIFICATION_TEXT.subscribed.detail
  expect(form().getByText(sentence)).toBeVisible()
  await userEvent.type(input(), 'x')
  expect(form().queryByText(sentence)).toBeNull()
})

test.each([
  ['plain', 'invalidEmail', '. '],
  ['ada@example.com', 'failed', ' '],
] as const)('the outcome of %s is announced once, as two sentences', async (typed, text, between) => {
  const heard = listen()
  await send(typed)
  await app.subscriptions.answer('failed')
  expect(heard()).toEqual([NOTIFICATION_TEXT[text].summary + between + NOTIFICATION_TEXT[text].detail])
})

test.each([
  ['Enter', () => userEvent.type(input(), '{Enter}')],
  ['a tap', () => userEvent.click(button())],
])('after thanks %s only leaves the focus in the emptied field', async (_, press) => {
  await subscribe()
  await press()
  expect(input()).toHaveFocus()
  expect(input()).toHaveAttribute('aria-invalid', 'false')
  expect(app.subscriptions.sent).toHaveLength(1)
})

test('after thanks the field is judged once it was edited', async () => {
  await subscribe()
  await userEvent.type(input(), 'x{Backspace}{Enter}')
  expect(input()).toHaveAccessibleDescription(VALIDATION_TEXT.noEmail)
})
