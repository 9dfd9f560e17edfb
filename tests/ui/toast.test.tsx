import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { DEFAULT_LIFE_MS, type Notification, type Severity } from '../../src/domain/notification.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { renderApp } from '../support/page/render-app.tsx'
import { progressBar, progressBars, toast, toasts } from '../support/page/toasts.ts'

const input = () => screen.getByPlaceholderText(TEXT.emailPlaceholder)
const close = () => within(toast()).getByRole('button', { name: TEXT.close })
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

describe('a toast', () => {
  stopAnimations()

  test('of a success has a progress bar and no Close button, and goes when its life ends', async () => {
    const { pass } = await renderWith(NOTIFICATIONS.subscribed)
    expect(within(toast()).queryByRole('button')).toBeNull()
    expect(progressBar().playState).toBe('running')
    expect(progressBar().effect?.getTiming()).toMatchObject({ iterations: 1, delay: 0, easing: 'linear' })
    pass(DEFAULT_LIFE_MS)
    expect(toasts()).toEqual([])
  })

  test('of anything else has a Close button, and no bar', async () => {
    const { show } = await renderWith(NOTIFICATIONS.failed)
    for (const outcome of ['already-subscribed', 'failed', 'invalid-email'] as const) {
      await show(NOTIFICATIONS[outcome])
      expect(toast()).toMatchTextContent(NOTIFICATIONS[outcome].summary)
      expect(close()).toBeVisible()
      const moving = toast().getAnimations({ subtree: true })
      expect(moving.filter((one) => one instanceof CSSAnimation)).toEqual([])
    }
  })

  test('is held by the pointer, and its bar starts again with it', async () => {
    const { pass } = await renderWith(NOTIFICATIONS.subscribed)
    progressBar().currentTime = 2500
    await userEvent.hover(toast())
    expect(progressBars()).toEqual([])
    pass(DAY)
    expect(toasts()).toHaveLength(1)
    await userEvent.unhover(toast())
    expect(progressBar().playState).toBe('running')
    expect(progressBar().currentTime).toBe(0)
    pass(DEFAULT_LIFE_MS)
    expect(toasts()).toEqual([])
  })

  test('is held by keyboard focus inside, and by both until both let go', async () => {
    const { pass } = await renderWith(NOTIFICATIONS['invalid-email'])
    screen.getByRole('button', { name: TEXT.contactUs }).focus()
    await userEvent.tab()
    expect(close()).toHaveFocus()
    await userEvent.hover(toast())
    await userEvent.unhover(toast())
    pass(DAY)
    expect(toasts()).toHaveLength(1)
    await userEvent.tab({ shift: true })
    pass(DEFAULT_LIFE_MS)
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

  test('of the same text again is another one with a fresh bar, never a second', async () => {
    const { show } = await renderWith(NOTIFICATIONS.subscribed)
    const first = toast()
    progressBar().currentTime = 2500
    await show(NOTIFICATIONS.subscribed)
    expect(toast()).not.toBe(first)
    expect(progressBar().currentTime).toBe(0)
  })
})

describe('closing a toast', () => {
  test.each(['click', '{Enter}', ' '])("by '%s' returns the focus to the email input", async (way) => {
    const { subscriptions } = await renderWith(NOTIFICATIONS.failed)
    screen.getByRole('button', { name: TEXT.contactUs }).focus()
    await userEvent.tab()
    if (way === 'click') await userEvent.click(close())
    else await userEvent.keyboard(way)
    expect(toasts()).toEqual([])
    expect(input()).toHaveFocus()
    expect(subscriptions.sent).toEqual([])
  })

  test('by a click that leaves the focus where it was, as in Safari, returns it all the same', async () => {
    await renderWith(NOTIFICATIONS.failed)
    screen.getByRole('button', { name: TEXT.contactUs }).focus()
    await act(async () => close().click())
    expect(input()).toHaveFocus()
  })

  test('that runs out by itself moves no focus', async () => {
    const { pass } = await renderWith(NOTIFICATIONS.subscribed)
    screen.getByRole('button', { name: TEXT.contactUs }).focus()
    pass(3000)
    expect(screen.getByRole('button', { name: TEXT.contactUs })).toHaveFocus()
  })

  test('that is replaced while the focus is in it returns the focus to the email input', async () => {
    const { show } = await renderWith(NOTIFICATIONS.failed)
    screen.getByRole('button', { name: TEXT.contactUs }).focus()
    await userEvent.tab()
    expect(close()).toHaveFocus()
    await show(NOTIFICATIONS.subscribed)
    expect(input()).toHaveFocus()
  })
})

test('a toast is announced by its severity, from a region beside the page', async () => {
  const { show } = await renderWith(NOTIFICATIONS.failed)
  const REGIONS = { success: 'status', info: 'status', warn: 'status', error: 'alert' } as const
  for (const [severity, role] of Object.entries(REGIONS)) {
    await show({ ...NOTIFICATIONS.failed, severity: severity as Severity })
    const region = screen.getByRole(role)
    expect(region.parentElement?.parentElement).toBe(document.body)
    expect(region).toHaveAttribute('aria-live', role === 'alert' ? 'assertive' : 'polite')
    expect(within(region).getByText(NOTIFICATION_TEXT.failed.summary)).toBeVisible()
  }
})
