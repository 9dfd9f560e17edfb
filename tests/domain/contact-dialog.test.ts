import { expect, it, vi } from 'vitest'
import { createContactDialog } from '../../src/domain/contact-dialog.ts'

it('the contact dialog is closed at first, and tells each listener once that it has changed', () => {
  const contactDialog = createContactDialog()
  const [listener, removedListener] = [vi.fn(), vi.fn()]
  contactDialog.onChange(listener)
  contactDialog.onChange(removedListener)()
  for (const open of [false, true, true]) contactDialog.set(open)
  expect([listener.mock.calls, removedListener.mock.calls, contactDialog.current()]).toEqual([[[true]], [], true])
})
