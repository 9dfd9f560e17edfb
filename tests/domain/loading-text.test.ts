import { expect, it } from 'vitest'
import { startLoadingDots } from '../../src/domain/loading-text.ts'
import { createFakeTimers } from '../support/fake-timers.ts'

it('the dots go from none to three and begin again, one step every 500 ms, until they are stopped', () => {
  const timers = createFakeTimers()
  const shown: string[] = []
  const stop = startLoadingDots(timers, (dots) => shown.push(dots))
  timers.advance(499)
  expect(shown).toEqual([''])
  timers.advance(2001)
  expect(shown).toEqual(['', '.', '..', '...', '', '.'])
  stop()
  timers.advance(5000)
  expect(shown).toHaveLength(6)
  expect(timers.pending()).toBe(0)
})
