import { beforeEach, expect, test } from 'vitest'
import { NOTIFICATION_TEXT } from '../../src/domain/texts.ts'
import { subscriptionOf } from '../support/enquiries.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()
const ADDRESS = 'ada@example.com'
let visit: Visit

beforeEach(async () => {
  visit = await site.revisit()
})

const seen = (text: string) => visit.page.getByRole('main').getByText(text, { exact: true }).filter({ visible: true })
const isBusy = async () => (await visit.subscribe.getAttribute('aria-busy')) === 'true'
const isInvalid = async () => (await visit.email.getAttribute('aria-invalid')) === 'true'

/** Subscribes, and waits for the notification of this answer. */
async function attempt(reply?: object | number) {
  await visit.subscribeAs(ADDRESS)
  await visit.answer(reply)
  await visit.notification.waitFor()
}

test('an invalid address is not sent, and its field gets the error and the focus', async () => {
  await visit.subscribeAs('plain')
  await visit.focused(visit.email)
  expect([await isInvalid(), await isBusy()]).toEqual([true, false])
})

// In a field of type email, Chromium would make a valid address of it: Ada@example.xn--com-9o0a.
test('a double Enter and further clicks send an address once, mended as it was typed', async () => {
  await visit.email.fill('Ada@Example.com”')
  for (const _press of [1, 2]) await visit.email.press('Enter')
  await visit.subscribe.click({ force: true })
  await visit.answer()
  await visit.notification.waitFor()
  expect(visit.posts).toEqual([JSON.stringify(subscriptionOf('Ada@Example.com'))])
})

test('text that is typed during a call stays', async () => {
  await visit.subscribeAs(ADDRESS)
  await visit.email.fill('grace@example.com')
  await visit.answer()
  await visit.notification.waitFor()
  expect(await visit.email.inputValue()).toBe('grace@example.com')
})

test.each([
  ['subscribed', { success: true, email_exists: false }, true],
  ['failed', 500, false],
] as const)('the outcome %s stands at the form until the field is edited', async (outcome, reply, withAddress) => {
  await attempt(reply)
  const sentence = seen(NOTIFICATION_TEXT[outcome].detail)
  await sentence.waitFor()
  expect(await seen(ADDRESS).count()).toBe(withAddress ? 1 : 0)
  await visit.email.press('x')
  await sentence.waitFor({ state: 'detached' })
  await visit.notification.waitFor({ state: 'detached' })
})

test('after a success the field is empty, even if its text was mended', async () => {
  await visit.subscribeAs(` ${ADDRESS} `)
  await visit.answer()
  await visit.notification.waitFor()
  expect(await visit.email.inputValue()).toBe('')
})

test('after a success a press only moves the focus to the empty field', async () => {
  await attempt()
  await visit.subscribe.click()
  await visit.focused(visit.email)
  expect([await isInvalid(), await isBusy()]).toEqual([false, false])
})
