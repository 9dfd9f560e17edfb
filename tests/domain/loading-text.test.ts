import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserTimers } from '../../src/adapters/browser.ts'
import { startLoadingText } from '../../src/domain/loading-text.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('the loading text begins after half a second, and then shows 0 to 3 dots in turn', () => {
  const show = vi.fn()
  startLoadingText(browserTimers, show)
  vi.advanceTimersByTime(499)
  expect(show).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2001)
  expect(show.mock.calls.flat()).toEqual(['', '.', '..', '...', ''])
})
