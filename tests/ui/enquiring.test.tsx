import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FIELD_NAMES, mapFields } from '../../src/domain/enquiry-fields.ts'
import type { EnquiryAnswer } from '../../src/domain/ports.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { openPage } from '../support/ui/open-page.tsx'

const ENQUIRY = anEnquiry()
const EMPTY = mapFields(() => '')

const SENDING = /^'Submit' \(disabled.*\n.*\n.*\n +Sending…$/

/** The page with the open dialog, and these texts in its form. */
async function openDialog(typed = EMPTY) {
  const page = openPage()
  await page.open()
  await page.fillIn(typed)
  return page
}

/** The page after an enquiry was sent, and got this answer if one is given. */
async function send(answer?: EnquiryAnswer) {
  const page = await openDialog(ENQUIRY)
  await page.user.click(page.submit())
  if (answer) await page.enquiries.answer(answer)
  return page
}

test('the dialog opens with the focus in its first field', async () => {
  expect((await openDialog()).dialog()).toMatchInlineSnapshot(`
    dialog 'Contact us'
      h2 'Contact us'
      button 'Close' — Contact us
      form
        textbox 'First Name' (required, focused)
        textbox 'Last Name' (required)
        textbox 'Email' (required)
        textbox 'Message' (required)
        button 'Submit' — We use your details only to answer you.
        (live polite)
        (live polite)
        We use your details only to answer you.
  `)
})

test('each field declares its purpose, its direction and its keyboard', async () => {
  const { email, field } = await openDialog()
  const names = 'autocomplete inputmode enterkeyhint autocapitalize spellcheck dir maxlength placeholder'.split(' ')
  const fields = [email(), ...FIELD_NAMES.map(field)]
  const lines = fields.map((each) =>
    [each.form?.name, each.name, ...names.map((name) => each.getAttribute(name) ?? '-')].join(' '),
  )
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    subscribe email email email send none false auto - Enter your email
    contact first given-name - - words false auto - First Name
    contact last family-name - - words false auto - Last Name
    contact email email email - none false auto - Email
    contact message - - - - - auto - Message
  `)
})

test('an invalid field gets the focus, and keeps its error until the next attempt', async () => {
  const page = await openDialog({ ...ENQUIRY, message: '' })
  await page.user.click(page.submit())
  expect(page.dialog()).toMatch("textbox 'Message' (invalid, required, focused) — Please enter a message")
  await page.fillIn({ message: 'x' })
  expect(page.dialog()).toMatch("textbox 'Message' = x (invalid, required, focused) — Please enter a message")
  await page.user.click(page.submit())
  expect(page.dialog()).not.toMatch(/invalid|Please enter/)
})

test('an error is announced at each attempt, unless the focus moves to its field', async () => {
  const page = await openDialog({ ...ENQUIRY, last: '' })
  const texts: string[] = []
  for (const press of [() => page.user.click(page.submit()), ...Array(2).fill(() => page.user.keyboard('{Enter}'))]) {
    await press()
    texts.push([...document.querySelectorAll('dialog [aria-live=polite]')].at(-1)?.textContent ?? '')
  }
  // Screen readers ignore a text that is added in place of the same text.
  expect(texts).toEqual(['', VALIDATION_TEXT.noLast, `${VALIDATION_TEXT.noLast}\u00A0`])
})

test('while an enquiry is sent, its text is read-only, and Submit keeps the focus', async () => {
  const page = await send()
  await page.pass(1000)
  expect(page.dialog()).toMatchInlineSnapshot(`
    dialog 'Contact us'
      h2 'Contact us'
      button 'Close' — Contact us
      form
        textbox 'First Name' = Given (required, readonly)
        textbox 'Last Name' = Family (required, readonly)
        textbox 'Email' = visitor@example.com (required, readonly)
        textbox 'Message' = When will you start? (required, readonly)
        button 'Submit' (disabled, focused) — We use your details only to answer you.
        (live polite)
        (live polite)
          Sending…
  `)
})

test('the contact form shows its progress after 300 ms', async () => {
  const page = await send()
  const shown = () => [TEXT.enquiryUse, TEXT.sending].filter((text) => screen.queryByText(text, { ignore: '[hidden]' }))
  await page.pass(299)
  expect(shown()).toEqual([TEXT.enquiryUse])
  await page.pass(1)
  expect(shown()).toEqual([TEXT.sending])
})

test('the dialog is inert from the moment it closes until it opens again', async () => {
  const page = await openDialog()
  const dialog = screen.getByRole<HTMLDialogElement>('dialog')
  await page.close()
  const whileClosed = dialog.inert
  await page.open()
  expect([whileClosed, dialog.inert]).toEqual([true, false])
})

test('after a success the thanks get the focus', async () => {
  expect((await send('received')).status()).toMatchInlineSnapshot(`
    'Submit' (disabled) — We use your details only to answer you.
        (live polite)
        (live polite)
        group 'Thank you for contacting us. We'll reach out to you soon on your query.' (tone success, focused)
          Thank you for contacting us. We'll reach out to you soon on your query.
  `)
})

test("after a failure 'Try again' gets the focus", async () => {
  expect((await send('failed')).status()).toMatchInlineSnapshot(`
    'Submit' (disabled) — We use your details only to answer you.
        (live polite)
        (live polite)
        group 'Oops! Something went wrong. Please try again, thank you!' (tone error)
          Oops! Something went wrong. Please try again, thank you!
          button 'Try again' (focused)
  `)
})

test('an outcome is scrolled into view', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  const page = await send('failed')
  expect(scroll.mock.contexts.at(-1)).toContain(page.tryAgain())
  scroll.mockRestore()
})

test('after a failure, pressing Submit sends nothing', async () => {
  const page = await send('failed')
  await page.user.click(page.submit())
  expect([page.enquiries.sent, page.typed()]).toEqual([[ENQUIRY], ENQUIRY])
})

test.each<[string, again: (page: Awaited<ReturnType<typeof send>>) => Promise<void>]>([
  ['Try again', ({ user, tryAgain }) => user.click(tryAgain())],
  ['Enter in a field', ({ user, field }) => user.type(field('email'), '{Enter}')],
])('%s after a failure sends the changed text, and moves the focus to Submit', async (_, again) => {
  const page = await send('failed')
  await page.user.type(page.field('last'), '-Name')
  await again(page)
  expect(page.enquiries.sent).toEqual([ENQUIRY, { ...ENQUIRY, last: `${ENQUIRY.last}-Name` }])
  await page.pass(1000)
  expect(page.status()).toMatch(SENDING)
  expect(document.activeElement).toBe(page.submit())
})

test('when the dialog opens again after a success, its first field is empty and editable', async () => {
  const page = await send('received')
  const first = page.field('first')
  await page.close()
  const found: unknown[] = []
  first.addEventListener('focus', () => found.push(first.readOnly, first.value))
  await page.open()
  expect(found).toEqual([false, ''])
})

test.each<[string, EnquiryAnswer | undefined, text: object]>([
  ['before a submit, the form keeps its text', undefined, ENQUIRY],
  ['after a failure, the form keeps its text', 'failed', ENQUIRY],
  ['after a success, the form is empty', 'received', EMPTY],
])('if the dialog is closed %s, and is ready', async (_, answer, text) => {
  const page = await (answer ? send(answer) : openDialog(ENQUIRY))
  await page.close()
  await page.open()
  expect([page.typed(), document.activeElement]).toEqual([text, page.field('first')])
  expect(page.dialog()).not.toMatch(/disabled|readonly|invalid/)
})
