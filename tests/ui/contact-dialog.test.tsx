import { act, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { element } from '../../src/adapters/browser.ts'
import { ENQUIRY_FIELDS } from '../../src/domain/enquiry.ts'
import { TEXT } from '../../src/domain/texts.ts'
import { animationsFinished } from '../support/page/page-states.ts'
import { contact } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

let app: Awaited<ReturnType<typeof renderApp>>
beforeEach(async () => {
  app = await renderApp()
})

/** On the mask, and on nothing else at 1280 by 800. */
const ON_THE_MASK = { target: document.body, coords: { x: 40, y: 400 } }

test('the dialog is a modal child of the body', async () => {
  expect((await contact.open()).matches('body > :modal')).toBe(true)
})

test('the dialog is named by its title', async () => {
  const dialog = await contact.open()
  expect(dialog).toHaveAccessibleName(TEXT.contactUs)
  expect(within(dialog).getByRole('heading', { name: TEXT.contactUs })).toBeVisible()
})

test('the page behind the dialog does not scroll', async () => {
  await contact.open()
  expect(getComputedStyle(document.documentElement).overflowY).toBe('hidden')
})

test('with reduced motion the dialog does not move', async () => {
  const emulate = (value: string) =>
    cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value }] })
  await emulate('reduce')
  onTestFinished(async () => void (await emulate('no-preference')))
  const dialog = element('contact-dialog', HTMLDialogElement)
  for (const open of [true, false]) {
    await act(async () => app.contactDialog.set(open))
    expect(dialog.getAnimations({ subtree: true })).toEqual([])
  }
})

test.each([
  ['forwards', { shift: false }],
  ['backwards', { shift: true }],
])('Tab goes round in the dialog, %s', async (_, { shift }) => {
  const links = within(await contact.open()).queryAllByRole('link')
  const stops = [...ENQUIRY_FIELDS.map(contact.field), contact.submit(), ...links, contact.closeIcon()]
  const round = shift ? [stops[0], ...stops.slice(1).toReversed()] : stops
  for (const stop of [...round, stops[0]]) {
    expect(stop).toHaveFocus()
    await userEvent.tab({ shift })
  }
})

describe.each([
  ['comes', true],
  ['goes', false],
])('while the dialog %s', (_, comes) => {
  async function renderMoving() {
    const dialog = element('contact-dialog', HTMLDialogElement)
    if (!comes) await contact.open()
    await act(async () => app.contactDialog.set(comes))
    return dialog
  }

  test('it moves for 150 ms', async () => {
    const moving = (await renderMoving()).getAnimations({ subtree: true })
    expect(new Set(moving.map(({ effect }) => effect?.getTiming().duration))).toEqual(new Set([150]))
  })

  test(comes ? 'it can be read and pressed' : 'it is in the way of no press', async () => {
    const dialog = await renderMoving()
    expect(dialog.contains(document.elementFromPoint(innerWidth / 2, innerHeight / 2))).toBe(comes)
    if (comes) expect(dialog.querySelector('h2')?.checkVisibility({ opacityProperty: true })).toBe(true)
  })
})

describe.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['its close icon', () => userEvent.click(contact.closeIcon())],
  ['a press of the mask', () => userEvent.pointer({ ...ON_THE_MASK, keys: '[MouseLeft]' })],
  ['code', () => act(async () => app.contactDialog.set(false))],
])('when the dialog is closed by %s', (_, close) => {
  test('its service is told once, before it begins to go', async () => {
    const dialog = await contact.open()
    const moving: boolean[] = []
    app.contactDialog.onChange(() => moving.push(dialog.getAnimations().length > 0 || !dialog.checkVisibility()))
    await close()
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    await animationsFinished()
    expect(moving).toEqual([false])
  })

  test('the button that opened it has the focus, even if the press gave it none', async () => {
    // As in Safari.
    await act(async () => contact.opener().click())
    await expect.poll(() => document.activeElement).toBe(contact.field('first'))
    await close()
    await expect.poll(() => document.activeElement).toBe(contact.opener())
  })
})

type Place = { readonly target: Element; readonly coords?: { x: number; y: number } }
const inField = (): Place => ({ target: contact.field('last') })

test.each<[string, begin: () => Place, end: () => Place, key: string]>([
  ['ends in a field', () => ON_THE_MASK, inField, 'MouseLeft'],
  ['begins in a field', inField, () => ON_THE_MASK, 'MouseLeft'],
  [
    'begins at the title',
    () => ({ target: within(screen.getByRole('dialog')).getByRole('heading') }),
    () => ON_THE_MASK,
    'MouseLeft',
  ],
  ['is by the right button', () => ON_THE_MASK, () => ON_THE_MASK, 'MouseRight'],
])('a press of the mask closes nothing if it %s', async (_, begin, end, key) => {
  await contact.open()
  await userEvent.pointer({ ...begin(), keys: `[${key}>]` })
  await userEvent.pointer([end(), `[/${key}]`])
  await new Promise(requestAnimationFrame)
  await animationsFinished()
  expect(app.dialogNews).toEqual([true])
})

test('a press of the mask leaves the focus in its field', async () => {
  await contact.open()
  await userEvent.pointer({ ...ON_THE_MASK, keys: '[MouseLeft>]' })
  expect(contact.field('first')).toHaveFocus()
  await userEvent.pointer([inField(), '[/MouseLeft]'])
})

test('a dialog that something else closes tells its service', async () => {
  await contact.open()
  await act(async () => element('contact-dialog', HTMLDialogElement).close())
  await expect.poll(() => app.dialogNews).toEqual([true, false])
})
