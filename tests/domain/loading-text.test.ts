import { expect, it } from 'vitest'
import { startLoadingDots } from '../../src/domain/loading-text.ts'
import { createFakeTimers } from '../support/fake-timers.ts'

it('the dots go from none to three and begin again, one step every 500 ms', () => {
  const timers = createFakeTimers()
  const shown: string[] = []
  startLoadingDots(timers, (dots) => shown.push(dots))
  expect(shown).toEqual([''])
  timers.advance(499)
  expect(shown).toEqual([''])
  timers.advance(1)
  expect(shown).toEqual(['', '.'])
  timers.advance(3000)
  expect(shown).toEqual(['', '.', '..', '...', '', '.', '..', '...'])
})

it('stopped, they stand still and leave no timer behind', () => {
  const timers = createFakeTimers()
  const shown: string[] = []
  const stop = startLoadingDots(timers, (dots) => shown.push(dots))
  timers.advance(500)
  stop()
  stop()
  timers.advance(5000)
  expect(shown).toEqual(['', '.'])
  expect(timers.pending()).toBe(0)
})
