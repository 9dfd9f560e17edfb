import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { renderApp } from '../support/page/render-app.tsx'
import { toasts } from '../support/page/toasts.ts'

test('the page has its heading, an email input, two buttons, and starts with nothing open or sent', async () => {
  const { contactDialog, subscriptions, enquiries, timers } = await renderApp()
  expect(screen.getAllByRole('heading').map((heading) => heading.textContent)).toEqual([TEXT.heading])
  expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
  const input = screen.getByPlaceholderText(TEXT.emailPlaceholder)
  expect(input).toBe(screen.getByRole('textbox', { name: TEXT.email }))
  expect(input).toHaveAttribute('type', 'email')
  expect(input).toHaveAttribute('maxlength', '254')
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([TEXT.subscribe, TEXT.contactUs])
  expect(contactDialog.current()).toBe(false)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(toasts()).toEqual([])
  expect([...subscriptions.sent, ...enquiries.sent]).toEqual([])
  expect(timers.pending()).toBe(0)
})

describe('the routes', () => {
  test.each([
    ['/', '/'],
    ['/elsewhere/', '/'],
    ['/a/b/c?mock=slow&x=%2F', '/?mock=slow&x=%2F'],
    ['/%E2%82%AC#part', '/'],
  ])('%s leads to the page at %s', async (path, address) => {
    const app = await renderApp({ path })
    expect(await screen.findByRole('heading', { name: TEXT.heading })).toBeVisible()
    expect(app.address()).toBe(address)
  })

  test('a redirect leaves no trace in the history', async () => {
    const app = await renderApp()
    await app.goTo('/?first')
    await app.goTo('/elsewhere?second')
    expect(app.address()).toBe('/?second')
    await app.goBack()
    expect(app.address()).toBe('/?first')
  })

  test('a navigation starts at the top', async () => {
    const app = await renderApp({ width: 320, height: 160 })
    window.scrollTo(0, 60)
    expect(window.scrollY).toBe(60)
    await app.goTo('/elsewhere')
    expect(window.scrollY).toBe(0)
    window.scrollTo(0, 60)
    await app.goBack()
    expect(window.scrollY).toBe(0)
  })
})
