import { expect, it } from 'vitest'
import { createContactDialog } from '../../src/domain/contact-dialog.ts'

it('the contact dialog is closed at first, can be set either way, and tells each change once, after it', () => {
  const dialog = createContactDialog()
  expect(dialog.current()).toBe(false)
  const told: boolean[][] = []
  const stop = dialog.onChange((open) => told.push([open, dialog.current()]))
  for (const open of [true, true, false, false]) dialog.set(open)
  stop()
  dialog.set(true)
  expect(told).toEqual([
    [true, true],
    [false, false],
  ])
})
