import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { DEFAULT_LIFE_MS, type Notification } from '../../src/domain/notification.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { contact, notification, subscription } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const { all, only, close } = notification
const { subscribed, failed } = NOTIFICATIONS
const DAY = 24 * 60 * 60 * 1000

/** The running animation of the bar of the notification; undefined if there is no bar, or if it stands still. */
const bar = () =>
  [...only().children]
    .flatMap((part) => part.getAnimations())
    .find((animation) => animation instanceof CSSAnimation && animation.playState === 'running')

async function renderWith(shown: Notification) {
  const app = await renderApp()
  // Moves the pointer away from the place of notifications.
  await userEvent.pointer({ target: document.body, coords: { x: 1, y: 1 } })
  await app.show(shown)
  return app
}

function setHidden(hidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
  return act(async () => document.dispatchEvent(new Event('visibilitychange')))
}

test.each<[string, hold: () => unknown, release: () => unknown]>([
  ['the pointer over it', () => userEvent.hover(only()), () => userEvent.unhover(only())],
  ['the focus in it', () => close().focus(), () => contact.opener().focus()],
  ['a hidden page', () => setHidden(true), () => setHidden(false)],
])('a notification stays while it is held by %s', async (_, hold, release) => {
  const { pass } = await renderWith(NOTIFICATIONS['invalid-email'])
  await hold()
  pass(DAY)
  expect(all()).toHaveLength(1)
  await release()
  pass(DEFAULT_LIFE_MS)
  expect(all()).toEqual([])
})

test('the bar of a notification shrinks evenly until the notification ends', async () => {
  await renderWith({ ...subscribed, life: 12_345 })
  expect(bar()?.effect?.getTiming()).toMatchObject({ duration: 12_345, iterations: 1, easing: 'linear' })
})

test.each([
  ['error', 'assertive'],
  ['warn', 'polite'],
] as const)('a notification of the severity %s is announced in a region that is %s', async (severity, live) => {
  await renderWith({ ...failed, severity })
  expect(only().parentElement).toHaveAttribute('aria-live', live)
})

test('the Close button of a notification is described by its text', async () => {
  await renderWith(failed)
  expect(close()).toHaveAccessibleDescription(`${failed.summary} ${failed.detail}`)
})

test.each<[string, press: () => Promise<unknown>, focused: () => Element]>([
  // In Safari a click moves no focus.
  ['puts the focus into the email input', () => act(async () => close().click()), subscription.input],
  ['by a finger moves no focus, so that no keyboard opens', tapOnClose, () => document.body],
  ['by key in the dialog puts the focus into the first field', pressCloseInDialog, () => contact.field('first')],
  ['by mouse in the dialog leaves the focus in its field', clickCloseInDialog, () => contact.field('message')],
])('closing a notification %s', async (_, press, focused) => {
  await renderWith(failed)
  await press()
  expect(all()).toEqual([])
  expect(focused()).toHaveFocus()
})

function tapOnClose() {
  const tap = new PointerEvent('click', { bubbles: true, detail: 1, pointerType: 'touch' })
  return act(async () => close().dispatchEvent(tap))
}

async function pressCloseInDialog() {
  await contact.open()
  close().focus()
  await userEvent.keyboard('{Enter}')
}

async function clickCloseInDialog() {
  await contact.open()
  contact.field('message').focus()
  await userEvent.dblClick(close())
}

test('a notification that is replaced gives its focus to the email input', async () => {
  const { show } = await renderWith(failed)
  close().focus()
  await show(failed)
  expect(subscription.input()).toHaveFocus()
})

test('a notification moves into the dialog that opens, and back when it closes', async () => {
  await renderWith(failed)
  const shown = only()
  expect(await contact.open()).toContainElement(shown)
  await contact.close()
  expect(screen.getByText(failed.summary).closest('dialog')).toBeNull()
  expect(only()).toBe(shown)
})

test('without the element for notifications, dialog and notifications still appear', async () => {
  const { show } = await renderApp()
  document.getElementById('notifications')?.remove()
  expect(await contact.open()).toBeVisible()
  await show(failed)
  expect(screen.getByText(failed.summary)).toBeVisible()
})
