import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { listen } from '../support/page/listen.ts'
import { places, shownNotification, shownNotifications } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const input = () => screen.getByPlaceholderText<HTMLInputElement>(TEXT.emailPlaceholder)
const button = () => screen.getByRole('button', { name: TEXT.subscribe })

async function subscribeWith(typed: string) {
  await userEvent.fill(input(), typed)
  await userEvent.click(button())
}

const expectBusy = (busy: boolean) => {
  expect(button()).toHaveAttribute('aria-busy', `${busy}`)
  expect(button()).toHaveAttribute('aria-disabled', `${busy}`)
}

const expectNotification = (text: keyof typeof NOTIFICATION_TEXT) => {
  expect(shownNotification()).toBeVisible()
  const { summary, detail } = NOTIFICATION_TEXT[text]
  // Two sentences, also where a summary has no sign at its end.
  expect(shownNotification()).toHaveTextContent(`${summary}${summary.endsWith('!') ? '' : '.'} ${detail}`)
}

test('the page has its heading, an email input and two buttons, and starts with nothing open or sent; a low screen shows the middle of its picture, any other the top', async () => {
  const { subscriptions, enquiries } = await renderApp()
  expect(screen.getByRole('heading', { level: 1, name: TEXT.heading })).toBeVisible()
  expect(screen.getByRole('textbox', { name: TEXT.email })).toBe(input())
  for (const [name, value] of Object.entries({ maxlength: '254', enterkeyhint: 'send', dir: 'auto' }))
    expect(input()).toHaveAttribute(name, value)
  for (const name of ['type', 'name', 'autocomplete', 'inputmode']) expect(input()).toHaveAttribute(name, 'email')
  // Otherwise Firefox calls a form invalid while a required field is empty.
  for (const untouched of [input(), ...document.forms]) expect(untouched).toHaveAttribute('aria-invalid', 'false')
  expect(input()).toHaveAccessibleDescription(TEXT.emailUse)
  for (const name of [TEXT.subscribe, TEXT.contactUs]) expect(screen.getByRole('button', { name })).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(shownNotifications()).toEqual([])
  expect([...subscriptions.sent, ...enquiries.sent]).toEqual([])
  const picture = () => getComputedStyle(screen.getByRole('main'), '::before').backgroundPosition.split(' ')[1]
  expect(picture()).toBe('0px')
  await page.viewport(844, 390)
  expect(picture()).toBe('50%')
})

test('an address whose call fails stays, and can be sent again', async () => {
  const { subscriptions } = await renderApp()
  await subscribeWith('ada@example.com')
  await subscriptions.answer('failed')
  expectNotification('failed')
  expect(input()).toHaveValue('ada@example.com')
  expectBusy(false)
  await userEvent.click(button())
  expect(subscriptions.sent).toEqual(['ada@example.com', 'ada@example.com'])
})

test('an attempt ends what is told of an earlier one, and a decline tells nothing', async () => {
  const { subscriptions } = await renderApp()
  await subscribeWith('ada@example.com')
  await subscriptions.answer('failed')
  await userEvent.click(button())
  expect(shownNotifications()).toEqual([])
  const form = within(document.forms.namedItem('subscribe') ?? document.body)
  expect(form.queryByText(NOTIFICATION_TEXT.failed.detail)).toBeNull()
  await subscriptions.answer('declined')
  expect(shownNotifications()).toEqual([])
  expect(input()).toHaveValue('ada@example.com')
  expectBusy(false)
})

test('what is no address is refused and marked until it changes, which moves nothing on a phone, and refused again with a fresh notification', async () => {
  const { subscriptions } = await renderApp()
  await page.viewport(390, 700)
  const parts = [screen.getByRole('heading'), input(), ...screen.getAllByRole('button')]
  const atRest = places(parts)
  const heard = listen()
  await subscribeWith('plain')
  expectNotification('invalidEmail')
  expect(places(parts)).toEqual(atRest)
  expect(input()).toHaveValue('plain')
  expect(input()).toHaveFocus()
  expect(input()).toHaveAttribute('aria-invalid', 'true')
  expect(input()).toHaveAccessibleDescription(VALIDATION_TEXT.invalidEmail)
  expect(screen.getByText(VALIDATION_TEXT.invalidEmail)).toBeVisible()
  expect(heard(), 'the notification alone says it').toEqual([shownNotification().innerText.replace(/\s+/g, ' ').trim()])
  expectBusy(false)
  const first = shownNotification()
  await userEvent.click(button())
  expectNotification('invalidEmail')
  expect(shownNotification()).not.toBe(first)
  expect(first.isConnected).toBe(false)
  await userEvent.keyboard('x')
  expect(input()).toHaveAttribute('aria-invalid', 'false')
  expect(input()).toHaveAccessibleDescription(TEXT.emailUse)
  expect(screen.queryByText(VALIDATION_TEXT.invalidEmail)).toBeNull()
  expect(places(parts)).toEqual(atRest)
  expect(subscriptions.sent).toEqual([])
})

test('an address is sent once by a double Enter; meanwhile the button is busy, keeps the focus, and sends nothing more; a wait of a second is told', async () => {
  const { subscriptions, pass } = await renderApp()
  const heard = listen()
  await userEvent.click(input())
  await userEvent.keyboard('Ada+News@Mail.Example.COM{Enter}{Enter}')
  expectBusy(true)
  expect(getComputedStyle(button(), '::after').animationName).not.toBe('none')
  await userEvent.click(button(), { force: true })
  expect(subscriptions.sent).toEqual(['Ada+News@Mail.Example.COM'])
  pass(999)
  expect(heard()).toEqual([])
  pass(1)
  expect(heard()).toEqual([TEXT.sending])
  await subscriptions.answer('already-subscribed')
  expectNotification('alreadySubscribed')
  expect(input()).toHaveValue('')
  expectBusy(false)
  expect(button()).toHaveFocus()
  // The second click of a double click, however late it comes.
  await act(async () => fireEvent.click(button(), { detail: 2 }))
  expectNotification('alreadySubscribed')
})

test('text that is edited while its address is sent outlives the answer, and a wait that is over is not told', async () => {
  const { subscriptions, pass } = await renderApp()
  await subscribeWith('ada@example.com')
  await userEvent.fill(input(), 'grace@example.com')
  await subscriptions.answer('subscribed')
  expectNotification('subscribed')
  expect(input()).toHaveValue('grace@example.com')
  const heard = listen()
  pass(1000)
  expect(heard()).toEqual([])
})

const subscribed = async () => {
  const app = await renderApp()
  await subscribeWith('ada@example.com')
  await app.subscriptions.answer('subscribed')
  return app
}

test.each([
  ['Enter', () => userEvent.type(input(), '{Enter}')],
  ['a tap', () => userEvent.click(button())],
])('after thanks %s finds the field empty, and only leaves the focus there', async (_, press) => {
  const { subscriptions } = await subscribed()
  await press()
  expectNotification('subscribed')
  expect(shownNotifications()).toHaveLength(1)
  expect(input()).toHaveFocus()
  expect(input()).toHaveAttribute('aria-invalid', 'false')
  expect(subscriptions.sent).toHaveLength(1)
})

test('after thanks an empty field is judged once somebody has edited it', async () => {
  await subscribed()
  await userEvent.type(input(), 'x{Backspace}{Enter}')
  expectNotification('invalidEmail')
  expect(input()).toHaveAccessibleDescription(VALIDATION_TEXT.noEmail)
})

test.each([
  ['subscribed', NOTIFICATION_TEXT.subscribed.detail],
  ['already-subscribed', NOTIFICATION_TEXT.alreadySubscribed.detail],
  ['failed', NOTIFICATION_TEXT.failed.detail],
] as const)('%s stands at the form too, until the field is edited, and is announced once', async (answer, sentence) => {
  const { subscriptions } = await renderApp()
  const heard = listen()
  await subscribeWith('ada@example.com')
  await subscriptions.answer(answer)
  const form = within(document.forms.namedItem('subscribe') ?? document.body)
  expect(form.getByText(sentence)).toBeVisible()
  expect(heard()).toHaveLength(1)
  await userEvent.type(input(), 'x')
  expect(form.queryByText(sentence)).toBeNull()
})

test('an address that a program made too long is told so at its field, with the number', async () => {
  const { subscriptions } = await renderApp()
  input().value = `ada@${'b'.repeat(60)}.${'c.'.repeat(100)}co`
  await userEvent.click(button())
  expect(screen.getByText(TEXT.charactersTooMany(input().value.length - 254))).toBeVisible()
  expect(subscriptions.sent).toEqual([])
})

test('a backend that throws has failed, and leaves nothing busy', async () => {
  const { subscriptions } = await renderApp()
  await subscribeWith('ada@example.com')
  await subscriptions.breakOff()
  expectNotification('failed')
  expectBusy(false)
})

test('an outcome stands at the form and on the page where an extension has taken the place of notifications', async () => {
  const { subscriptions } = await renderApp()
  document.getElementById('notifications')?.remove()
  await subscribeWith('ada@example.com')
  await subscriptions.answer('already-subscribed')
  expect(screen.getAllByText(NOTIFICATION_TEXT.alreadySubscribed.detail, { exact: false })).toHaveLength(2)
  await userEvent.click(screen.getByRole('button', { name: TEXT.contactUs }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeVisible()
  expect(screen.queryByText(TEXT.fault)).toBeNull()
})
