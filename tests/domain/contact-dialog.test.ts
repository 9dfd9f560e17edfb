import { expect, it, vi } from 'vitest'
import { createContactDialog } from '../../src/domain/contact-dialog.ts'

it('the contact dialog is closed at first', () => {
  expect(createContactDialog().current()).toBe(false)
})

it('it can be set either way, and tells each change once', () => {
  const dialog = createContactDialog()
  const told = vi.fn()
  dialog.onChange(told)
  for (const open of [true, true, false, false, true]) {
    dialog.set(open)
    expect(dialog.current()).toBe(open)
  }
  expect(told.mock.calls).toEqual([[true], [false], [true]])
})

it('a listener that asks while it is told sees the new value', () => {
  const dialog = createContactDialog()
  const seen: boolean[] = []
  dialog.onChange(() => seen.push(dialog.current()))
  dialog.set(true)
  expect(seen).toEqual([true])
})

it('every listener is told, and none after it was stopped', () => {
  const dialog = createContactDialog()
  const [one, other] = [vi.fn(), vi.fn()]
  const stop = dialog.onChange(one)
  dialog.onChange(other)
  dialog.set(true)
  stop()
  stop()
  dialog.set(false)
  expect(one.mock.calls).toEqual([[true]])
  expect(other.mock.calls).toEqual([[true], [false]])
})
