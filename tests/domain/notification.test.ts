import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserTimers } from '../../src/adapters/browser.ts'
import { createNotificationCenter, type Notification } from '../../src/domain/notification.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function setUp(life: Notification['life']) {
  const center = createNotificationCenter(browserTimers)
  const told = vi.fn()
  center.onChange(told)
  const show = () => center.show({ severity: 'info', summary: 's', detail: 'd', life, closable: true })
  show()
  return { ...center, show, told }
}

it('a notification is open for its life, which begins anew with each one that replaces it, under a key of its own', () => {
  const { show, current, told } = setUp(3000)
  const first = current()
  vi.advanceTimersByTime(2999)
  expect(current()).toBe(first)
  show()
  expect(current()?.key).not.toBe(first?.key)
  vi.advanceTimersByTime(2999)
  expect(current()).not.toBeNull()
  vi.advanceTimersByTime(1)
  expect(current()).toBeNull()
  expect(told).toHaveBeenCalledTimes(3)
})

it('pointer and focus hold its life, which starts again in full when both are gone; the next one is not held', () => {
  const { show, pause, resume, current, told } = setUp(3000)
  vi.advanceTimersByTime(2999)
  pause('pointer')
  pause('focus')
  pause('focus')
  resume('pointer')
  vi.advanceTimersByTime(9999)
  expect(current()?.paused).toBe(true)
  resume('focus')
  resume('focus')
  expect(told).toHaveBeenCalledTimes(3)
  vi.advanceTimersByTime(2999)
  expect(current()?.paused).toBe(false)
  pause('pointer')
  show()
  pause('focus')
  resume('focus')
  vi.advanceTimersByTime(3000)
  expect(current()).toBeNull()
})

it('a sticky notification stays until it is closed, which is told once', () => {
  const { pause, resume, close, current, told } = setUp('sticky')
  pause('focus')
  resume('focus')
  vi.advanceTimersByTime(1e9)
  expect(current()).not.toBeNull()
  told.mockClear()
  close()
  close()
  expect(current()).toBeNull()
  expect(told).toHaveBeenCalledTimes(1)
})

it('a hidden page holds the life, also of a notification that is shown meanwhile', () => {
  const { show, pause, resume, current } = setUp(3000)
  pause('hidden page')
  show()
  vi.advanceTimersByTime(1e9)
  expect(current()?.paused).toBe(true)
  resume('hidden page')
  vi.advanceTimersByTime(2999)
  expect(current()?.paused).toBe(false)
  vi.advanceTimersByTime(1)
  expect(current()).toBeNull()
})
