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
const pause = (reason: 'pointer' | 'focus') => () => center.pause(reason)
const resume = (reason: 'pointer' | 'focus') => () => center.resume(reason)

it.each<[string, ...steps: (() => void)[]]>([
  ['its first showing', show],
  ['a predecessor', show, () => pass(2999), show],
  ['a predecessor with the pointer and the focus', show, pause('pointer'), pause('focus'), show],
])('a notification has its whole life after %s', (_, ...steps) => {
  for (const step of steps) step()
  expect(center.current()?.paused).toBe(false)
  pass(2999)
  expect(isOpen()).toBe(true)
  pass(1)
  expect(isOpen()).toBe(false)
})

it('a notification stays if the page was hidden before it', () => {
  center.pause('hidden page')
  show()
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

it('a listener is called once for each change, with a new key for each showing', () => {
  const listener = vi.fn()
  center.onChange(listener)
  for (const step of [show, pause('focus'), pause('pointer'), resume('pointer'), resume('focus'), show]) step()
  center.close()
  const changes = listener.mock.calls.map(([active]) => active && [active.key, active.paused])
  expect(changes).toEqual([[1, false], [1, true], [1, false], [2, false], null])
})
