import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserTimers } from '../../src/adapters/browser.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it('after a delay it runs once', () => {
  const run = vi.fn()
  browserTimers.after(3000, run)
  vi.advanceTimersByTime(2999)
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(10_000)
  expect(run).toHaveBeenCalledOnce()
})

it('every interval it runs again', () => {
  const run = vi.fn()
  browserTimers.every(500, run)
  vi.advanceTimersByTime(499)
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1501)
  expect(run).toHaveBeenCalledTimes(4)
})

it.each(['after', 'every'] as const)('what was started with %s runs no more once it is stopped', (start) => {
  const run = vi.fn()
  const stop = browserTimers[start](500, run)
  stop()
  stop()
  vi.advanceTimersByTime(5000)
  expect(run).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

it('stopping one leaves the others running', () => {
  const [one, other] = [vi.fn(), vi.fn()]
  const stop = browserTimers.after(500, one)
  browserTimers.after(500, other)
  stop()
  vi.advanceTimersByTime(500)
  expect(one).not.toHaveBeenCalled()
  expect(other).toHaveBeenCalledOnce()
})
