import { act, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { listen } from '../support/page/listen.ts'
import { renderApp } from '../support/page/render-app.tsx'
import { toast, toasts } from '../support/page/toasts.ts'

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

const expectToast = (text: keyof typeof NOTIFICATION_TEXT) => {
  expect(toast()).toBeVisible()
  expect(toast()).toHaveTextContent(`${NOTIFICATION_TEXT[text].summary} ${NOTIFICATION_TEXT[text].detail}`)
}

test('an address whose call fails stays, and can be sent again; declined, it changes nothing, and an open toast stays', async () => {
  const { subscriptions } = await renderApp()
  await subscribeWith('ada@example.com')
  await subscriptions.answer('failed')
  expectToast('failed')
  const before = toast()
  expectBusy(false)
  await userEvent.click(button())
  expect(subscriptions.sent).toEqual(['ada@example.com', 'ada@example.com'])
  expect(toast()).toBe(before)
  await subscriptions.answer('declined')
  expect(toast()).toBe(before)
  expect(input()).toHaveValue('ada@example.com')
  expectBusy(false)
})

test('what is no address is refused, marked until it changes, and refused again with a fresh toast', async () => {
  const { subscriptions } = await renderApp()
  expect(input()).toHaveAttribute('aria-invalid', 'false')
  await subscribeWith('plain')
  expectToast('invalidEmail')
  expect(input()).toHaveValue('plain')
  expect(input()).toHaveFocus()
  expect(input()).toHaveAttribute('aria-invalid', 'true')
  expect(input()).toHaveAccessibleDescription(VALIDATION_TEXT.invalidEmail)
  expect(screen.getByText(VALIDATION_TEXT.invalidEmail)).toBeVisible()
  expect(screen.getByText(VALIDATION_TEXT.invalidEmail).closest('[aria-live]'), 'the toast says it').toBeNull()
  expectBusy(false)
  const first = toast()
  await userEvent.click(button())
  expectToast('invalidEmail')
  expect(toast()).not.toBe(first)
  await userEvent.keyboard('x')
  expect(input()).toHaveAttribute('aria-invalid', 'false')
  expect(input()).not.toHaveAccessibleDescription()
  expect(screen.queryByText(VALIDATION_TEXT.invalidEmail)).toBeNull()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByText(VALIDATION_TEXT.invalidEmail)).toBeVisible()
  expect(input()).toHaveAccessibleDescription(VALIDATION_TEXT.invalidEmail)
  expect(subscriptions.sent).toEqual([])
})

test('an address is sent by Enter, trimmed; meanwhile the button is busy, keeps the focus, and sends nothing more', async () => {
  const { subscriptions } = await renderApp()
  await userEvent.click(input())
  await userEvent.keyboard('  Ada+News@Mail.Example.COM {Enter}')
  expectBusy(true)
  expect(getComputedStyle(button(), '::after').animationName).not.toBe('none')
  await userEvent.click(button(), { force: true })
  await userEvent.keyboard('{Enter}')
  input().form?.requestSubmit()
  expect(subscriptions.sent).toEqual(['Ada+News@Mail.Example.COM'])
  await subscriptions.answer('already-subscribed')
  expectToast('alreadySubscribed')
  expect(input()).toHaveValue('')
  expectBusy(false)
  expect(button()).toHaveFocus()

  await subscribeWith('ada@example.com')
  await userEvent.fill(input(), 'grace@example.com')
  await subscriptions.answer('subscribed')
  expectToast('subscribed')
  expect(input(), 'text that is edited meanwhile outlives the answer').toHaveValue('grace@example.com')
})

test('a wait of more than a second is announced, a shorter one is not', async () => {
  const { subscriptions, pass } = await renderApp()
  listen()
  await subscribeWith('ada@example.com')
  pass(999)
  await subscriptions.answer('declined')
  pass(1000)
  expect(window.heard()).toEqual([])
  await userEvent.click(button())
  pass(1000)
  expect(window.heard()).toEqual([TEXT.sending])
  await subscriptions.answer('declined')
  await userEvent.click(button())
  pass(1000)
  expect(window.heard()).toEqual([TEXT.sending])
})

describe('a page that was left, and comes back from the back/forward cache,', () => {
  const comeBack = () => act(async () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

  test('is not busy, and tells the outcome of what was sent if it still arrives', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await comeBack()
    expectBusy(false)
    await subscriptions.answer('subscribed')
    expectToast('subscribed')
    expect(input()).toHaveValue('')
    expect(subscriptions.sent).toHaveLength(1)
  })

  test('tells that of a newer press alone', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await comeBack()
    await subscribeWith('grace@example.com')
    await subscriptions.answer('subscribed')
    expect(toasts()).toEqual([])
    expect(input()).toHaveValue('grace@example.com')
    expectBusy(true)
    await subscriptions.answer('failed')
    expectToast('failed')
    expectBusy(false)
    expect(subscriptions.sent).toEqual(['ada@example.com', 'grace@example.com'])
  })
})
