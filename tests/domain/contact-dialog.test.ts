import { expect, it, vi } from 'vitest'
import { createContactDialog } from '../../src/domain/contact-dialog.ts'

it('the contact dialog is closed at first, can be set either way, and tells each change once', () => {
  const dialog = createContactDialog()
  expect(dialog.current()).toBe(false)
  const told = vi.fn((open: boolean) => expect(dialog.current()).toBe(open))
  dialog.onChange(told)
  for (const open of [true, true, false, false, true]) dialog.set(open)
  expect(told.mock.calls).toEqual([[true], [false], [true]])
})

it('every listener is told, and none after it was stopped', () => {
  const dialog = createContactDialog()
  const [one, other] = [vi.fn(), vi.fn()]
  const stop = dialog.onChange(one)
  dialog.onChange(other)
  dialog.set(true)
  stop()
  dialog.set(false)
  expect(one.mock.calls).toEqual([[true]])
  expect(other.mock.calls).toEqual([[true], [false]])
})
