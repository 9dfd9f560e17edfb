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
  ['it replaced another one', show, () => pass(2999), show],
  [
    'the last reason to hold it is gone',
    show,
    () => pass(2999),
    () => center.pause('focus'),
    () => center.resume('focus'),
  ],
  ['it replaced one that had the pointer', show, () => center.pause('pointer'), show],
  ['it replaced one that had the focus', show, () => center.pause('focus'), show],
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
  ['a page hidden before it came', () => center.pause('hidden page'), show],
  [
    'one reason of two',
    show,
    () => center.pause('pointer'),
    () => center.pause('focus'),
    () => center.resume('pointer'),
  ],
])('a notification does not run out while it is held by %s', (_, ...steps) => {
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

it('a notification has a key of its own at each showing', () => {
  show()
  const earlier = center.current()
  show()
  expect(center.current()?.key).not.toBe(earlier?.key)
})

it('a listener is told of each change of the notification once', () => {
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

it('a listener is told of each new attempt', () => {
  const listener = vi.fn()
  center.onAttempt(listener)
  center.beginAttempt()
  center.beginAttempt()
  expect(listener).toHaveBeenCalledTimes(2)
})
