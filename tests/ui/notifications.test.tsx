import { act, screen, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { DEFAULT_LIFE_MS, type Notification } from '../../src/domain/notification.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { TEXT } from '../../src/domain/texts.ts'
import {
  closeDialog,
  field,
  openDialog,
  shownNotification,
  shownNotifications,
  submitButton,
} from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const input = () => screen.getByPlaceholderText(TEXT.emailPlaceholder)
const contactUs = () => screen.getByRole('button', { name: TEXT.contactUs })
const close = () => within(shownNotification()).getByRole('button', { name: TEXT.close })
/** The bar of the notification, as the animation that it is; undefined where there is none, or while it stands still. */
const progressBar = () =>
  [...shownNotification().children]
    .flatMap((part) => part.getAnimations())
    .find((animation) => animation instanceof CSSAnimation && animation.playState === 'running')
const DAY = 24 * 60 * 60 * 1000

async function renderWith(first: Notification) {
  const app = await renderApp()
  await app.show(first)
  return app
}

/** Animations stand where they are, so that nothing runs out while a busy machine is slow. */
async function stopAnimations() {
  await cdp().send('Animation.setPlaybackRate', { playbackRate: 0 })
  onTestFinished(async () => {
    await cdp().send('Animation.setPlaybackRate', { playbackRate: 1 })
  })
}

test('the pointer over a notification holds it; its life and its bar start again when the pointer leaves', async () => {
  await stopAnimations()
  const life = 12_345
  const { pass } = await renderWith({ ...NOTIFICATIONS.subscribed, life })
  expect(within(shownNotification()).queryByRole('button')).toBeNull()
  expect(progressBar()?.effect?.getTiming()).toMatchObject({ duration: life, iterations: 1, easing: 'linear' })
  Object.assign(progressBar() ?? {}, { currentTime: life - 1 })
  await userEvent.hover(shownNotification())
  expect(progressBar()).toBeUndefined()
  pass(DAY)
  await userEvent.unhover(shownNotification())
  expect(progressBar()?.currentTime).toBe(0)
  pass(life - 1)
  expect(shownNotifications()).toHaveLength(1)
  pass(1)
  expect(shownNotifications()).toEqual([])
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

test('the focus in a notification holds it, until it leaves', async () => {
  const { pass } = await renderWith(NOTIFICATIONS['invalid-email'])
  close().focus()
  pass(DAY)
  expect(shownNotifications()).toHaveLength(1)
  contactUs().focus()
  pass(DEFAULT_LIFE_MS - 1)
  expect(shownNotifications()).toHaveLength(1)
  pass(1)
  expect(shownNotifications()).toEqual([])
  expect(contactUs()).toHaveFocus()
})

test('a notification that is closed gives the focus to the email input, and is neither heard nor pressed while it goes', async () => {
  const { show } = await renderWith(NOTIFICATIONS.failed)
  await userEvent.click(close())
  expect(shownNotifications()).toEqual([])
  expect(input()).toHaveFocus()
  contactUs().focus()
  await show(NOTIFICATIONS.failed)
  const going = shownNotification()
  // As in Safari, where a click moves no focus.
  await act(async () => close().click())
  expect(input()).toHaveFocus()
  expect(going.inert).toBe(true)
  await expect.poll(() => going.isConnected).toBe(false)
})

test('a notification that can be closed has no bar, and an error is announced at once, all else in its turn', async () => {
  const { show } = await renderApp()
  const { summary, detail } = NOTIFICATIONS.failed
  for (const [severity, live] of [
    ['warn', 'polite'],
    ['error', 'assertive'],
  ] as const) {
    const region = document.querySelector(`#notifications > [aria-live=${live}]`)
    // With a role of its own it would be read although it is empty.
    expect(region).not.toHaveAttribute('role')
    await show({ ...NOTIFICATIONS.failed, severity })
    expect(shownNotification().parentElement).toBe(region)
    expect(close()).toHaveAccessibleDescription(`${summary} ${detail}`)
    expect(progressBar()).toBeUndefined()
  }
})

test('a notification stays the same in and out of the dialog, where its bar runs on and a press on it closes nothing', async () => {
  const { show } = await renderWith({ ...NOTIFICATIONS.subscribed, life: DAY })
  const first = shownNotification()
  Object.assign(progressBar() ?? {}, { currentTime: DAY / 2 })
  const dialog = await openDialog()
  expect(dialog).toContainElement(first)
  expect(shownNotification()).toBe(first)
  expect(progressBar()?.currentTime).toBeGreaterThanOrEqual(DAY / 2)
  await show(NOTIFICATIONS.failed)
  expect(dialog).toContainElement(shownNotification())
  await userEvent.click(within(shownNotification()).getByText(NOTIFICATIONS.failed.summary))
  expect(dialog, 'a press on it does not close the dialog').toBeVisible()
  const sticky = shownNotification()
  await closeDialog()
  expect(dialog).not.toContainElement(sticky)
  expect(shownNotification()).toBe(sticky)
})

test('in the dialog Tab reaches a notification before the title; closed by a key, it leads to the first field, and is no stop any more', async () => {
  await renderWith(NOTIFICATIONS.failed)
  const dialog = await openDialog()
  const [own] = within(dialog).getAllByRole('button', { name: TEXT.close }).slice(-1)
  await userEvent.tab({ shift: true })
  expect(own).toHaveFocus()
  await userEvent.tab({ shift: true })
  expect(close()).toHaveFocus()
  await stopAnimations()
  await userEvent.keyboard('{Enter}')
  expect(shownNotifications()).toEqual([])
  expect(field('first')).toHaveFocus()
  await userEvent.tab({ shift: true })
  expect(own).toHaveFocus()
  await userEvent.tab({ shift: true })
  expect([submitButton(), ...within(dialog).queryAllByRole('link')].at(-1)).toHaveFocus()
})

test('a notification that is replaced while it has the focus leaves it to the email input, or to the first field of the dialog, where one that is closed by mouse takes it from no field', async () => {
  const { show } = await renderWith(NOTIFICATIONS.failed)
  close().focus()
  await show(NOTIFICATIONS.failed)
  expect(input()).toHaveFocus()
  await openDialog()
  close().focus()
  await show(NOTIFICATIONS.failed)
  expect(field('first')).toHaveFocus()
  field('message').focus()
  await userEvent.dblClick(close())
  expect(shownNotifications()).toEqual([])
  expect(field('message'), 'the second press closes nothing').toHaveFocus()
})

test('the life of a notification stands still while the page is hidden, and starts again', async () => {
  const { pass } = await renderWith(NOTIFICATIONS['invalid-email'])
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const tell = () => act(async () => document.dispatchEvent(new Event('visibilitychange')))
  await tell()
  pass(DAY)
  expect(shownNotifications()).toHaveLength(1)
  hidden.mockReturnValue(false)
  await tell()
  pass(DEFAULT_LIFE_MS - 1)
  expect(shownNotifications()).toHaveLength(1)
  pass(1)
  expect(shownNotifications()).toEqual([])
})

test('a finger that closes a notification moves no focus, so that no keyboard opens', async () => {
  await renderWith(NOTIFICATIONS.failed)
  const tap = new PointerEvent('click', { bubbles: true, detail: 1, pointerType: 'touch' })
  await act(async () => close().dispatchEvent(tap))
  expect(shownNotifications()).toEqual([])
  expect(input()).not.toHaveFocus()
})
