import { act, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { renderApp } from '../support/render-app.tsx'
import { toast, toasts } from '../support/toasts.ts'

const input = () => screen.getByPlaceholderText<HTMLInputElement>('Enter your email')
const button = () => screen.getByRole('button', { name: 'Subscribe' })

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

describe('an address', () => {
  test('is sent by a click', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    expect(subscriptions.sent).toEqual(['ada@example.com'])
  })

  test('is sent by Enter', async () => {
    const { subscriptions } = await renderApp()
    await userEvent.click(input())
    await userEvent.keyboard('ada@example.com{Enter}')
    expect(subscriptions.sent).toEqual(['ada@example.com'])
  })

  test('is sent without the white space around it, and otherwise as typed', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('  Ada+News@Mail.Example.COM ')
    expect(subscriptions.sent).toEqual(['Ada+News@Mail.Example.COM'])
  })

  test('that is new is thanked for, and the input is cleared', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await subscriptions.answer('subscribed')
    expectToast('Thank you!', "We'll keep you posted on upcoming features.")
    expect(input()).toHaveValue('')
    ready()
  })

  test('that is known is greeted again, and the input is cleared', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await subscriptions.answer('already-subscribed')
    expectToast('Hello again!', "You have already registered your interest. We'll keep you posted by email.")
    expect(input()).toHaveValue('')
    ready()
  })

  test('whose call fails stays in the input, and the failure is told', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await subscriptions.answer('failed')
    expectToast('Oops!', 'Looks like something went wrong. Please try again!')
    expect(input()).toHaveValue('ada@example.com')
    ready()
  })

  test('can be sent again after a failure', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await subscriptions.answer('failed')
    await userEvent.click(button())
    expect(subscriptions.sent).toEqual(['ada@example.com', 'ada@example.com'])
  })

  test('that is declined changes nothing: no toast comes, and the text stays', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await subscriptions.answer('declined')
    expect(toasts()).toEqual([])
    expect(input()).toHaveValue('ada@example.com')
    ready()
  })

  test('that is declined leaves an open toast as it is', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await subscriptions.answer('failed')
    const before = toast()
    await userEvent.click(button())
    await subscriptions.answer('declined')
    expect(toast()).toBe(before)
    expect(input()).toHaveValue('ada@example.com')
    ready()
  })
})

describe('what is no address', () => {
  test.each(['', '   ', 'plain', 'a@', '@b.co', 'a b@c.de', 'a@b', 'a@@b.co', 'a@b..co', `${'a'.repeat(65)}@b.co`])(
    "'%s' is refused and not sent",
    async (typed) => {
      const { subscriptions } = await renderApp()
      await subscribeWith(typed)
      expectToast('Invalid email', "Looks like you've entered an invalid email. Please enter a valid one.")
      expect(subscriptions.sent).toEqual([])
      expect(input()).toHaveValue(typed.trim())
      expect(input()).toHaveFocus()
      ready()
    },
  )

  test('is marked as invalid until the input changes', async () => {
    await renderApp()
    await subscribeWith('plain')
    expect(input()).toHaveAttribute('aria-invalid', 'true')
    await userEvent.keyboard('x')
    expect(input()).toHaveAttribute('aria-invalid', 'false')
  })

  test('is refused again with a fresh toast', async () => {
    await renderApp()
    await subscribeWith('plain')
    const first = toast()
    await userEvent.click(button())
    expectToast('Invalid email', "Looks like you've entered an invalid email. Please enter a valid one.")
    expect(toast()).not.toBe(first)
  })
})

describe('while a call is in flight', () => {
  test('the button shows that it is busy and keeps the focus', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    expect(button()).toHaveAttribute('aria-busy', 'true')
    expect(button()).toHaveAttribute('aria-disabled', 'true')
    expect(button()).toHaveFocus()
    expect(getComputedStyle(button(), '::after').animationName).not.toBe('none')
    await subscriptions.answer('subscribed')
    ready()
    expect(button()).toHaveFocus()
  })

  test('a second click sends nothing', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await userEvent.click(button(), { force: true })
    expect(subscriptions.sent).toHaveLength(1)
  })

  test('a second Enter sends nothing', async () => {
    const { subscriptions } = await renderApp()
    await userEvent.fill(input(), 'ada@example.com')
    await userEvent.click(input())
    await userEvent.keyboard('{Enter}{Enter}')
    expect(subscriptions.sent).toHaveLength(1)
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

  test('an open toast stays', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await subscriptions.answer('failed')
    const before = toast()
    await userEvent.click(button())
    expect(toast()).toBe(before)
  })

  test.each(['subscribed', 'already-subscribed', 'declined', 'failed'] as const)(
    "text that is edited meanwhile outlives the answer '%s'",
    async (answer) => {
      const { subscriptions } = await renderApp()
      await subscribeWith('ada@example.com')
      await userEvent.fill(input(), 'grace@example.com')
      await subscriptions.answer(answer)
      expect(input()).toHaveValue('grace@example.com')
    },
  )

  test('the dialog can be opened, and the answer is told above it', async () => {
    const { subscriptions } = await renderApp()
    await subscribeWith('ada@example.com')
    await userEvent.click(screen.getByRole('button', { name: 'Contact us' }))
    const dialog = await screen.findByRole('dialog')
    await expect.poll(() => dialog.contains(document.activeElement)).toBe(true)
    await subscriptions.answer('subscribed')
    expectToast('Thank you!', "We'll keep you posted on upcoming features.")
    expect(dialog).toContainElement(document.activeElement as HTMLElement)
    expect(screen.getByRole('dialog')).toBe(dialog)
  })
})
