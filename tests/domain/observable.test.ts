import { expect, it, vi } from 'vitest'
import { createContactDialog } from '../../src/domain/contact-dialog.ts'
import { createObservable } from '../../src/domain/observable.ts'

it('a change calls each listener once, except a removed listener', () => {
  const observable = createObservable(1)
  const [earlyListener, lateListener, removedListener] = [vi.fn(), vi.fn(), vi.fn()]
  for (const listener of [earlyListener, lateListener]) observable.onChange(listener)
  observable.onChange(removedListener)()
  observable.set(2)
  expect([earlyListener.mock.calls, lateListener.mock.calls, removedListener.mock.calls]).toEqual([[[2]], [[2]], []])
})

it('setting the current value again calls no listener', () => {
  const observable = createObservable(1)
  const listener = vi.fn()
  observable.onChange(listener)
  observable.set(1)
  expect([listener.mock.calls, observable.current()]).toEqual([[], 1])
})

it('the contact dialog is closed at first', () => {
  expect(createContactDialog().current()).toBe(false)
})
