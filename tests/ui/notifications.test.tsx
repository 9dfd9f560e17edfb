import { act, screen, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { DEFAULT_LIFE_MS, type Notification } from '../../src/domain/notification.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { TEXT } from '../../src/domain/texts.ts'
import {
  closeDialog,
  closeIcon,
  contactUs,
  emailInput,
  field,
  openDialog,
  shownNotification,
  shownNotifications,
  submitButton,
} from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const close = () => within(shownNotification()).getByRole('button', { name: TEXT.close })
/** The bar of the notification, as the animation that it is; undefined where there is none, or while it stands still. */
const progressBar = () =>
  [...shownNotification().children]
    .flatMap((part) => part.getAnimations())
    .find((animation) => animation instanceof CSSAnimation && animation.playState === 'running')
const DAY = 24 * 60 * 60 * 1000

async function renderWith(notification: Notification) {
  const app = await renderApp()
  await app.show(notification)
  return app
}

/** Animations stand where they are, so that nothing runs out while a busy machine is slow. */
async function stopAnimations() {
  await cdp().send('Animation.setPlaybackRate', { playbackRate: 0 })
  onTestFinished(async () => {
    await cdp().send('Animation.setPlaybackRate', { playbackRate: 1 })
  })
}

function setHidden(hidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
  return act(async () => document.dispatchEvent(new Event('visibilitychange')))
}

test.each<[string, hold: () => unknown, release: () => unknown]>([
  ['the pointer over it', () => userEvent.hover(shownNotification()), () => userEvent.unhover(shownNotification())],
  ['the focus in it', () => close().focus(), () => contactUs().focus()],
  ['a hidden page', () => setHidden(true), () => setHidden(false)],
])('%s holds a notification, whose life then starts again in full', async (_, hold, release) => {
  const { pass } = await renderWith(NOTIFICATIONS['invalid-email'])
  await hold()
  pass(DAY)
  await release()
  pass(DEFAULT_LIFE_MS - 1)
  expect(shownNotifications()).toHaveLength(1)
  pass(1)
  expect(shownNotifications()).toEqual([])
})

test('the bar of a notification runs out evenly, in its life', async () => {
  await renderWith({ ...NOTIFICATIONS.subscribed, life: 12_345 })
  expect(progressBar()?.effect?.getTiming()).toMatchObject({ duration: 12_345, iterations: 1, easing: 'linear' })
})

test('the bar stands still under the pointer, and starts again when it leaves', async () => {
  await stopAnimations()
  await renderWith(NOTIFICATIONS.subscribed)
  Object.assign(progressBar() ?? {}, { currentTime: 2000 })
  await userEvent.hover(shownNotification())
  expect(progressBar()).toBeUndefined()
  await userEvent.unhover(shownNotification())
  expect(progressBar()?.currentTime).toBe(0)
})

test.each([
  ['ltr', 'left'],
  ['rtl', 'right'],
] as const)('where text runs %s the bar of a notification runs out to the %s', async (direction, side) => {
  document.documentElement.dir = direction
  onTestFinished(() => document.documentElement.removeAttribute('dir'))
  await stopAnimations()
  await renderWith(NOTIFICATIONS.subscribed)
  const bar = progressBar()
  const { effect } = bar ?? {}
  const rect = () => (effect instanceof KeyframeEffect && effect.target?.getBoundingClientRect()) || new DOMRect()
  const full = rect()
  Object.assign(bar ?? {}, { currentTime: DEFAULT_LIFE_MS / 2 })
  expect(rect()[side]).toBeCloseTo(full[side])
  expect(rect().width).toBeCloseTo(full.width / 2)
})

test.each([
  ['subscribed', 'a bar', 1, 0],
  ['invalid-email', 'a Close button', 0, 1],
] as const)('a notification of %s has %s', async (outcome, _, bars, buttons) => {
  await renderWith(NOTIFICATIONS[outcome])
  expect([progressBar()].filter(Boolean)).toHaveLength(bars)
  expect(within(shownNotification()).queryAllByRole('button')).toHaveLength(buttons)
})

test('the Close button of a notification is described by its text', async () => {
  await renderWith(NOTIFICATIONS.failed)
  const { summary, detail } = NOTIFICATIONS.failed
  expect(close()).toHaveAccessibleDescription(`${summary} ${detail}`)
})

test.each([
  ['error', 'assertive'],
  ['warn', 'polite'],
] as const)('a notification with the severity %s is announced: %s', async (severity, live) => {
  await renderWith({ ...NOTIFICATIONS.failed, severity })
  expect(shownNotification().parentElement).toHaveAttribute('aria-live', live)
})

describe('closing a notification', () => {
  // As in Safari, where a click moves no focus.
  const press = () => act(async () => close().click())

  test('moves the focus to the email input', async () => {
    await renderWith(NOTIFICATIONS.failed)
    await press()
    expect(shownNotifications()).toEqual([])
    expect(emailInput()).toHaveFocus()
  })

  test('by a finger moves no focus, so that no keyboard opens', async () => {
    await renderWith(NOTIFICATIONS.failed)
    const tap = new PointerEvent('click', { bubbles: true, detail: 1, pointerType: 'touch' })
    await act(async () => close().dispatchEvent(tap))
    expect(shownNotifications()).toEqual([])
    expect(emailInput()).not.toHaveFocus()
  })

  test('makes it inert until it has gone', async () => {
    await renderWith(NOTIFICATIONS.failed)
    const going = shownNotification()
    await press()
    expect(going.inert).toBe(true)
    await expect.poll(() => going.isConnected).toBe(false)
  })

  test('by a key in the dialog moves the focus to the first field', async () => {
    await renderWith(NOTIFICATIONS.failed)
    await openDialog()
    close().focus()
    await userEvent.keyboard('{Enter}')
    expect(field('first')).toHaveFocus()
  })

  test('by mouse in the dialog takes the focus from no field', async () => {
    await renderWith(NOTIFICATIONS.failed)
    await openDialog()
    field('message').focus()
    await userEvent.dblClick(close())
    expect(shownNotifications()).toEqual([])
    expect(field('message')).toHaveFocus()
  })
})

test('a notification that is replaced gives its focus to the email input', async () => {
  const { show } = await renderWith(NOTIFICATIONS.failed)
  close().focus()
  await show(NOTIFICATIONS.failed)
  expect(emailInput()).toHaveFocus()
})

test('in the dialog a notification that is replaced gives its focus to the first field', async () => {
  const { show } = await renderWith(NOTIFICATIONS.failed)
  await openDialog()
  close().focus()
  await show(NOTIFICATIONS.failed)
  expect(field('first')).toHaveFocus()
})

describe('while the dialog is open', () => {
  test('a notification moves into it, and its bar runs on', async () => {
    await renderWith({ ...NOTIFICATIONS.subscribed, life: DAY })
    const shown = shownNotification()
    Object.assign(progressBar() ?? {}, { currentTime: DAY / 2 })
    const dialog = await openDialog()
    expect(dialog).toContainElement(shown)
    expect(progressBar()?.currentTime).toBeGreaterThanOrEqual(DAY / 2)
  })

  test('a press on a notification closes nothing', async () => {
    await renderWith(NOTIFICATIONS.failed)
    const dialog = await openDialog()
    await userEvent.click(screen.getByText(NOTIFICATIONS.failed.summary))
    expect(dialog).toBeVisible()
    expect(shownNotifications()).toHaveLength(1)
  })

  test('Tab reaches a notification before the title', async () => {
    await renderWith(NOTIFICATIONS.failed)
    await openDialog()
    closeIcon().focus()
    await userEvent.tab({ shift: true })
    expect(close()).toHaveFocus()
  })

  test('a notification that goes is no stop of Tab any more', async () => {
    await renderWith(NOTIFICATIONS.failed)
    const dialog = await openDialog()
    await stopAnimations()
    await userEvent.click(close())
    closeIcon().focus()
    await userEvent.tab({ shift: true })
    expect([submitButton(), ...within(dialog).queryAllByRole('link')].at(-1)).toHaveFocus()
  })
})

test('when the dialog closes its notification goes back to the page, the same one', async () => {
  await renderWith(NOTIFICATIONS.failed)
  const shown = shownNotification()
  const dialog = await openDialog()
  await closeDialog()
  expect(dialog).not.toContainElement(shown)
  expect(shownNotification()).toBe(shown)
})

test('a notification is seen though an extension has taken its place away', async () => {
  const { show } = await renderApp()
  document.getElementById('notifications')?.remove()
  await show(NOTIFICATIONS.failed)
  expect(screen.getByText(NOTIFICATIONS.failed.summary)).toBeVisible()
})

test('the dialog opens though an extension has taken the place of notifications away', async () => {
  await renderApp()
  document.getElementById('notifications')?.remove()
  expect(await openDialog()).toBeVisible()
})
