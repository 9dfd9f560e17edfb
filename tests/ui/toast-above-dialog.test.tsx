import { act, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { animationsFinished } from '../../scripts/page-states.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { closeDialog, field, openDialog } from '../support/page/contact-us.ts'
import { renderApp } from '../support/page/render-app.tsx'
import { progressBar, toast, toasts } from '../support/page/toasts.ts'

describe('a toast above the open dialog', () => {
  async function renderBoth() {
    const app = await renderApp()
    await openDialog()
    await act(async () => app.notifications.show(NOTIFICATIONS.failed))
    await animationsFinished()
    return app
  }
  const close = () => within(toast()).getByRole('button', { name: TEXT.close })

  test('stands above dialog and mask, announced by a region that stood in the dialog before it', async () => {
    const { notifications } = await renderApp({ width: 320, height: 568 })
    const dialog = await openDialog()
    const region = within(dialog).getByRole('alert')
    await act(async () => notifications.show(NOTIFICATIONS.failed))
    await animationsFinished()
    expect(within(region).getByText(NOTIFICATION_TEXT.failed.summary)).toBeVisible()
    const { left, right, top, bottom } = toast().getBoundingClientRect()
    const corners = [left + 10, right - 10].flatMap((x) => [top + 10, bottom - 10].map((y) => ({ x, y })))
    for (const { x, y } of corners) expect(toast()).toContainElement(document.elementFromPoint(x, y) as HTMLElement)
  })

  test('that came before the dialog is the same toast in it, and after it', async () => {
    const { notifications } = await renderApp()
    await act(async () => notifications.show(NOTIFICATIONS.subscribed))
    const [card, bar] = [toast(), progressBar()]
    const dialog = await openDialog()
    expect(dialog).toContainElement(card)
    expect(toast()).toBe(card)
    expect(progressBar()).toBe(bar)
    await closeDialog()
    expect(dialog).not.toContainElement(toast())
    expect(toast()).toBe(card)
  })

  test('is reached and closed by the keyboard, and the focus goes back to where it was', async () => {
    await renderBoth()
    await userEvent.tab({ shift: true })
    expect(close()).toHaveFocus()
    await userEvent.tab()
    expect(field('first')).toHaveFocus()
    await userEvent.tab({ shift: true })
    await userEvent.keyboard('{Enter}')
    expect(toasts()).toEqual([])
    expect(field('first')).toHaveFocus()
  })

  test('closes nothing but itself, by its button alone, and gives the focus back to the field that had it', async () => {
    const { dialogNews } = await renderBoth()
    await userEvent.click(within(toast()).getByText(NOTIFICATION_TEXT.failed.summary))
    await new Promise(requestAnimationFrame)
    await animationsFinished()
    expect(toasts()).toHaveLength(1)
    await userEvent.click(field('message'))
    await userEvent.click(close())
    expect(toasts()).toEqual([])
    await expect.poll(() => document.activeElement).toBe(field('message'))
    expect(dialogNews).toEqual([true])
  })

  test('stays when Escape closes the dialog', async () => {
    await renderBoth()
    await closeDialog()
    expect(toasts()).toHaveLength(1)
    await userEvent.click(close())
    expect(screen.getByPlaceholderText(TEXT.emailPlaceholder)).toHaveFocus()
  })
})
