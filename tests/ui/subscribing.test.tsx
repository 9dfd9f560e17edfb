import { expect, test } from 'vitest'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { openSubscribed } from '../support/ui/open-page.tsx'

const ADDRESS = 'ada@example.com'

test('while a call is pending, the form is busy, and says so after a second', async () => {
  const page = await openSubscribed(ADDRESS)
  await page.pass(999)
  expect(page.outcome()).not.toContain(TEXT.sending)
  await page.pass(1)
  expect(page.outcome()).toMatchInlineSnapshot(`
    form
      textbox 'Email' = ada@example.com (required, readonly) — We use your address only to keep you posted. You can unsubscribe at any time.
      button 'Subscribe' (busy, disabled, focused)
      (live polite)
      (live polite)
        Sending…
      We use your address only to keep you posted. You can unsubscribe at any time.
  `)
})

test('the page thanks for a new address, and empties the field', async () => {
  expect((await openSubscribed(ADDRESS, 'subscribed')).outcome()).toMatchInlineSnapshot(`
    form
      textbox 'Email' (required) — We use your address only to keep you posted. You can unsubscribe at any time.
      button 'Subscribe' (focused)
      (live polite)
      (live polite)
      (tone success)
        *ada@example.com*
        We'll keep you posted on upcoming features.
    (severity success)
      *Thank you!* We'll keep you posted on upcoming features.
  `)
})

test('the page says that an address is listed already, and empties the field', async () => {
  expect((await openSubscribed(ADDRESS, 'already-subscribed')).outcome()).toMatchInlineSnapshot(`
    form
      textbox 'Email' (required) — We use your address only to keep you posted. You can unsubscribe at any time.
      button 'Subscribe' (focused)
      (live polite)
      (live polite)
      (tone info)
        *ada@example.com*
        You have already registered your interest. We'll keep you posted by email.
    (severity info)
      *Hello again!* You have already registered your interest. We'll keep you posted by email.
      button 'Close' — Hello again! You have already registered your interest. We'll keep you posted by email.
  `)
})

test('a failed call is reported, and the address stays in the field as typed', async () => {
  expect((await openSubscribed(`Ada <${ADDRESS}>`, 'failed')).outcome()).toMatchInlineSnapshot(`
    form
      textbox 'Email' = Ada <ada@example.com> (required) — We use your address only to keep you posted. You can unsubscribe at any time.
      button 'Subscribe' (focused)
      (live polite)
      (live polite)
      (tone error)
        Looks like something went wrong. Please try again!
    (severity error)
      *Oops!* Looks like something went wrong. Please try again!
      button 'Close' — Oops! Looks like something went wrong. Please try again!
  `)
})

test('an invalid address is reported, and the error describes the field with the focus', async () => {
  expect((await openSubscribed('plain')).outcome()).toMatchInlineSnapshot(`
    form
      textbox 'Email' = plain (invalid, required, focused) — Please enter a valid email address
      button 'Subscribe'
      (live polite)
      (live polite)
      (tone error)
        Please enter a valid email address
    (severity error)
      *Invalid email* Looks like you've entered an invalid email. Please enter a valid one.
      button 'Close' — Invalid email Looks like you've entered an invalid email. Please enter a valid one.
  `)
})

test('an error stays while somebody types', async () => {
  const page = await openSubscribed('plain')
  await page.user.type(page.email(), 'x')
  expect(page.outcome()).toContain(VALIDATION_TEXT.invalidEmail)
})

test.each(['subscribed', 'already-subscribed'] as const)(
  'after the answer %s, pressing Subscribe only moves the focus to the field',
  async (answer) => {
    const page = await openSubscribed(ADDRESS, answer)
    const outcome = page.outcome()
    await page.user.click(page.subscribe())
    expect(document.activeElement).toBe(page.email())
    await page.user.tab()
    expect(page.outcome()).toBe(outcome)
  },
)
