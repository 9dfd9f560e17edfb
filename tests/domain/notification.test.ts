import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserTimers } from '../../src/adapters/browser.ts'
import { createNotificationCenter, type Notification } from '../../src/domain/notification.ts'

const TIMED: Notification = { severity: 'info', summary: 's', detail: 'd', life: 3000, closable: true }
const STICKY: Notification = { ...TIMED, life: 'sticky', closable: true }
const DAY = 24 * 60 * 60 * 1000

let center: ReturnType<typeof createNotificationCenter>
beforeEach(() => {
  vi.useFakeTimers()
  center = createNotificationCenter(browserTimers)
})
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTime(ms)
const isOpen = () => center.current() !== null
const show = () => center.show(TIMED)

it.each<[string, ...steps: (() => void)[]]>([
  ['its first showing', show],
  ['a predecessor', show, () => pass(2999), show],
  [
    'the end of the last reason to hold it',
    show,
    () => pass(2999),
    () => center.pause('focus'),
    () => center.resume('focus'),
  ],
  ['a predecessor with the pointer', show, () => center.pause('pointer'), show],
  ['a predecessor with the focus', show, () => center.pause('focus'), show],
])('a notification has its whole life after %s', (_, ...steps) => {
  for (const step of steps) step()
  expect(center.current()?.paused).toBe(false)
  pass(2999)
  expect(isOpen()).toBe(true)
  pass(1)
  expect(isOpen()).toBe(false)
})

it.each<[string, ...steps: (() => void)[]]>([
  ['the pointer', show, () => center.pause('pointer')],
  ['the focus', show, () => center.pause('focus')],
  ['a hidden page', show, () => center.pause('hidden page')],
  ['a page that was hidden earlier', () => center.pause('hidden page'), show],
  [
    'one of two reasons',
    show,
    () => center.pause('pointer'),
    () => center.pause('focus'),
    () => center.resume('pointer'),
  ],
])('a notification stays while it is held by %s', (_, ...steps) => {
  for (const step of steps) step()
  pass(DAY)
  expect(center.current()?.paused).toBe(true)
})

it.each(['close', 'beginAttempt'] as const)('a sticky notification stays until it is ended by %s', (end) => {
  center.show(STICKY)
  pass(DAY)
  expect(isOpen()).toBe(true)
  center[end]()
  expect(isOpen()).toBe(false)
})

it('the showing of a notification can be ended, and ends no later one', () => {
  const end = center.show(STICKY)
  show()
  end()
  expect(isOpen()).toBe(true)
  center.show(STICKY)()
  expect(isOpen()).toBe(false)
})

it('a notification has a new key each time it is shown', () => {
  show()
  const earlierNotification = center.current()
  show()
  expect(center.current()?.key).not.toBe(earlierNotification?.key)
})

it('a listener is called once for each change of the notification', () => {
  const listener = vi.fn()
  center.onChange(listener)
  center.show(STICKY)
  center.pause('focus')
  center.pause('pointer')
  center.resume('pointer')
  center.resume('focus')
  center.close()
  expect(listener.mock.calls.map(([active]) => active?.paused)).toEqual([false, true, false, undefined])
})

it('a listener is called at each new attempt', () => {
  const listener = vi.fn()
  center.onAttempt(listener)
  center.beginAttempt()
  center.beginAttempt()
  expect(listener).toHaveBeenCalledTimes(2)
})
