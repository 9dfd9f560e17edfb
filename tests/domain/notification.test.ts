import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserTimers } from '../../src/adapters/browser.ts'
import { createContactDialog } from '../../src/domain/contact-dialog.ts'
import { createNotificationCenter, type Notification } from '../../src/domain/notification.ts'

// tests/ui shows lives, pauses and closing.
const FIRST: Notification = { severity: 'info', summary: 's', detail: 'd', life: 3000, closable: true }
const SECOND: Notification = { ...FIRST, life: 'sticky', closable: true }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function create() {
  const dialog = createContactDialog()
  const center = createNotificationCenter(browserTimers, dialog)
  return { dialog, center, shown: () => center.current()?.notification }
}

it('opening the dialog closes a notification', () => {
  const { dialog, center, shown } = create()
  center.show(FIRST)
  dialog.set(true)
  expect(shown()).toBeUndefined()
})

it('of notifications that come while the dialog is open the newest shows when it closes', () => {
  const { dialog, center, shown } = create()
  dialog.set(true)
  for (const notification of [FIRST, SECOND]) center.show(notification)
  expect(shown()).toBeUndefined()
  dialog.set(false)
  vi.advanceTimersByTime(0)
  expect(shown()).toBe(SECOND)
})

it('a notification goes on waiting while Try again closes and opens the dialog', () => {
  const { dialog, center, shown } = create()
  dialog.set(true)
  center.show(SECOND)
  for (const open of [false, true]) dialog.set(open)
  vi.advanceTimersByTime(0)
  expect(shown()).toBeUndefined()
  dialog.set(false)
  vi.advanceTimersByTime(0)
  expect(shown()).toBe(SECOND)
})

it.each([
  ['pointer', false],
  ['focus', false],
  ['hidden', true],
] as const)('after one that is held by %s, the next notification is held: %s', (reason, held) => {
  const { center } = create()
  center.show(FIRST)
  center.setPause(reason, true)
  center.show(FIRST)
  expect(center.current()?.paused).toBe(held)
})

it('a notification is held until neither pointer nor focus is at it', () => {
  const { center } = create()
  center.show(FIRST)
  for (const reason of ['pointer', 'focus'] as const) center.setPause(reason, true)
  const held = (['focus', 'pointer'] as const).map((reason) => {
    center.setPause(reason, false)
    return center.current()?.paused
  })
  expect(held).toEqual([true, false])
})
