import { act, screen, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS } from '../../src/domain/enquiry.ts'
import { animationsFinished } from '../support/page/page-states.ts'
import { contact } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

let app: Awaited<ReturnType<typeof renderApp>>
let dialog: HTMLDialogElement
beforeEach(async () => {
  app = await renderApp()
  dialog = screen.getByRole('dialog', { hidden: true })
})

const setOpen = (open: boolean) => act(async () => app.contactDialog.set(open))

/** A point on the mask, beside the dialog, at 1280 by 800 pixels. */
const onTheMask = () => ({ target: document.body, coords: { x: 40, y: 400 } })

test('assistive technology does not find a dialog that is closing', async () => {
  await contact.open()
  await setOpen(false)
  expect(dialog.inert).toBe(true)
})

test('the page behind the dialog does not scroll', async () => {
  await contact.open()
  expect(getComputedStyle(document.documentElement).overflowY).toBe('hidden')
})

test.each([
  ['forwards', { shift: false }],
  ['backwards', { shift: true }],
])('Tab moves the focus round in the dialog, %s', async (_, { shift }) => {
  await contact.open()
  const links = within(dialog).queryAllByRole('link')
  const stops = [...ENQUIRY_FIELDS.map(contact.field), contact.submit(), ...links, contact.closeIcon()]
  const round = shift ? [stops[0], ...stops.slice(1).toReversed()] : stops
  for (const stop of [...round, stops[0]]) {
    expect(stop).toHaveFocus()
    await userEvent.tab({ shift })
  }
})

test.each<[string, motion: string, durations: number[]]>([
  ['moves for 150 ms', 'no-preference', [150]],
  ['does not move with reduced motion', 'reduce', []],
])('a dialog that opens or closes %s', async (_, motion, durations) => {
  const emulate = (value: string) =>
    cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value }] })
  await emulate(motion)
  onTestFinished(async () => void (await emulate('no-preference')))
  for (const open of [true, false]) {
    await setOpen(open)
    const moving = dialog.getAnimations({ subtree: true })
    expect([...new Set(moving.map(({ effect }) => effect?.getTiming().duration))]).toEqual(durations)
    await animationsFinished()
  }
})

test.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['its close icon', () => userEvent.click(contact.closeIcon())],
  ['a press of the mask', () => userEvent.pointer({ ...onTheMask(), keys: '[MouseLeft]' })],
  ['the dialog service', () => setOpen(false)],
  ['another script', () => act(async () => dialog.close())],
])('when the dialog is closed by %s, the dialog service reports it once', async (_, close) => {
  await contact.open()
  await close()
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await animationsFinished()
  expect(app.dialogStates).toEqual([true, false])
})

const inField = () => ({ target: contact.field('last') })

test.each([
  ['ends in a field', onTheMask, inField],
  ['begins in a field', inField, onTheMask],
] as const)('a press of the mask does not close the dialog if it %s', async (_, begin, end) => {
  await contact.open()
  await userEvent.pointer({ ...begin(), keys: '[MouseLeft>]' })
  await userEvent.pointer([end(), '[/MouseLeft]'])
  expect(app.dialogStates).toEqual([true])
})
