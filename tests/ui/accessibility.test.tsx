import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { EnquiryAnswer, SubscribeAnswer } from '../../src/domain/ports.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { violations } from '../support/axe.ts'
import { closeDialog, closeIcon, ENQUIRY, field, fillIn, openDialog, submitButton } from '../support/contact-us.ts'
import { contrast } from '../support/contrast.ts'
import { prefer } from '../support/media.ts'
import { renderApp } from '../support/render-app.tsx'
import { progressBars, toast } from '../support/toasts.ts'

type Page = Awaited<ReturnType<typeof renderApp>>

const contactUs = () => screen.getByRole('button', { name: 'Contact us' })
const subscribeWith = async (typed: string) => {
  await userEvent.fill(screen.getByPlaceholderText('Enter your email'), typed)
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }))
}
const subscribed = (answer: SubscribeAnswer) => async (page: Page) => {
  await subscribeWith('ada@example.com')
  await page.subscriptions.answer(answer)
}
const enquired = (answer: EnquiryAnswer) => async (page: Page) => {
  await STATES.submitting()
  await page.enquiries.answer(answer)
}

/** How to bring the page into each of its states. */
const STATES = {
  'at rest': async () => {},
  'a call in flight': () => subscribeWith('ada@example.com'),
  'a new address': subscribed('subscribed'),
  'a known address': subscribed('already-subscribed'),
  'a failed call': subscribed('failed'),
  'an invalid email': () => subscribeWith('plain'),
  'the dialog open': openDialog,
  'a problem in the form': async () => {
    await openDialog()
    await userEvent.click(submitButton())
  },
  submitting: async () => {
    await openDialog()
    await fillIn(ENQUIRY)
    await userEvent.click(submitButton())
  },
  'an enquiry received': enquired('received'),
  'an enquiry declined': enquired('declined'),
  'an enquiry failed': enquired('failed'),
  'a toast above the dialog': async (page: Page) => {
    await openDialog()
    await act(async () => page.notifications.show(NOTIFICATIONS.failed))
  },
  'the dialog closed again': async () => {
    await openDialog()
    await closeDialog()
  },
}

afterEach(() => prefer({}))

describe.each(['light', 'dark'] as const)('in %s colours, axe finds nothing wrong with', (scheme) => {
  beforeEach(() => prefer({ 'prefers-color-scheme': scheme }))

  test.each(Object.entries(STATES))('%s', async (_name, reach) => {
    await reach(await renderApp())
    expect(await violations()).toEqual([])
  })

  test.each(['at rest', 'an invalid email', 'a problem in the form'] as const)('%s at 320 px', async (name) => {
    const reach: (page: Page) => Promise<unknown> = STATES[name]
    await reach(await renderApp({ width: 320, height: 568 }))
    expect(await violations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBe(320)
  })

  test('where the focus is: it stands out by 3 to 1', async () => {
    await renderApp()
    await openDialog()
    for (const stop of [field('last'), field('email'), field('message'), submitButton(), closeIcon()]) {
      await userEvent.tab()
      expect(stop).toHaveFocus()
      const { outlineStyle, outlineWidth } = getComputedStyle(stop)
      expect([outlineStyle, outlineWidth]).toEqual(['solid', '3px'])
      expect(contrast(stop, { of: 'outlineColor' }).ratio).toBeGreaterThanOrEqual(3)
    }
  })

  test('where the focus is on the picture: it stands out by 3 to 1', async () => {
    await renderApp()
    for (const name of ['textbox', 'button', 'button']) {
      await userEvent.tab()
      expect(document.activeElement).toHaveRole(name)
      expect(getComputedStyle(document.activeElement as Element).outlineStyle).toBe('solid')
      expect(contrast(document.activeElement as Element, { of: 'outlineColor' }).ratio).toBeGreaterThanOrEqual(3)
    }
  })
})

describe('a visitor who prefers reduced motion', () => {
  beforeEach(() => prefer({ 'prefers-reduced-motion': 'reduce' }))

  test('sees toasts come without moving, and their time run out all the same', async () => {
    const { notifications } = await renderApp()
    await act(async () => notifications.show(NOTIFICATIONS.subscribed))
    expect(progressBars()).toHaveLength(1)
    expect(toast().getAnimations()).toEqual([])
  })

  test('sees the dialog come and go without moving', async () => {
    const { contactDialog } = await renderApp()
    await userEvent.click(contactUs())
    const dialog = await screen.findByRole('dialog')
    expect(dialog.getAnimations()).toEqual([])
    await act(async () => contactDialog.set(false))
    expect(dialog.getAnimations()).toEqual([])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('is told in words that a subscribe call is in flight', async () => {
    await renderApp()
    await subscribeWith('ada@example.com')
    const { content, animationName } = getComputedStyle(screen.getByRole('button', { name: /Subscribe/ }), '::after')
    expect(content).toBe('"Sending…"')
    expect(animationName).toBe('none')
  })
})
