import { expect, it, vi } from 'vitest'
import { createContactDialog } from '../../src/domain/contact-dialog.ts'
import { createObservable } from '../../src/domain/observable.ts'

it('each listener is told of a change once, unless it has left', () => {
  const observable = createObservable(1)
  const [early, late, gone] = [vi.fn(), vi.fn(), vi.fn()]
  for (const listener of [early, late]) observable.onChange(listener)
  observable.onChange(gone)()
  observable.set(2)
  expect([early.mock.calls, late.mock.calls, gone.mock.calls]).toEqual([[[2]], [[2]], []])
})

it('nobody is told of the value that an observable has already', () => {
  const observable = createObservable(1)
  const listener = vi.fn()
  observable.onChange(listener)
  observable.set(1)
  expect([listener.mock.calls, observable.current()]).toEqual([[], 1])
})

it('the contact dialog is closed at first', () => {
  expect(createContactDialog().current()).toBe(false)
})
