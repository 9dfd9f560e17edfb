import { expect, it, vi } from 'vitest'
import { createObservable } from '../../src/domain/observable.ts'

it('tells each listener of a change, and has the new value', () => {
  const observable = createObservable(1)
  const [first, second] = [vi.fn(), vi.fn()]
  observable.onChange(first)
  observable.onChange(second)
  observable.set(2)
  expect([first.mock.calls, second.mock.calls, observable.current()]).toEqual([[[2]], [[2]], 2])
})

it('tells nobody of the value that it has already', () => {
  const observable = createObservable(1)
  const listener = vi.fn()
  observable.onChange(listener)
  observable.set(1)
  expect(listener).not.toHaveBeenCalled()
})

it('tells a listener that has left nothing more', () => {
  const observable = createObservable(1)
  const [gone, stays] = [vi.fn(), vi.fn()]
  const leave = observable.onChange(gone)
  observable.onChange(stays)
  leave()
  observable.set(2)
  expect([gone.mock.calls, stays.mock.calls]).toEqual([[], [[2]]])
})
