import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { renderApp } from '../support/page/render-app.tsx'
import { toasts } from '../support/page/toasts.ts'

test('the page has its heading, an email input and two buttons, and starts with nothing open or sent', async () => {
  const { subscriptions, enquiries } = await renderApp()
  expect(screen.getByRole('heading', { level: 1, name: TEXT.heading })).toBeVisible()
  const input = screen.getByRole('textbox', { name: TEXT.email })
  expect(input).toHaveAttribute('placeholder', TEXT.emailPlaceholder)
  for (const [name, value] of Object.entries({ maxlength: '254', enterkeyhint: 'send', dir: 'auto' }))
    expect(input).toHaveAttribute(name, value)
  for (const name of ['type', 'name', 'autocomplete', 'inputmode']) expect(input).toHaveAttribute(name, 'email')
  // Otherwise Firefox calls a form invalid while a required field is empty.
  for (const untouched of [input, ...document.forms]) expect(untouched).toHaveAttribute('aria-invalid', 'false')
  for (const name of [TEXT.subscribe, TEXT.contactUs]) expect(screen.getByRole('button', { name })).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(toasts()).toEqual([])
  expect([...subscriptions.sent, ...enquiries.sent]).toEqual([])
})
