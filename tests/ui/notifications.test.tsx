import { act } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { DEFAULT_LIFE_MS } from '../../src/domain/notifications.ts'
import type { SubscribeAnswer } from '../../src/domain/ports.ts'
import { openSubscribed } from '../support/ui/open-page.tsx'

const DAY = 24 * 60 * 60 * 1000

/** The page with a notification: of an invalid address, or of this answer. */
const openWithNotification = (answer?: SubscribeAnswer) => openSubscribed(answer ? 'ada@example.com' : 'plain', answer)
type Opened = Awaited<ReturnType<typeof openSubscribed>>

/** Whether a notification has its whole life from now on. */
async function hasWholeLife(page: Opened) {
  await page.pass(DEFAULT_LIFE_MS - 1)
  const isThere = page.toasts().length === 1
  await page.pass(1)
  return isThere && page.toasts().length === 0
}

const pointAt = ({ user, toasts }: Opened) => user.hover(toasts()[0] ?? expect.unreachable('no notification'))
const focus = async ({ closeToast }: Opened) => void (await act(async () => closeToast().focus()))

/** Makes the document report that it is hidden or visible. */
async function setHidden(hidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
  await act(async () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}

test.each<[string, hold: (page: Opened) => Promise<unknown>, release: (page: Opened) => Promise<unknown>]>([
  ['the pointer over it', pointAt, ({ user, email }) => user.hover(email())],
  ['the focus in it', focus, ({ user }) => user.tab()],
  ['a hidden page', () => setHidden(true), () => setHidden(false)],
])('a notification stays while it is held by %s, and then for its whole life', async (_, hold, release) => {
  const page = await openWithNotification()
  await hold(page)
  await page.pass(DAY)
  expect(page.toasts()).toHaveLength(1)
  await release(page)
  expect(await hasWholeLife(page)).toBe(true)
})

test('a notification that is shown again is a new element, so that it is announced', async () => {
  const page = await openWithNotification()
  const [first] = page.toasts()
  await page.user.click(page.subscribe())
  expect(page.toasts()).toHaveLength(1)
  expect(page.toasts()[0]).not.toBe(first)
})

test('the bar of a notification shrinks during its life, and restarts after a hold', async () => {
  const page = await openWithNotification('subscribed')
  const bars = new Set<Element>()
  const lives: string[] = []
  for (const step of [async () => {}, () => pointAt(page), () => page.user.hover(page.email())]) {
    await step()
    const bar = page.toasts()[0]?.lastElementChild ?? expect.unreachable('no bar')
    bars.add(bar)
    lives.push(getComputedStyle(bar).animation.replace(/^animation-\S+ /, ''))
  }
  const life = `${DEFAULT_LIFE_MS}ms linear`
  expect([lives, bars.size]).toEqual([[life, 'none', life], 3])
})

const pressEscape = ({ user }: Opened) => user.keyboard('{Escape}')
const touch = ({ user, closeToast }: Opened) => user.pointer({ keys: '[TouchA]', target: closeToast() })

// On a phone, the focus in the email input would open the keyboard. So after a touch the focus stays where it is.
test.each<[how: string, focused: 'subscribe' | 'email', close: (page: Opened) => Promise<unknown>]>([
  ['Escape', 'subscribe', pressEscape],
  ['Escape while it has the focus', 'email', (page) => focus(page).then(() => pressEscape(page))],
  ['the mouse', 'email', ({ user, closeToast }) => user.click(closeToast())],
  ['touch', 'subscribe', touch],
])('a notification is closed by %s, and the focus is then at %s', async (_, focused, close) => {
  const page = await openWithNotification('failed')
  await close(page)
  expect([page.toast(), document.activeElement]).toEqual(['', page[focused]()])
})
