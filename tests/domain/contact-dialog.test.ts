import { expect, it, vi } from 'vitest'
import { createContactDialog } from '../../src/domain/contact-dialog.ts'

it('the contact dialog is closed at first, can be set either way, and tells every listener each change once', () => {
  const dialog = createContactDialog()
  expect(dialog.current()).toBe(false)
  const [one, other] = [vi.fn((open: boolean) => expect(dialog.current()).toBe(open)), vi.fn()]
  const stop = dialog.onChange(one)
  dialog.onChange(other)
  for (const open of [true, true, false, false]) dialog.set(open)
  stop()
  dialog.set(true)
  expect(one.mock.calls).toEqual([[true], [false]])
  expect(other.mock.calls).toEqual([[true], [false], [true]])
})
