import { beforeEach, expect, test } from 'vitest'
import { ENQUIRY_NOTIFICATION_TEXT, ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf } from '../support/enquiries.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()
const ENQUIRY = anEnquiry()
const BODY = JSON.stringify(bodyOf(ENQUIRY))
let visit: Visit

beforeEach(async () => {
  visit = await site.revisit()
})

/** Sends an enquiry, which the backend does not answer yet. */
async function send() {
  await visit.fillIn(ENQUIRY)
  await visit.submit.click()
}

const seen = (text: string) => visit.dialog.getByText(text, { exact: true }).filter({ visible: true })
const tryAgain = () => visit.dialog.getByRole('button', { name: TEXT.tryAgain, description: ENQUIRY_TEXT.failed })

/** What would be sent. */
const typed = () =>
  visit.dialog.locator('form').evaluate((it) => Object.fromEntries(new FormData(it as HTMLFormElement)))

test('while an enquiry is sent, Submit keeps the focus, and no press sends again', async () => {
  await send()
  await visit.focused(visit.submit)
  expect(await visit.submit.getAttribute('aria-disabled')).toBe('true')
  await visit.submit.click({ force: true })
  for (const key of ['x', 'Enter']) await visit.field('first').press(key)
  await visit.answer(500)
  await tryAgain().waitFor()
  expect([await typed(), visit.posts]).toEqual([ENQUIRY, [BODY]])
})

test('a dialog that opens during a call shows that it sends, with the focus on Submit', async () => {
  await send()
  await visit.page.keyboard.press('Escape')
  await visit.contactUs.click()
  await visit.focused(visit.submit)
  await seen(TEXT.sending).waitFor()
})

// Screen readers read what gets the focus.
test.each([
  ['received', { success: true }, () => visit.dialog.getByRole('group', { name: ENQUIRY_TEXT.received })],
  ['failed', 500, tryAgain],
] as const)('the focus moves to the answer %s, which is no notification', async (_, reply, focused) => {
  await send()
  await visit.answer(reply)
  await visit.focused(focused())
  expect(await visit.notification.count()).toBe(0)
})

test('after a success the text stays until Close; then the form is empty and ready', async () => {
  await send()
  await visit.answer()
  await seen(ENQUIRY_TEXT.received).waitFor()
  expect(await typed()).toEqual(ENQUIRY)
  // The button beside the thanks, which have the focus; then Contact us.
  for (const key of ['Tab', 'Enter', 'Enter']) await visit.page.keyboard.press(key)
  await seen(TEXT.enquiryUse).waitFor()
  expect(Object.values(await typed()).filter(Boolean)).toEqual([])
  expect(await visit.dialog.locator('[aria-disabled=true], [readonly]').count()).toBe(0)
})

test('Try again sends the text again, with the focus on Submit', async () => {
  await send()
  await visit.answer(500)
  await tryAgain().press('Enter')
  await visit.focused(visit.submit)
  await expect.poll(() => visit.posts).toEqual([BODY, BODY])
})

test('a notification shows an answer that comes after the dialog was closed', async () => {
  await send()
  await visit.page.keyboard.press('Escape')
  await visit.answer(500)
  await visit.notification.getByText(ENQUIRY_NOTIFICATION_TEXT.failed.detail).waitFor()
})

// A held press may arrive after the dialog was closed.
test('a notification reports an invalid enquiry if the dialog is closed', async () => {
  await visit.fillIn({})
  await visit.page.keyboard.press('Escape')
  await visit.page.evaluate(() => document.forms.namedItem('contact')?.requestSubmit())
  await visit.notification.getByText(ENQUIRY_NOTIFICATION_TEXT.failed.detail).waitFor()
})

test('sending an enquiry removes the outcome of an earlier subscription', async () => {
  await visit.subscribeAs(ENQUIRY.email)
  await visit.answer(500)
  await visit.notification.waitFor()
  await send()
  await seen(TEXT.sending).waitFor()
  const outcome = visit.page.getByRole('main').getByText(NOTIFICATION_TEXT.failed.detail).filter({ visible: true })
  expect(await outcome.or(visit.notification).count()).toBe(0)
})
