import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { renderApp } from '../support/render-app.tsx'
import { toasts } from '../support/toasts.ts'

describe('the coming-soon page', () => {
  test("has the heading 'Launching soon!' and no other", async () => {
    await renderApp()
    expect(screen.getAllByRole('heading').map((heading) => heading.textContent)).toEqual(['Launching soon!'])
    expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test("has an email input with the placeholder 'Enter your email'", async () => {
    await renderApp()
    const input = screen.getByPlaceholderText('Enter your email')
    expect(input).toBe(screen.getByRole('textbox', { name: 'Email' }))
    expect(input).toHaveAttribute('type', 'email')
    expect(input).toHaveAttribute('maxlength', '254')
  })

  test("has the buttons 'Subscribe' and 'Contact us', and no other", async () => {
    await renderApp()
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Subscribe', 'Contact us'])
  })

  test('starts with the dialog closed, no toast and nothing sent', async () => {
    const { contactDialog, subscriptions, enquiries, timers } = await renderApp()
    expect(contactDialog.current()).toBe(false)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(toasts()).toEqual([])
    expect([...subscriptions.sent, ...enquiries.sent]).toEqual([])
    expect(timers.pending()).toBe(0)
  })

  test.each([
    [320, 568],
    [414, 896],
    [1280, 800],
    [2560, 1440],
  ])('fills a screen of %i by %i with its picture and no more', async (width, height) => {
    await renderApp({ width, height })
    const stage = screen.getByRole('main')
    expect(stage.getBoundingClientRect()).toMatchObject({ x: 0, y: 0, width, height })
    const { backgroundImage, backgroundSize } = getComputedStyle(stage, '::before')
    expect(backgroundImage).toMatch(/^image-set\(url\(.*avif.*webp/)
    expect(backgroundSize).toBe('cover')
    expect(document.documentElement.scrollWidth).toBe(width)
  })

  test.each(['Launching soon!', 'Subscribe', 'Contact us'])("keeps '%s' on a screen of 320 px", async (text) => {
    await renderApp({ width: 320, height: 568 })
    const { left, right } = screen.getByText(text, { selector: 'main *' }).getBoundingClientRect()
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(320)
  })
})

describe('the routes', () => {
  test.each([
    ['/', '/'],
    ['/?mock=slow', '/?mock=slow'],
    ['/elsewhere', '/'],
    ['/elsewhere/', '/'],
    ['/index.html', '/'],
    ['/a/b/c?mock=slow&x=%2F', '/?mock=slow&x=%2F'],
    ['/%E2%82%AC#part', '/'],
  ])('%s leads to the page at %s', async (path, address) => {
    const app = await renderApp({ path })
    expect(await screen.findByRole('heading', { name: 'Launching soon!' })).toBeVisible()
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
