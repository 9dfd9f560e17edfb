import { act, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { renderApp } from '../support/page/render-app.tsx'
import { toast } from '../support/page/toasts.ts'

const input = () => screen.getByPlaceholderText<HTMLInputElement>(TEXT.emailPlaceholder)
const button = () => screen.getByRole('button', { name: TEXT.subscribe })

async function subscribeWith(typed: string) {
  await userEvent.fill(input(), typed)
  await userEvent.click(button())
}

const ready = () => {
  expect(button()).toHaveAttribute('aria-busy', 'false')
  expect(button()).toHaveAttribute('aria-disabled', 'false')
}

function expectToast(summary: string, detail: string) {
  expect(within(toast()).getByText(summary)).toBeVisible()
  expect(within(toast()).getByText(detail)).toBeVisible()
}

const THANKS = [NOTIFICATION_TEXT.subscribed.summary, NOTIFICATION_TEXT.subscribed.detail] as const
const OOPS = [NOTIFICATION_TEXT.failed.summary, NOTIFICATION_TEXT.failed.detail] as const
const INVALID = [NOTIFICATION_TEXT.invalidEmail.summary, NOTIFICATION_TEXT.invalidEmail.detail] as const

describe('an address', () => {
  test('is sent by Enter, without the white space around it, and otherwise as typed; new, it is thanked for', async () => {
    const { subscriptions } = await renderApp()
    await userEvent.click(input())
    await userEvent.keyboard('  Ada+News@Mail.Example.COM {Enter}')
    expect(subscriptions.sent).toEqual(['Ada+News@Mail.Example.COM'])
    await subscriptions.answer('subscribed')
    expectToast(...THANKS)
    expect(input()).toHaveValue('')
    ready()
  })

  test('is sent by a click, and when known it is greeted again', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    expect(subscriptions.sent).toEqual(['ada@example.com'])
    await subscriptions.answer('already-subscribed')
    expectToast(NOTIFICATION_TEXT.alreadySubscribed.summary, NOTIFICATION_TEXT.alreadySubscribed.detail)
    expect(input()).toHaveValue('')
  })

  test('whose call fails stays, and can be sent again; declined, it changes nothing, and an open toast stays', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await subscriptions.answer('failed')
    expectToast(...OOPS)
    const before = toast()
    ready()
    await userEvent.click(button())
    expect(subscriptions.sent).toEqual(['ada@example.com', 'ada@example.com'])
    expect(toast()).toBe(before)
    await subscriptions.answer('declined')
    expect(toast()).toBe(before)
    expect(input()).toHaveValue('ada@example.com')
    ready()
  })
})

test.each(['', 'plain'])(
  "'%s' is refused, marked until it changes, and refused again with a fresh toast",
  async (typed) => {
    const { subscriptions } = await renderApp()
    await subscribeWith(typed)
    expectToast(...INVALID)
    expect(input()).toHaveValue(typed)
    expect(input()).toHaveFocus()
    expect(input()).toHaveAttribute('aria-invalid', 'true')
    ready()
    const first = toast()
    await userEvent.click(button())
    expectToast(...INVALID)
    expect(toast()).not.toBe(first)
    await userEvent.keyboard('x')
    expect(input()).toHaveAttribute('aria-invalid', 'false')
    expect(subscriptions.sent).toEqual([])
  },
)

describe('while a call is in flight', () => {
  test('the button shows that it is busy and keeps the focus; neither click nor Enter sends another', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    expect(button()).toHaveAttribute('aria-busy', 'true')
    expect(button()).toHaveAttribute('aria-disabled', 'true')
    expect(button()).toHaveFocus()
    expect(getComputedStyle(button(), '::after').animationName).not.toBe('none')
    await userEvent.click(button(), { force: true })
    await userEvent.keyboard('{Enter}')
    input().form?.requestSubmit()
    expect(subscriptions.sent).toHaveLength(1)
    await subscriptions.answer('subscribed')
    ready()
    expect(button()).toHaveFocus()
  })

  test('two submits in one breath send one call', async () => {
    const { subscriptions } = await renderApp()
    await userEvent.fill(input(), 'ada@example.com')
    await act(async () => {
      input().form?.requestSubmit()
      input().form?.requestSubmit()
    })
    expect(subscriptions.sent).toHaveLength(1)
  })

  test('text that is edited meanwhile outlives the answer', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await userEvent.fill(input(), 'grace@example.com')
    await subscriptions.answer('subscribed')
    expect(input()).toHaveValue('grace@example.com')
  })
})
