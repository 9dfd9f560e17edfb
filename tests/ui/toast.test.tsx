import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { DEFAULT_LIFE_MS, type Notification, type Severity } from '../../src/domain/notification.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { closeDialog, field, openDialog } from '../support/page/contact-us.ts'
import { animationsFinished } from '../support/page/page-states.ts'
import { renderApp } from '../support/page/render-app.tsx'
import { progressBar, progressBars, toast, toasts } from '../support/page/toasts.ts'

const input = () => screen.getByPlaceholderText(TEXT.emailPlaceholder)
const contactUs = () => screen.getByRole('button', { name: TEXT.contactUs })
const close = () => within(toast()).getByRole('button', { name: TEXT.close })
/** The region of notifications; with a role of its own it would be read although it is empty. */
const regionOf = (parent: HTMLElement, live: string) =>
  parent.querySelector(`:scope > #notifications > [aria-live=${live}]`) as HTMLElement
const DAY = 24 * 60 * 60 * 1000

async function renderWith(...[first, options]: [first: Notification, ...Parameters<typeof renderApp>]) {
  const app = await renderApp(options)
  const show = (next: Notification) => act(async () => app.notifications.show(next))
  await show(first)
  return { ...app, show }
}

describe('a toast of a success', () => {
  const setRate = (playbackRate: number) => cdp().send('Animation.setPlaybackRate', { playbackRate })
  // Animations stand at their start, so that no bar runs out while a busy machine is slow.
  beforeEach(() => setRate(0))
  afterEach(() => setRate(1))

  test('has a bar and no button, is held by the pointer, and goes when its life, started again, has ended', async () => {
    const { show, pass } = await renderWith(NOTIFICATIONS.subscribed)
    contactUs().focus()
    const first = toast()
    expect(within(first).queryByRole('button')).toBeNull()
    expect(progressBar().effect?.getTiming()).toMatchObject({ iterations: 1, delay: 0, easing: 'linear' })
    const [bar, sign] = [first.querySelector('[aria-hidden=true]:empty'), first.querySelector('svg')] as Element[]
    expect(getComputedStyle(bar as Element).backgroundColor).toBe(getComputedStyle(sign as Element).color)
    progressBar().currentTime = 2500
    await show(NOTIFICATIONS.subscribed)
    expect(toast()).not.toBe(first)
    expect(progressBar().currentTime).toBe(0)
    progressBar().currentTime = 2500
    await userEvent.hover(toast())
    expect(progressBars()).toEqual([])
    await show(NOTIFICATIONS.subscribed)
    await expect.poll(() => progressBars()).toEqual([])
    pass(DAY)
    expect(toasts()).toHaveLength(1)
    await userEvent.unhover(toast())
    expect(progressBar().playState).toBe('running')
    expect(progressBar().currentTime).toBe(0)
    pass(DEFAULT_LIFE_MS)
    expect(toasts()).toEqual([])
    expect(contactUs()).toHaveFocus()
  })
})

test('a toast is held by the focus in it; closed or replaced, it gives the focus to the email input, and is seen going', async () => {
  const { show, pass, subscriptions } = await renderWith(NOTIFICATIONS['invalid-email'])
  const tabToClose = async () => {
    contactUs().focus()
    await userEvent.tab()
    expect(close()).toHaveFocus()
  }
  await tabToClose()
  pass(DAY)
  expect(toasts()).toHaveLength(1)
  await userEvent.tab({ shift: true })
  pass(DEFAULT_LIFE_MS)
  expect(toasts()).toEqual([])

  await show(NOTIFICATIONS.failed)
  await tabToClose()
  await show(NOTIFICATIONS.failed)
  expect(input()).toHaveFocus()

  contactUs().focus()
  // As in Safari, where a click moves no focus.
  await act(async () => close().click())
  expect(input()).toHaveFocus()
  await animationsFinished()

  await show(NOTIFICATIONS.failed)
  await tabToClose()
  // It stands at the start of its way, however slow the machine is.
  await cdp().send('Animation.setPlaybackRate', { playbackRate: 0 })
  await userEvent.keyboard('{Enter}')
  expect(toasts()).toEqual([])
  expect(input()).toHaveFocus()
  expect(subscriptions.sent).toEqual([])
  const going = document.querySelector<HTMLElement>('[id^=toast-] > [inert]')
  expect(going?.inert, 'it can be neither heard nor pressed').toBe(true)
  expect(new Set(going?.getAnimations().map(({ effect }) => effect?.getTiming().duration))).toEqual(new Set([150]))
  await cdp().send('Animation.setPlaybackRate', { playbackRate: 1 })
  await expect.poll(() => going?.isConnected).toBe(false)
})

test('a closable toast has no bar, is announced by its severity from a region that stood before, and leaves its words', async () => {
  const { notifications, show } = await renderWith(NOTIFICATIONS['invalid-email'])
  const REGIONS = { success: 'polite', info: 'polite', warn: 'polite', error: 'assertive' } as const
  for (const [severity, live] of Object.entries(REGIONS)) {
    const region = regionOf(document.body, live)
    expect(region).not.toHaveAttribute('role')
    await show({ ...NOTIFICATIONS.failed, severity: severity as Severity })
    expect(toast().parentElement).toBe(region)
    expect(toast()).toMatchTextContent(NOTIFICATION_TEXT.failed.detail)
    expect(close()).toHaveAccessibleDescription(
      `${NOTIFICATION_TEXT.failed.summary} ${NOTIFICATION_TEXT.failed.detail}`,
    )
    expect(progressBars()).toEqual([])
  }
  await act(async () => notifications.close())
  const { summary, detail } = NOTIFICATION_TEXT.failed
  const note = screen.getByRole('note', { name: TEXT.lastMessage(`${summary} ${detail}`) })
  expect(note.closest('[role=alert], [role=status], [aria-live]')).toBeNull()
})

describe('above the open dialog', () => {
  const SMALL = { width: 320, height: 568 }

  test('a toast stands before all else, announced by a region of the dialog; turned, both stay on the screen', async () => {
    const { show } = await renderWith(NOTIFICATIONS.failed, SMALL)
    const dialog = await openDialog()
    const region = regionOf(dialog, 'assertive')
    await show(NOTIFICATIONS.failed)
    await animationsFinished()
    expect(region).toContainElement(toast())
    const { left, right, top, bottom } = toast().getBoundingClientRect()
    const corners = [left + 10, right - 10].flatMap((x) => [top + 10, bottom - 10].map((y) => ({ x, y })))
    for (const { x, y } of corners) expect(toast()).toContainElement(document.elementFromPoint(x, y) as HTMLElement)
    const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2
    const [summary, cross] = [toast().querySelector('b'), close().querySelector('svg')] as Element[]
    const off = [summary, cross].map((it) => middle((it as Element).getBoundingClientRect()))
    expect(Math.abs(Number(off[0]) - Number(off[1])), 'Close stands in the first line').toBeLessThanOrEqual(2)

    await page.viewport(SMALL.height, SMALL.width)
    const panel = dialog.querySelector('#contact > :last-child') as Element
    expect(panel.getBoundingClientRect().bottom).toBeLessThanOrEqual(SMALL.width)
  })

  test('a toast stays the same in and out of it, is closed by its button alone, and gives the focus back', async () => {
    const { show, dialogNews } = await renderWith(NOTIFICATIONS.subscribed)
    const [card, bar] = [toast(), progressBar()]
    const dialog = await openDialog()
    expect(dialog).toContainElement(card)
    expect(toast()).toBe(card)
    expect(progressBar()).toBe(bar)
    await show(NOTIFICATIONS.failed)
    await userEvent.click(within(toast()).getByText(NOTIFICATION_TEXT.failed.summary))
    await new Promise(requestAnimationFrame)
    await animationsFinished()
    expect(toasts()).toHaveLength(1)
    await userEvent.click(field('message'))
    await userEvent.click(close())
    expect(toasts()).toEqual([])
    await expect.poll(() => document.activeElement).toBe(field('message'))

    await animationsFinished()
    await show(NOTIFICATIONS.failed)
    field('first').focus()
    await userEvent.tab({ shift: true })
    expect(close()).toHaveFocus()
    await userEvent.tab()
    expect(field('first')).toHaveFocus()
    await userEvent.tab({ shift: true })
    await userEvent.keyboard('{Enter}')
    expect(toasts()).toEqual([])
    expect(field('first')).toHaveFocus()
    for (const leaving of document.getAnimations()) leaving.pause()
    await userEvent.tab({ shift: true })
    const [own] = screen.getAllByRole('button', { name: TEXT.close }).filter((one) => !one.closest('[inert]'))
    expect(own, 'what is seen leaving is no stop').toHaveFocus()
    for (const leaving of document.getAnimations()) leaving.finish()

    expect(dialogNews).toEqual([true])
    await show(NOTIFICATIONS.failed)
    const sticky = toast()
    await closeDialog()
    expect(dialog).not.toContainElement(sticky)
    expect(toast()).toBe(sticky)
    await userEvent.click(close())
    expect(input()).toHaveFocus()
  })
})
