import { act, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { element } from '../../src/adapters/browser.ts'
import { ENQUIRY_FIELDS } from '../../src/domain/enquiry.ts'
import { TEXT } from '../../src/domain/texts.ts'
import { animationsFinished } from '../support/page/page-states.ts'
import { closeIcon, field, openDialog, submitButton } from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const opener = () => screen.getByRole('button', { name: TEXT.contactUs })

/** On the mask, and on nothing else at 1280 by 800. */
const ON_THE_MASK = { target: document.body, coords: { x: 40, y: 400 } }

test('the dialog is modal, a child of the body, and has its title', async () => {
  await renderApp()
  const dialog = await openDialog()
  expect(dialog.matches('body > :modal')).toBe(true)
  expect(dialog).toHaveAccessibleName(TEXT.contactUs)
  expect(within(dialog).getByRole('heading', { name: TEXT.contactUs })).toBeVisible()
  expect(getComputedStyle(document.documentElement).overflowY, 'the page behind does not scroll').toBe('hidden')
})

test('Tab goes round in the dialog, in both directions', async () => {
  await renderApp()
  const links = within(await openDialog()).queryAllByRole('link')
  const round = [...ENQUIRY_FIELDS.map(field), submitButton(), ...links, closeIcon()]
  for (const stop of [...round, ...round.slice(0, 1)]) {
    expect(stop).toHaveFocus()
    await userEvent.tab()
  }
  for (const stop of [field('last'), field('first'), closeIcon(), ...links.toReversed(), submitButton()]) {
    expect(stop).toHaveFocus()
    await userEvent.tab({ shift: true })
  }
})

test('the dialog takes 150 ms to come and to go, can be read from its first frame, and is in the way of no press while it goes', async () => {
  const { contactDialog } = await renderApp()
  const dialog = element('contact-dialog', HTMLDialogElement)
  for (const open of [true, false]) {
    await act(async () => contactDialog.set(open))
    expect(dialog.open).toBe(open)
    const moving = dialog.getAnimations({ subtree: true })
    expect(new Set(moving.map(({ effect }) => effect?.getTiming().duration))).toEqual(new Set([150]))
    if (open) expect(dialog.querySelector('h2')?.checkVisibility({ opacityProperty: true })).toBe(true)
    expect(dialog.contains(document.elementFromPoint(innerWidth / 2, innerHeight / 2))).toBe(open)
    await animationsFinished()
  }
})

test('however the dialog is closed, the service is told once, at the start, and its button has the focus again', async () => {
  const { dialogNews, contactDialog } = await renderApp()
  for (const close of [
    () => userEvent.keyboard('{Escape}'),
    () => userEvent.click(closeIcon()),
    () => userEvent.pointer({ ...ON_THE_MASK, keys: '[MouseLeft]' }),
    () => act(async () => contactDialog.set(false)),
  ]) {
    const dialog = await openDialog()
    let animating = false
    const stop = contactDialog.onChange(() => {
      animating = dialog.getAnimations().length > 0 || !dialog.checkVisibility()
    })
    await close()
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    await animationsFinished()
    stop()
    expect(dialogNews.splice(0)).toEqual([true, false])
    expect(animating, 'the service was told after the start').toBe(false)
    await expect.poll(() => document.activeElement).toBe(opener())
  }
})

test('a press closes the dialog only if it begins and ends on the mask, by the left button', async () => {
  const { dialogNews } = await renderApp()
  const dialog = await openDialog()
  await userEvent.pointer({ ...ON_THE_MASK, keys: '[MouseLeft>]' })
  await userEvent.pointer([{ target: field('last') }, '[/MouseLeft]'])
  expect(field('first')).toHaveFocus()
  await userEvent.pointer([{ target: field('first'), keys: '[MouseLeft>]' }, ON_THE_MASK, '[/MouseLeft]'])
  await userEvent.pointer([{ target: within(dialog).getByRole('heading'), keys: '[MouseLeft>]' }, ON_THE_MASK])
  await userEvent.pointer('[/MouseLeft]')
  await userEvent.pointer({ ...ON_THE_MASK, keys: '[MouseRight]' })
  await new Promise(requestAnimationFrame)
  await animationsFinished()
  expect(dialogNews).toEqual([true])
})

test('a dialog that something else closes gives the notifications back to the page', async () => {
  await renderApp()
  const dialog = element('contact-dialog', HTMLDialogElement)
  await openDialog()
  await act(async () => dialog.close())
  await expect.poll(() => document.getElementById('notifications')?.parentElement).toBe(document.body)
})
