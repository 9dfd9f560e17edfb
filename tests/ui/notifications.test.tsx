import { act, screen, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { DEFAULT_LIFE_MS, type Notification } from '../../src/domain/notification.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { contact, notification, subscription } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const { all, only, close } = notification
const { subscribed, failed } = NOTIFICATIONS
const DAY = 24 * 60 * 60 * 1000

/** The bar of the notification, as the animation that it is; undefined where there is none, or while it stands still. */
const bar = () =>
  [...only().children]
    .flatMap((part) => part.getAnimations())
    .find((animation) => animation instanceof CSSAnimation && animation.playState === 'running')
/** Lets so many milliseconds of the bar pass. */
const runTo = (currentTime: number) => Object.assign(bar() ?? {}, { currentTime })

async function renderWith(shown: Notification) {
  const app = await renderApp()
  await app.show(shown)
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
  ['the pointer over it', () => userEvent.hover(only()), () => userEvent.unhover(only())],
  ['the focus in it', () => close().focus(), () => contact.opener().focus()],
  ['a hidden page', () => setHidden(true), () => setHidden(false)],
])('%s holds a notification, whose life then starts again in full', async (_, hold, release) => {
  const { pass } = await renderWith(NOTIFICATIONS['invalid-email'])
  await hold()
  pass(DAY)
  await release()
  pass(DEFAULT_LIFE_MS - 1)
  expect(all()).toHaveLength(1)
  pass(1)
  expect(all()).toEqual([])
})

test.each([
  ['a bar', subscribed, 1],
  ['a Close button', NOTIFICATIONS['invalid-email'], 0],
] as const)('a notification has either a bar or a Close button: %s', async (_, shown, bars) => {
  await renderWith(shown)
  expect([bar()].filter(Boolean)).toHaveLength(bars)
  expect(within(only()).queryAllByRole('button')).toHaveLength(1 - bars)
})

test('the bar of a notification runs out evenly, in its life', async () => {
  await renderWith({ ...subscribed, life: 12_345 })
  expect(bar()?.effect?.getTiming()).toMatchObject({ duration: 12_345, iterations: 1, easing: 'linear' })
})

test('the bar stands still under the pointer, and starts again when it leaves', async () => {
  await stopAnimations()
  await renderWith(subscribed)
  runTo(2000)
  await userEvent.hover(only())
  expect(bar()).toBeUndefined()
  await userEvent.unhover(only())
  expect(bar()?.currentTime).toBe(0)
})

test.each([
  ['ltr', 'left'],
  ['rtl', 'right'],
] as const)('where text runs %s the bar of a notification runs out to the %s', async (direction, side) => {
  document.documentElement.dir = direction
  onTestFinished(() => document.documentElement.removeAttribute('dir'))
  await stopAnimations()
  await renderWith(subscribed)
  const effect = bar()?.effect
  const rect = () => (effect instanceof KeyframeEffect && effect.target?.getBoundingClientRect()) || new DOMRect()
  const full = rect()
  runTo(DEFAULT_LIFE_MS / 2)
  expect(rect()[side]).toBeCloseTo(full[side])
  expect(rect().width).toBeCloseTo(full.width / 2)
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

describe('closing a notification', () => {
  test('moves the focus to the email input', async () => {
    await renderWith(failed)
    // As in Safari, where a click moves no focus.
    await act(async () => close().click())
    expect(all()).toEqual([])
    expect(subscription.input()).toHaveFocus()
  })

  test('by a finger moves no focus, so that no keyboard opens', async () => {
    await renderWith(failed)
    const tap = new PointerEvent('click', { bubbles: true, detail: 1, pointerType: 'touch' })
    await act(async () => close().dispatchEvent(tap))
    expect(all()).toEqual([])
    expect(subscription.input()).not.toHaveFocus()
  })

  test('by a key in the dialog moves the focus to the first field', async () => {
    await renderWith(failed)
    await contact.open()
    close().focus()
    await userEvent.keyboard('{Enter}')
    expect(contact.field('first')).toHaveFocus()
  })

  test('by mouse in the dialog takes the focus from no field', async () => {
    await renderWith(failed)
    await contact.open()
    contact.field('message').focus()
    await userEvent.dblClick(close())
    expect(all()).toEqual([])
    expect(contact.field('message')).toHaveFocus()
  })

  test('makes it inert until it has gone', async () => {
    await renderWith(failed)
    const going = only()
    await userEvent.click(close())
    expect(going.inert).toBe(true)
    await expect.poll(() => going.isConnected).toBe(false)
  })
})

test.each([
  ['the email input', () => {}, subscription.input],
  ['in the dialog the first field', contact.open, () => contact.field('first')],
])('a notification that is replaced gives its focus to %s', async (_, open, field) => {
  const { show } = await renderWith(failed)
  await open()
  close().focus()
  await show(failed)
  expect(field()).toHaveFocus()
})

describe('while the dialog is open', () => {
  test('a notification moves into it, and its bar runs on', async () => {
    await renderWith({ ...subscribed, life: DAY })
    const shown = only()
    runTo(DAY / 2)
    expect(await contact.open()).toContainElement(shown)
    expect(bar()?.currentTime).toBeGreaterThanOrEqual(DAY / 2)
  })

  test('a press on a notification closes nothing', async () => {
    await renderWith(failed)
    const dialog = await contact.open()
    await userEvent.click(screen.getByText(failed.summary))
    expect(dialog).toBeVisible()
    expect(all()).toHaveLength(1)
  })

  test('Tab reaches a notification before the title', async () => {
    await renderWith(failed)
    await contact.open()
    contact.closeIcon().focus()
    await userEvent.tab({ shift: true })
    expect(close()).toHaveFocus()
  })
})

test('when the dialog closes its notification goes back to the page, the same one', async () => {
  await renderWith(failed)
  const shown = only()
  const dialog = await contact.open()
  await contact.close()
  expect(dialog).not.toContainElement(shown)
  expect(only()).toBe(shown)
})

test('a notification is seen though an extension has taken its place away', async () => {
  const { show } = await renderApp()
  document.getElementById('notifications')?.remove()
  await show(failed)
  expect(screen.getByText(failed.summary)).toBeVisible()
})

test('the dialog opens though an extension has taken the place of notifications away', async () => {
  await renderApp()
  document.getElementById('notifications')?.remove()
  expect(await contact.open()).toBeVisible()
})
