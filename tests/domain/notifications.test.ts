import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Notification } from '../../src/domain/notifications.ts'
import { heldServices } from '../support/held-services.ts'

const FIRST: Notification = { severity: 'info', summary: 's', detail: 'd', life: 3000 }
const SECOND: Notification = { ...FIRST, life: 'sticky' }

const DAY = 24 * 60 * 60 * 1000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function create() {
  const { contactDialog, notifications } = heldServices().services
  return { dialog: contactDialog, center: notifications, shown: notifications.current }
}

it.each([
  [3000, 'gone'],
  ['sticky', 'still there'],
] as const)('a notification with the life %s is %s after a day', (life, state) => {
  const { center, shown } = create()
  center.show({ ...FIRST, life })
  vi.advanceTimersByTime(2999)
  expect(shown()).not.toBeNull()
  vi.advanceTimersByTime(DAY)
  expect(shown() === null ? 'gone' : 'still there').toBe(state)
})

it('opening the dialog closes a notification', () => {
  const { dialog, center, shown } = create()
  center.show(FIRST)
  dialog.set(true)
  expect(shown()).toBeNull()
})

it('when the dialog closes, the newest of the notifications that waited shows', () => {
  const { dialog, center, shown } = create()
  dialog.set(true)
  for (const notification of [FIRST, SECOND]) center.show(notification)
  expect(shown()).toBeNull()
  dialog.set(false)
  vi.advanceTimersByTime(0)
  expect(shown()).toMatchObject(SECOND)
})

it("a notification keeps waiting if 'Try again' closes and opens the dialog", () => {
  const { dialog, center, shown } = create()
  dialog.set(true)
  center.show(SECOND)
  for (const open of [false, true]) dialog.set(open)
  vi.advanceTimersByTime(0)
  expect(shown()).toBeNull()
  dialog.set(false)
  vi.advanceTimersByTime(0)
  expect(shown()).toMatchObject(SECOND)
})

it.each([
  ['pointer', 'runs'],
  ['focus', 'runs'],
  ['hidden', 'is paused too'],
] as const)('after a pause because of %s, a new notification %s', (reason, next) => {
  const { center } = create()
  center.show(FIRST)
  center.setPause(reason, true)
  center.show(FIRST)
  expect(center.current()?.paused).toBe(next === 'is paused too')
})

it('a notification is paused until neither pointer nor focus is at it', () => {
  const { center } = create()
  center.show(FIRST)
  for (const reason of ['pointer', 'focus'] as const) center.setPause(reason, true)
  const held = (['focus', 'pointer'] as const).map((reason) => {
    center.setPause(reason, false)
    return center.current()?.paused
  })
  expect(held).toEqual([true, false])
})
