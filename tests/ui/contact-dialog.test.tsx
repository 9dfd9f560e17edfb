import { act, screen, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { animationsFinished } from '../../scripts/page-states.ts'
import { TEXT } from '../../src/domain/texts.ts'
import { closeDialog, closeIcon, field, openDialog } from '../support/page/contact-us.ts'
import { renderApp } from '../support/page/render-app.tsx'

const opener = () => screen.getByRole('button', { name: TEXT.contactUs })
const gone = () => expect.poll(() => screen.queryByRole('dialog')).toBeNull()

/** On the mask, and on nothing else at 1280 by 800. */
const ON_THE_MASK = { target: document.body, coords: { x: 40, y: 400 } }

describe('the dialog', () => {
  test('is modal, has its title, is a child of the body, and keeps all behind it from being focused or pressed', async () => {
    await renderApp()
    const dialog = await openDialog()
    expect(dialog).toHaveAccessibleName(TEXT.contactUs)
    expect(dialog.matches(':modal')).toBe(true)
    expect(within(dialog).getByRole('heading', { name: TEXT.contactUs })).toBeVisible()
    expect(dialog.parentElement).toBe(document.body)
    const subscribe = screen.getByRole('button', { name: TEXT.subscribe })
    subscribe.focus()
    expect(subscribe).not.toHaveFocus()
    const { x, y } = subscribe.getBoundingClientRect()
    expect(dialog).toContainElement(document.elementFromPoint(x + 5, y + 5) as HTMLElement)
  })

  test('keeps the page behind it from scrolling', async () => {
    await renderApp()
    document.body.style.minHeight = '3000px'
    onTestFinished(() => {
      document.body.style.minHeight = ''
    })
    window.scrollTo(0, 50)
    await openDialog()
    closeIcon().focus()
    await userEvent.keyboard('{PageDown}')
    await userEvent.wheel(screen.getByRole('dialog'), { delta: { y: 300 } })
    await userEvent.wheel(document.body, { delta: { y: 300 } })
    await animationsFinished()
    expect(window.scrollY).toBe(50)
  })

  test.each([true, false])('takes 150 ms to come and to go (open: %s)', async (open) => {
    const { contactDialog } = await renderApp()
    const dialog = await openDialog()
    if (!open) await act(async () => contactDialog.set(false))
    else {
      await closeDialog()
      await act(async () => contactDialog.set(true))
    }
    const moving = dialog.getAnimations({ subtree: true }) as CSSTransition[]
    const away = { opacity: '0', transform: 'scale(0.7)' }
    for (const [property, value] of Object.entries(away)) {
      const [one] = moving.filter((transition) => transition.transitionProperty === property)
      const effect = one?.effect as KeyframeEffect
      expect(effect.getTiming()).toMatchObject({ duration: 150, easing: 'cubic-bezier(0, 0, 0.2, 1)' })
      expect(effect.getKeyframes().at(open ? 0 : -1)?.[property]).toBe(value)
    }
    expect(moving.every(({ effect }) => effect?.getTiming().duration === 150)).toBe(true)
  })
})

describe('closing the dialog', () => {
  const WAYS = {
    Escape: () => userEvent.keyboard('{Escape}'),
    'the close icon': () => userEvent.click(closeIcon()),
    'the close icon by Enter': async () => {
      closeIcon().focus()
      await userEvent.keyboard('{Enter}')
    },
    'a click on the mask': () => userEvent.pointer({ ...ON_THE_MASK, keys: '[MouseLeft]' }),
  }

  test.each(Object.entries(WAYS))(
    'by %s tells the service once, at its start, and gives the focus back to the button that opened it',
    async (_name, close) => {
      const { dialogNews, contactDialog } = await renderApp()
      const dialog = await openDialog()
      let animating = false
      contactDialog.onChange(() => {
        animating = dialog.getAnimations().length > 0 || !dialog.checkVisibility()
      })
      await close()
      await gone()
      await animationsFinished()
      expect(dialogNews).toEqual([true, false])
      expect(animating, 'the service was told after the start').toBe(false)
      await expect.poll(() => document.activeElement).toBe(opener())
    },
  )

  test('by the service closes and opens it as well, and the mask works again', async () => {
    const { contactDialog, dialogNews } = await renderApp()
    await openDialog()
    await act(async () => contactDialog.set(false))
    await gone()
    await act(async () => contactDialog.set(true))
    expect(await screen.findByRole('dialog')).toBeVisible()
    await animationsFinished()
    await userEvent.pointer({ ...ON_THE_MASK, keys: '[MouseLeft]' })
    await gone()
    expect(dialogNews).toEqual([true, false, true, false])
  })

  test('takes a press that begins and ends on the mask, by the left button', async () => {
    const { dialogNews } = await renderApp()
    const dialog = await openDialog()
    await userEvent.pointer({ ...ON_THE_MASK, keys: '[MouseLeft>]' })
    await userEvent.pointer([{ target: field('last') }, '[/MouseLeft]'])
    expect(field('first')).toHaveFocus()
    await userEvent.pointer([{ target: field('first'), keys: '[MouseLeft>]' }, ON_THE_MASK, '[/MouseLeft]'])
    await userEvent.pointer([{ target: dialog, coords: { x: 5, y: 5 }, keys: '[MouseLeft>]' }, ON_THE_MASK])
    await userEvent.pointer('[/MouseLeft]')
    await userEvent.pointer({ ...ON_THE_MASK, keys: '[MouseRight]' })
    await new Promise(requestAnimationFrame)
    await animationsFinished()
    expect(dialogNews).toEqual([true])
  })
})

describe('the focus', () => {
  test('is not lost by a double click on the button', async () => {
    const { dialogNews } = await renderApp()
    await userEvent.dblClick(opener())
    const dialog = await screen.findByRole('dialog')
    await animationsFinished()
    expect(dialogNews).toEqual([true])
    await expect.poll(() => dialog.contains(document.activeElement)).toBe(true)
  })
})
