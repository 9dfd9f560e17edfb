import { act, fireEvent } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { listen } from '../support/page/listen.ts'
import { notification, subscription } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const { input, button, form, send } = subscription

let app: Awaited<ReturnType<typeof renderApp>>
beforeEach(async () => {
  app = await renderApp()
})

async function subscribe() {
  await send()
  await app.subscriptions.answer('subscribed')
}

test('the email input is labelled, and described by the use of the address', () => {
  expect(input()).toHaveAccessibleName(TEXT.email)
  expect(input()).toHaveAccessibleDescription(TEXT.emailUse)
})

// Otherwise Firefox announces them as invalid while a required field is empty.
test('no field and no form is marked as invalid before its first use', () => {
  for (const untouched of [input(), ...document.forms]) expect(untouched).toHaveAttribute('aria-invalid', 'false')
})

test('an invalid address is not sent, and its field gets the error and the focus', async () => {
  await send('plain')
  expect(input()).toHaveFocus()
  expect(input()).toHaveAttribute('aria-invalid', 'true')
  expect(app.subscriptions.sent).toEqual([])
})

test('a double Enter and further clicks send an address once', async () => {
  await userEvent.click(input())
  await userEvent.keyboard('Ada+News@Mail.Example.COM{Enter}{Enter}')
  await userEvent.click(button(), { force: true })
  expect(app.subscriptions.sent).toEqual(['Ada+News@Mail.Example.COM'])
})

// In a field of type email, Chromium would make a valid address of it: ada@example.xn--com-9o0a.
test('an address is mended as it was typed', async () => {
  await send('ada@example.com”')
  expect(app.subscriptions.sent).toEqual(['ada@example.com'])
})

test('the second click of a double click has no effect, however late it comes', async () => {
  await userEvent.fill(input(), 'ada@example.com')
  await act(async () => fireEvent.click(button(), { detail: 2 }))
  expect(app.subscriptions.sent).toEqual([])
})

test('a call that takes a second is announced', async () => {
  const announcements = listen()
  await send()
  app.pass(999)
  expect(announcements()).toEqual([])
  app.pass(1)
  expect(announcements()).toEqual([TEXT.sending])
})

test('text that is typed during a call stays', async () => {
  await send()
  await userEvent.fill(input(), 'grace@example.com')
  await app.subscriptions.answer('subscribed')
  expect(input()).toHaveValue('grace@example.com')
})

test.each([
  ['subscribed', 'subscribed', true],
  ['already-subscribed', 'alreadySubscribed', true],
  ['failed', 'failed', false],
] as const)('the answer %s stands at the form until the field is edited', async (answer, text, withAddress) => {
  await send('ada@example.com')
  await app.subscriptions.answer(answer)
  const { detail } = NOTIFICATION_TEXT[text]
  expect(form().getByText(detail)).toBeVisible()
  expect(form().queryAllByText('ada@example.com')).toHaveLength(withAddress ? 1 : 0)
  await userEvent.type(input(), 'x')
  expect(form().queryByText(detail)).toBeNull()
  expect(notification.all()).toEqual([])
})

test('the use of the address stays for assistive technology while an outcome stands at its place', async () => {
  await subscribe()
  expect(input()).toHaveAccessibleDescription(TEXT.emailUse)
  expect(getComputedStyle(form().getByText(TEXT.emailUse)).opacity).toBe('0')
})

// The notification has announced the error. Screen readers would read a description that comes meanwhile.
test('after an error the field has no description until it is left', async () => {
  await send('plain')
  expect(input()).toHaveAccessibleDescription('')
  await userEvent.tab()
  expect(input()).toHaveAccessibleDescription(VALIDATION_TEXT.invalidEmail)
})

test('a corrected field is described by the use of the address once it is left', async () => {
  await send('plain')
  await userEvent.tab()
  await userEvent.type(input(), 'x')
  expect(input()).toHaveAccessibleDescription('')
  await userEvent.tab()
  expect(input()).toHaveAccessibleDescription(TEXT.emailUse)
})

test.each([
  ['plain', 'invalidEmail', '. '],
  ['ada@example.com', 'failed', ' '],
] as const)('the outcome for %s is announced once, as two sentences', async (typed, text, separator) => {
  const announcements = listen()
  await send(typed)
  await app.subscriptions.answer('failed')
  expect(announcements()).toEqual([NOTIFICATION_TEXT[text].summary + separator + NOTIFICATION_TEXT[text].detail])
})

test('after a success a press only moves the focus to the empty field', async () => {
  await subscribe()
  await userEvent.click(button())
  expect(input()).toHaveFocus()
  expect(input()).toHaveAttribute('aria-invalid', 'false')
  expect(app.subscriptions.sent).toHaveLength(1)
})
