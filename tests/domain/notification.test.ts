import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { browserTimers } from '../../src/adapters/browser.ts'
import { createNotificationCenter, type Notification } from '../../src/domain/notification.ts'

const TIMED: Notification = { severity: 'info', summary: 's', detail: 'd', life: 3000, closable: true }
const STICKY: Notification = { ...TIMED, life: 'sticky', closable: true }

let center: ReturnType<typeof createNotificationCenter>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  center = createNotificationCenter(browserTimers)
})
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTime(ms)

const isOpen = () => center.current() !== null

describe('a notification', () => {
  it('is open for its life', () => {
    center.show(TIMED)
    pass(2999)
    expect(isOpen()).toBe(true)
    pass(1)
    expect(isOpen()).toBe(false)
  })

  it('that replaces another one has a whole life', () => {
    center.show(TIMED)
    pass(2999)
    center.show(TIMED)
    pass(2999)
    expect(isOpen()).toBe(true)
  })

  it('has a key of its own at each showing', () => {
    center.show(TIMED)
    const first = center.current()
    center.show(TIMED)
    expect(center.current()?.key).not.toBe(first?.key)
  })

  it('that is sticky stays until it is closed', () => {
    center.show(STICKY)
    pass(1e9)
    expect(isOpen()).toBe(true)
    center.close()
    expect(isOpen()).toBe(false)
  })

  it('goes when a new attempt begins', () => {
    center.show(STICKY)
    center.beginAttempt()
    expect(isOpen()).toBe(false)
  })
})

describe('its life', () => {
  it.each(['pointer', 'focus', 'hidden page'] as const)('stands still while held: %s', (reason) => {
    center.show(TIMED)
    center.pause(reason)
    pass(1e9)
    expect(center.current()?.paused).toBe(true)
  })

  it('starts again in full when it is no longer held', () => {
    center.show(TIMED)
    pass(2999)
    center.pause('pointer')
    center.resume('pointer')
    pass(2999)
    expect(center.current()?.paused).toBe(false)
    pass(1)
    expect(isOpen()).toBe(false)
  })

  it('is held until the last reason is gone', () => {
    center.show(TIMED)
    center.pause('pointer')
    center.pause('focus')
    center.resume('pointer')
    pass(1e9)
    expect(isOpen()).toBe(true)
  })

  it.each(['pointer', 'focus'] as const)('of the next notification is not held by the %s at this one', (reason) => {
    center.show(TIMED)
    center.pause(reason)
    center.show(TIMED)
    pass(3000)
    expect(isOpen()).toBe(false)
  })

  it('is held by a hidden page, also of a notification that is shown meanwhile', () => {
    center.pause('hidden page')
    center.show(TIMED)
    pass(1e9)
    expect(center.current()?.paused).toBe(true)
  })
})

describe('a listener', () => {
  it('is told of each change once', () => {
    const told = vi.fn()
    center.onChange(told)
    center.show(STICKY)
    center.pause('focus')
    center.pause('focus')
    center.resume('focus')
    center.resume('focus')
    center.close()
    center.close()
    expect(told.mock.calls.map(([active]) => active?.paused)).toEqual([false, true, false, undefined])
  })

  it('is told of each new attempt', () => {
    const told = vi.fn()
    center.onAttempt(told)
    center.beginAttempt()
    center.beginAttempt()
    expect(told).toHaveBeenCalledTimes(2)
  })

  it('that has left is told of no attempt', () => {
    const told = vi.fn()
    center.onAttempt(told)()
    center.beginAttempt()
    expect(told).not.toHaveBeenCalled()
  })
})
