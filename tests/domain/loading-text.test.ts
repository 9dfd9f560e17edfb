import { expect, it } from 'vitest'
import { startLoadingText } from '../../src/domain/loading-text.ts'
import { createFakeTimers } from '../support/fake-timers.ts'

it('the loading text comes after half a second and counts none to three dots, every 500 ms, until it is stopped', () => {
  const timers = createFakeTimers()
  const shown: (string | null)[] = []
  const stop = startLoadingText(timers, (dots) => shown.push(dots))
  timers.advance(499)
  expect(shown).toEqual([])
  timers.advance(2501)
  expect(shown).toEqual(['', '.', '..', '...', '', '.'])
  stop()
  timers.advance(5000)
  expect(shown.slice(6)).toEqual([null])
})
