import { expect, it, vi } from 'vitest'
import { startLoadingText } from '../../src/domain/loading-text.ts'

function start() {
  const stopTimer = vi.fn()
  const show = vi.fn()
  let tick = () => {}
  const timers = {
    after: () => () => {},
    every(interval: number, run: () => void) {
      expect(interval).toBe(500)
      tick = run
      return stopTimer
    },
  }
  const stop = startLoadingText(timers, show)
  return { stop, stopTimer, show, tick: () => tick() }
}

it('shows nothing before the first half second', () => {
  expect(start().show).not.toHaveBeenCalled()
})

it('shows 0 to 3 dots in turn', () => {
  const { show, tick } = start()
  for (let i = 0; i < 5; i++) tick()
  expect(show.mock.calls).toEqual([[''], ['.'], ['..'], ['...'], ['']])
})

it('shows no text when it ends, and its timer with it', () => {
  const { show, stop, stopTimer } = start()
  stop()
  expect([show.mock.calls, stopTimer.mock.calls.length]).toEqual([[[null]], 1])
})
