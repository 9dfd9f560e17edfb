import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { ContactDialog } from '../../src/ui/contact-dialog.tsx'
import type { Ports } from '../../src/ui/ports-context.ts'
import { standstill } from '../support/axe.ts'
import { closeDialog, openDialog } from '../support/contact-us.ts'
import { renderApp } from '../support/render-app.tsx'
import { toast, toasts } from '../support/toasts.ts'

type Code = Awaited<ReturnType<Ports['loadContactDialog']>>

const contactUs = () => screen.getByRole('button', { name: 'Contact us' })
const loading = () => screen.queryByText('Loading')
const nothingOpen = () => {
  expect(loading()).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
}

/** The page, whose dialog's code arrives, or not, when the test says so. */
async function renderSlowly(size?: { width: number; height: number }) {
  const loads: PromiseWithResolvers<Code>[] = []
  const app = await renderApp({
    ...size,
    loadContactDialog: () => {
      const load = Promise.withResolvers<Code>()
      loads.push(load)
      return load.promise
    },
  })
  return {
    ...app,
    loads,
    arrive: (at = 0) => act(async () => loads[at]?.resolve(ContactDialog)),
    fail: (at = 0) => act(async () => loads[at]?.reject(new Error('The network is gone.'))),
  }
}

describe('while the code of the dialog is on its way', () => {
  test("'Loading' is shown, and no longer when the dialog stands", async () => {
    const { arrive, timers } = await renderSlowly()
    expect(loading()).toBeNull()
    await userEvent.click(contactUs())
    await standstill()
    expect(loading()).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    await arrive()
    expect(await screen.findByRole('dialog')).toBeVisible()
    expect(loading()).toBeNull()
    expect(timers.pending()).toBe(0)
  })

  test('0 to 3 dots follow it, one more every 500 ms', async () => {
    const { pass } = await renderSlowly()
    await userEvent.click(contactUs())
    for (const text of ['Loading', 'Loading.', 'Loading..', 'Loading...', 'Loading', 'Loading.']) {
      expect(loading()?.textContent).toBe(text)
      pass(499)
      expect(loading()?.textContent).toBe(text)
      pass(1)
    }
  })

  test('the dots are hidden from assistive technology, and the word is announced', async () => {
    const { pass } = await renderSlowly()
    await userEvent.click(contactUs())
    pass(1500)
    expect(loading()).toBe(screen.getAllByRole('status').find((region) => region.textContent === 'Loading...'))
    expect(screen.getByText('...')).toHaveAttribute('aria-hidden', 'true')
  })

  test('the word stands still while the dots come and go', async () => {
    const { pass } = await renderSlowly()
    await userEvent.click(contactUs())
    const before = loading()?.getBoundingClientRect()
    pass(1500)
    expect(loading()?.getBoundingClientRect()).toEqual(before)
  })

  test('it stands on a mask over the whole page, in the middle', async () => {
    await renderSlowly({ width: 1280, height: 800 })
    await userEvent.click(contactUs())
    await standstill()
    const box = loading()?.getBoundingClientRect()
    expect(Number(box?.left) + Number(box?.width) / 2).toBeCloseTo(640, 0)
    expect(Number(box?.top) + Number(box?.height) / 2).toBeCloseTo(400, 0)
    const mask = loading()?.parentElement
    expect(mask?.getBoundingClientRect()).toMatchObject({ x: 0, y: 0, width: 1280, height: 800 })
    expect(document.elementFromPoint(1, 1)).toBe(mask)
  })

  test('nothing of it is seen in the first 150 ms', async () => {
    const { contactDialog } = await renderSlowly()
    await act(async () => contactDialog.set(true))
    const mask = loading()?.parentElement as Element
    const [entrance] = mask.getAnimations()
    entrance?.pause()
    if (entrance) entrance.currentTime = 149
    expect(getComputedStyle(mask).opacity).toBe('0')
    entrance?.finish()
    expect(getComputedStyle(mask).opacity).toBe('1')
  })

  test("a second press of 'Contact us' by the keyboard loads nothing more", async () => {
    const { loads } = await renderSlowly()
    contactUs().focus()
    await userEvent.keyboard('{Enter}{Enter}')
    expect(loads).toHaveLength(1)
    expect(screen.getAllByText('Loading')).toHaveLength(1)
  })

  test('a toast stands above it and can be closed, and the dialog has the focus when it arrives', async () => {
    const { notifications, dialogNews, arrive } = await renderSlowly()
    await userEvent.click(contactUs())
    await act(async () => notifications.show(NOTIFICATIONS.failed))
    await userEvent.click(within(toast()).getByRole('button', { name: 'Close' }))
    expect(toasts()).toEqual([])
    expect(loading()).not.toBeNull()
    expect(dialogNews).toEqual([true])
    await arrive()
    await expect.poll(() => document.activeElement).toBe(screen.getByPlaceholderText('First Name'))
  })

  test('the dialog takes the focus when it arrives, and gives it back', async () => {
    const { arrive } = await renderSlowly()
    await userEvent.click(contactUs())
    await arrive()
    await expect.poll(() => document.activeElement).toBe(screen.getByPlaceholderText('First Name'))
    await closeDialog()
  })
})

describe('cancelling', () => {
  const WAYS = {
    Escape: () => userEvent.keyboard('{Escape}'),
    'a press on the mask': () =>
      userEvent.pointer({ target: document.body, coords: { x: 40, y: 40 }, keys: '[MouseLeft]' }),
  }

  test.each(Object.entries(WAYS))('by %s takes the text away and tells the service once', async (_way, cancel) => {
    const { dialogNews, timers } = await renderSlowly()
    await userEvent.click(contactUs())
    await cancel()
    nothingOpen()
    expect(dialogNews).toEqual([true, false])
    expect(timers.pending()).toBe(0)
  })

  test.each(Object.entries(WAYS))("by %s leaves the focus on 'Contact us'", async (_way, cancel) => {
    const { notifications } = await renderSlowly()
    await userEvent.click(contactUs())
    await cancel()
    expect(contactUs()).toHaveFocus()
    await userEvent.click(contactUs())
    await act(async () => notifications.show(NOTIFICATIONS.failed))
    await userEvent.click(within(toast()).getByRole('button', { name: 'Close' }))
    await cancel()
    expect(contactUs()).toHaveFocus()
  })

  test.each(Object.entries(WAYS))('by %s keeps a late arrival from opening', async (_way, cancel) => {
    const { arrive, dialogNews } = await renderSlowly()
    await userEvent.click(contactUs())
    await cancel()
    await arrive()
    await standstill()
    nothingOpen()
    expect(dialogNews).toEqual([true, false])
    expect(contactUs()).toHaveFocus()
    expect(screen.getByRole('heading', { name: 'Launching soon!' })).toBeVisible()
    await openDialog()
    expect(loading()).toBeNull()
    await closeDialog()
  })

  test('by a press on the mask does not press what lies behind it', async () => {
    const { dialogNews } = await renderSlowly()
    await userEvent.click(contactUs())
    const { x, y } = screen.getByRole('button', { name: 'Subscribe' }).getBoundingClientRect()
    await userEvent.pointer({ coords: { x: x + 20, y: y + 20 }, target: document.body, keys: '[MouseLeft]' })
    nothingOpen()
    expect(toasts()).toEqual([])
    expect(dialogNews).toEqual([true, false])
  })

  test('does not happen by a press of the right button', async () => {
    const { dialogNews } = await renderSlowly()
    await userEvent.click(contactUs())
    await userEvent.pointer({ target: document.body, coords: { x: 40, y: 40 }, keys: '[MouseRight]' })
    expect(loading()).not.toBeNull()
    expect(dialogNews).toEqual([true])
  })

  test('does not happen by the second press of a double click on the button', async () => {
    const { dialogNews } = await renderSlowly()
    await userEvent.dblClick(contactUs())
    expect(loading()).not.toBeNull()
    expect(dialogNews).toEqual([true])
  })

  test('is forgotten when the button is pressed again before the code arrives', async () => {
    const { arrive, dialogNews } = await renderSlowly()
    await userEvent.click(contactUs())
    await userEvent.keyboard('{Escape}')
    await userEvent.click(contactUs())
    expect(loading()).not.toBeNull()
    await arrive()
    expect(await screen.findByRole('dialog')).toBeVisible()
    expect(dialogNews).toEqual([true, false, true])
  })

  test('keeps a late failure silent', async () => {
    const { fail } = await renderSlowly()
    await userEvent.click(contactUs())
    await userEvent.keyboard('{Escape}')
    await fail()
    nothingOpen()
    expect(toasts()).toEqual([])
  })

  test('keeps a late failure from ending the next try', async () => {
    const { fail, arrive } = await renderSlowly()
    await userEvent.click(contactUs())
    await userEvent.keyboard('{Escape}')
    await userEvent.click(contactUs())
    await fail(0)
    expect(toasts()).toEqual([])
    expect(loading()).not.toBeNull()
    await arrive(1)
    expect(await screen.findByRole('dialog')).toBeVisible()
  })
})

describe('code that can not be had', () => {
  test('is told as a call failure, and nothing stays open', async () => {
    const { fail, dialogNews, timers } = await renderSlowly()
    await userEvent.click(contactUs())
    await fail()
    nothingOpen()
    expect(within(screen.getByRole('alert')).getByText('Oops!')).toBeVisible()
    expect(toast()).toMatchTextContent('Looks like something went wrong. Please try again!')
    expect(dialogNews).toEqual([true, false])
    expect(contactUs()).toHaveFocus()
    expect(timers.pending()).toBe(0)
  })

  test('is tried again by the next click', async () => {
    const { fail, arrive, loads } = await renderSlowly()
    await userEvent.click(contactUs())
    await fail()
    await userEvent.click(contactUs())
    expect(loads).toHaveLength(2)
    expect(loading()).not.toBeNull()
    await arrive(1)
    expect(await screen.findByRole('dialog')).toBeVisible()
  })
})

describe('an idle page', () => {
  const whenIdle = (run: () => void) => {
    run()
    return () => {}
  }

  test('has the dialog ready and closed, so that a click shows no loading text', async () => {
    await renderApp({ whenIdle })
    await waitFor(() => expect(document.querySelector('[role=dialog]')).not.toBeNull())
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.click(contactUs())
    expect(loading()).toBeNull()
    expect(screen.getByRole('dialog')).not.toBeNull()
  })

  test('keeps to itself that the code could not be had, and tries again at the click', async () => {
    let tries = 0
    const loadContactDialog = async () => {
      tries += 1
      if (tries === 1) throw new Error('offline')
      return ContactDialog
    }
    await renderApp({ whenIdle, loadContactDialog })
    expect(screen.queryByText('Oops!')).toBeNull()
    await userEvent.click(contactUs())
    await screen.findByRole('dialog')
    expect(tries).toBe(2)
  })
})

describe('code that is there', () => {
  test('is asked for once, and not before the first click', async () => {
    const { arrive, loads } = await renderSlowly()
    expect(loads).toHaveLength(0)
    await userEvent.click(contactUs())
    await arrive()
    await screen.findByRole('dialog')
    await closeDialog()
    await openDialog()
    expect(loads).toHaveLength(1)
  })
})
