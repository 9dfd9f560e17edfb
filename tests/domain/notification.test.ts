import { expect, it, vi } from 'vitest'
import { createContactDialog } from '../../src/domain/contact-dialog.ts'
import { createNotificationCenter, type Notification } from '../../src/domain/notification.ts'

// tests/ui shows lives, pauses and closing.
const FIRST: Notification = { severity: 'info', summary: 's', detail: 'd', life: 3000, closable: true }
const SECOND: Notification = { ...FIRST, life: 'sticky', closable: true }

function create() {
  const dialog = createContactDialog()
  const never = () => () => {}
  function atOnce(delay: number, run: () => void) {
    if (delay === 0) run()
    return () => {}
  }
  return { dialog, center: createNotificationCenter({ after: atOnce, every: never }, dialog) }
}

it('of notifications that come while the dialog is open the newest shows later', () => {
  const { dialog, center } = create()
  dialog.set(true)
  for (const notification of [FIRST, SECOND]) center.show(notification)
  expect(center.current()).toBeNull()
  dialog.set(false)
  expect(center.current()?.notification).toBe(SECOND)
})

it('a listener is called once for each change, with a new key for each showing', () => {
  const { center } = create()
  const listener = vi.fn()
  center.onChange(listener)
  const pause = (reason: 'pointer' | 'focus', pauses: boolean) => center.setPause(reason, pauses)
  center.show(FIRST)
  pause('focus', true)
  pause('pointer', true)
  pause('pointer', false)
  pause('focus', false)
  center.show(FIRST)
  center.close()
  const changes = listener.mock.calls.map(([active]) => active && [active.key, active.paused])
  expect(changes).toEqual([[1, false], [1, true], [1, false], [2, false], null])
})

it('a notification that replaces one with the focus is held by the pointer alone', () => {
  const { center } = create()
  center.show(FIRST)
  center.setPause('focus', true)
  center.show(FIRST)
  const paused = [true, false].map((pauses) => {
    center.setPause('pointer', pauses)
    return center.current()?.paused
  })
  expect(paused).toEqual([true, false])
})
