import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { standstill } from '../../scripts/page-states.ts'
import type { Notification, Severity } from '../../src/domain/notification.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { renderApp } from '../support/render-app.tsx'
import { progressBar, progressBars, toast, toasts } from '../support/toasts.ts'

const input = () => screen.getByPlaceholderText('Enter your email')
const close = () => within(toast()).getByRole('button', { name: 'Close' })
const DAY = 24 * 60 * 60 * 1000

async function renderWith(notification: Notification, size?: { width: number; height: number }) {
  const app = await renderApp(size)
  const show = (next: Notification) => act(async () => app.notifications.show(next))
  await show(notification)
  return { ...app, show }
}

/** Animations stand at their start, so that no bar runs out while a busy machine is slow. */
function stopAnimations() {
  const setRate = (playbackRate: number) => cdp().send('Animation.setPlaybackRate', { playbackRate })
  beforeEach(() => setRate(0))
  afterEach(() => setRate(1))
}

describe('the life of a toast', () => {
  stopAnimations()

  test('a success is shown for 3000 ms to the millisecond', async () => {
    const { pass } = await renderWith(NOTIFICATIONS.subscribed)
    pass(2999)
    expect(toasts()).toHaveLength(1)
    pass(1)
    expect(toasts()).toEqual([])
  })

  test("'Invalid email' is shown for 3000 ms to the millisecond", async () => {
    const { pass } = await renderWith(NOTIFICATIONS['invalid-email'])
    pass(2999)
    expect(toasts()).toHaveLength(1)
    pass(1)
    expect(toasts()).toEqual([])
  })

  test.each(['already-subscribed', 'failed'] as const)("'%s' stays until it is closed", async (outcome) => {
    const { pass, timers } = await renderWith(NOTIFICATIONS[outcome])
    expect(timers.pending()).toBe(0)
    pass(DAY)
    await userEvent.click(close())
    expect(toasts()).toEqual([])
  })

  test('a success has no Close button', async () => {
    await renderWith(NOTIFICATIONS.subscribed)
    expect(within(toast()).queryByRole('button')).toBeNull()
  })

  test.each(['already-subscribed', 'failed', 'invalid-email'] as const)("'%s' has one", async (outcome) => {
    await renderWith(NOTIFICATIONS[outcome])
    expect(close()).toBeVisible()
  })

  test('a success has a progress bar that runs out with it', async () => {
    await renderWith(NOTIFICATIONS.subscribed)
    expect(progressBar().playState).toBe('running')
    expect(progressBar().effect?.getTiming()).toMatchObject({ iterations: 1, delay: 0, easing: 'linear' })
  })

  test.each(['already-subscribed', 'failed', 'invalid-email'] as const)("'%s' has none", async (outcome) => {
    await renderWith(NOTIFICATIONS[outcome])
    expect(
      toast()
        .getAnimations({ subtree: true })
        .filter((one) => one instanceof CSSAnimation),
    ).toEqual([])
  })
})

describe('holding a toast', () => {
  stopAnimations()

  test('hovering stops the timer, and leaving starts it again at its full life', async () => {
    const { pass } = await renderWith(NOTIFICATIONS.subscribed)
    pass(2999)
    await userEvent.hover(toast())
    pass(DAY)
    expect(toasts()).toHaveLength(1)
    await userEvent.unhover(toast())
    pass(2999)
    expect(toasts()).toHaveLength(1)
    pass(1)
    expect(toasts()).toEqual([])
  })

  test('the progress bar starts again with the timer', async () => {
    await renderWith(NOTIFICATIONS.subscribed)
    progressBar().currentTime = 2500
    await userEvent.hover(toast())
    expect(progressBars()).toEqual([])
    await userEvent.unhover(toast())
    expect(progressBar().playState).toBe('running')
    expect(progressBar().currentTime).toBe(0)
  })

  test('keyboard focus inside stops the timer as hovering does', async () => {
    const { pass } = await renderWith(NOTIFICATIONS['invalid-email'])
    screen.getByRole('button', { name: 'Contact us' }).focus()
    pass(2999)
    await userEvent.tab()
    expect(close()).toHaveFocus()
    pass(DAY)
    await userEvent.tab({ shift: true })
    pass(2999)
    expect(toasts()).toHaveLength(1)
    pass(1)
    expect(toasts()).toEqual([])
  })

  test('a toast that is both hovered and focused waits for both to end', async () => {
    const { pass } = await renderWith(NOTIFICATIONS['invalid-email'])
    screen.getByRole('button', { name: 'Contact us' }).focus()
    await userEvent.tab()
    await userEvent.hover(toast())
    await userEvent.unhover(toast())
    pass(DAY)
    expect(close()).toHaveFocus()
    await userEvent.hover(toast())
    await userEvent.tab({ shift: true })
    pass(DAY)
    expect(toasts()).toHaveLength(1)
    await userEvent.unhover(toast())
    pass(2999)
    expect(toasts()).toHaveLength(1)
    pass(1)
    expect(toasts()).toEqual([])
  })

  test('a toast that replaces the hovered one under the pointer is held as well', async () => {
    const { show, pass } = await renderWith(NOTIFICATIONS.failed)
    await userEvent.hover(toast())
    await show(NOTIFICATIONS.subscribed)
    await expect.poll(() => progressBars()).toEqual([])
    pass(DAY)
    expect(toasts()).toHaveLength(1)
    await userEvent.unhover(toast())
    pass(3000)
    expect(toasts()).toEqual([])
  })
})

describe('one slot', () => {
  stopAnimations()

  test('a new notification clears the previous one', async () => {
    const { show } = await renderWith(NOTIFICATIONS.failed)
    await show(NOTIFICATIONS['already-subscribed'])
    expect(toast()).toMatchTextContent('Hello again!')
    expect(toast()).not.toMatchTextContent('Oops!')
  })

  test('the same text again is another toast with a fresh timer and bar, never a second one', async () => {
    const { show, pass } = await renderWith(NOTIFICATIONS.subscribed)
    const first = toast()
    progressBar().currentTime = 2500
    pass(2000)
    await show(NOTIFICATIONS.subscribed)
    expect(toast()).not.toBe(first)
    expect(progressBar().currentTime).toBe(0)
    pass(2999)
    expect(toasts()).toHaveLength(1)
    pass(1)
    expect(toasts()).toEqual([])
  })

  test('the timer of the previous one does not end a sticky one', async () => {
    const { show, pass } = await renderWith(NOTIFICATIONS.subscribed)
    await show(NOTIFICATIONS.failed)
    pass(DAY)
    expect(toast()).toMatchTextContent('Oops!')
  })
})

describe('closing a toast', () => {
  test('by a click returns the focus to the email input', async () => {
    await renderWith(NOTIFICATIONS.failed)
    await userEvent.click(close())
    expect(toasts()).toEqual([])
    expect(input()).toHaveFocus()
  })

  test.each(['{Enter}', ' '])("by '%s' returns the focus to the email input", async (key) => {
    const { subscriptions } = await renderWith(NOTIFICATIONS.failed)
    screen.getByRole('button', { name: 'Contact us' }).focus()
    await userEvent.tab()
    await userEvent.keyboard(key)
    expect(toasts()).toEqual([])
    expect(input()).toHaveFocus()
    expect(subscriptions.sent).toEqual([])
  })

  test('by a click that leaves the focus where it was, as in Safari, returns it all the same', async () => {
    await renderWith(NOTIFICATIONS.failed)
    screen.getByRole('button', { name: 'Contact us' }).focus()
    await act(async () => close().click())
    expect(input()).toHaveFocus()
  })

  test('leaves no timer behind', async () => {
    const { timers } = await renderWith(NOTIFICATIONS['invalid-email'])
    await userEvent.click(close())
    expect(timers.pending()).toBe(0)
  })

  test('that runs out by itself moves no focus', async () => {
    const { pass } = await renderWith(NOTIFICATIONS.subscribed)
    screen.getByRole('button', { name: 'Contact us' }).focus()
    pass(3000)
    expect(screen.getByRole('button', { name: 'Contact us' })).toHaveFocus()
  })

  test('that is replaced while the focus is in it returns the focus to the email input', async () => {
    const { show } = await renderWith(NOTIFICATIONS.failed)
    screen.getByRole('button', { name: 'Contact us' }).focus()
    await userEvent.tab()
    expect(close()).toHaveFocus()
    await show(NOTIFICATIONS.subscribed)
    expect(input()).toHaveFocus()
  })
})

describe('announcing', () => {
  const REGIONS: Record<Severity, 'status' | 'alert'> = {
    success: 'status',
    info: 'status',
    warn: 'status',
    error: 'alert',
  }

  test.each(Object.entries(REGIONS))("a toast of severity '%s' is announced as %s", async (severity, role) => {
    await renderWith({ ...NOTIFICATIONS.failed, severity: severity as Severity })
    const region = screen.getByRole(role)
    expect(region.parentElement?.parentElement).toBe(document.body)
    expect(region).toHaveAttribute('aria-live', role === 'alert' ? 'assertive' : 'polite')
    expect(within(region).getByText('Oops!')).toBeVisible()
  })
})

describe('where a toast stands', () => {
  async function box(width: number) {
    await renderWith(NOTIFICATIONS.failed, { width, height: 700 })
    await standstill()
    const { top, left, right } = toast().getBoundingClientRect()
    return { top, left, right }
  }

  test('25rem wide, 20 px from the top and the right', async () => {
    expect(await box(1280)).toEqual({ top: 20, left: 1280 - 20 - 400, right: 1260 })
  })

  test('on the smallest screen that has room for it, at 25rem', async () => {
    expect(await box(440)).toEqual({ top: 20, left: 20, right: 420 })
  })

  test('on a smaller screen, as wide as that less 20 px on each side', async () => {
    expect(await box(320)).toEqual({ top: 20, left: 20, right: 300 })
  })

  test('at the top right of the screen when the page is scrolled', async () => {
    await renderWith(NOTIFICATIONS.failed, { width: 320, height: 200 })
    await standstill()
    window.scrollTo(0, 100)
    expect(toast().getBoundingClientRect()).toMatchObject({ top: 20, left: 20 })
  })

  test('by rem, so that it grows with the text size of the visitor', async () => {
    document.documentElement.style.fontSize = '20px'
    try {
      expect(await box(1280)).toEqual({ top: 20, left: 1280 - 20 - 500, right: 1260 })
    } finally {
      document.documentElement.style.fontSize = ''
      await page.viewport(1280, 800)
    }
  })
})
