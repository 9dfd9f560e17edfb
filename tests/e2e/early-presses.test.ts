import { expect, test } from 'vitest'
import { ENQUIRY_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()
const ENQUIRY = anEnquiry()
const FAULT = TEXT.failed
let visit: Visit

async function open(options: { stopClock?: boolean } = {}) {
  visit = await site.visit({ holdApp: true, ...options })
}

const seen = (text: string) => visit.dialog.getByText(text, { exact: true }).filter({ visible: true })
const loading = () => visit.dialog.getByText(TEXT.loading).filter({ visible: true })
const reload = () => visit.dialog.getByRole('link', { name: TEXT.reload, exact: true })
const expectBusy = (busy: boolean) => expect.poll(() => visit.submit.getAttribute('aria-busy')).toBe(`${busy}`)

async function pressSubmit() {
  await visit.fillIn(ENQUIRY)
  await visit.submit.click()
}

async function expectGivenUp() {
  await seen(FAULT).waitFor()
  await reload().waitFor()
  await expectBusy(false)
  expect(await seen(TEXT.enquiryUse).count()).toBe(0)
  expect(await visit.field('email').inputValue()).toBe(ENQUIRY.email)
  expect(await loading().count()).toBe(0)
  expect(visit.posts).toEqual([])
}

async function expectSentOnce() {
  await visit.answer()
  await seen(ENQUIRY_TEXT.received.detail).waitFor()
  await expectBusy(false)
  expect(visit.posts).toEqual([JSON.stringify(bodyOf(ENQUIRY))])
}

test('early submits of both forms wait for the app, and are each sent once', async () => {
  await open()
  await pressSubmit()
  await expectBusy(true)
  await visit.page.keyboard.press('Escape')
  for (const _press of [1, 2]) await visit.subscribeAs('ada@example.com')
  await (await visit.script()).continue()
  for (const _call of [1, 2]) await visit.answer()
  await visit.page.locator('form[name=subscribe]').getByText('ada@example.com').waitFor()
  const bodies = [bodyOf(ENQUIRY), subscriptionOf('ada@example.com')].map((body) => JSON.stringify(body))
  // Two calls at once may arrive in either order.
  expect(visit.posts.toSorted()).toEqual(bodies.toSorted())
})

test('after an early submit, a field has its error as description when it gets the focus', async () => {
  await open()
  await visit.fillIn({})
  await visit.submit.click()
  await visit.field('first').evaluate((field) =>
    field.addEventListener('focus', () => {
      field.dataset.description = field.getAttribute('aria-describedby') ?? ''
    }),
  )
  await (await visit.script()).continue()
  await expect.poll(() => visit.field('first').getAttribute('data-description')).toBeTruthy()
})

test("after half a second an early press shows 'Loading', with dots for the eye only", async () => {
  await open({ stopClock: true })
  await pressSubmit()
  await visit.page.clock.runFor(499)
  expect(await loading().count()).toBe(0)
  await visit.page.clock.runFor(501)
  expect(await loading().locator('span').getAttribute('data-dots')).toBe('.')
  expect(await loading().ariaSnapshot()).toBe(`- paragraph: ${TEXT.loading}`)
})

test('if the app does not load, the form shows the failure, and a new press tries again', async () => {
  await open()
  await pressSubmit()
  await (await visit.script()).abort()
  await expectGivenUp()
  await visit.submit.click()
  await expectBusy(true)
  expect(await seen(FAULT).count()).toBe(0)
  await (await visit.script(2)).abort()
  await expectGivenUp()
  await visit.submit.click()
  const attempts = await Promise.all([1, 2, 3].map(visit.script))
  // Browsers may remember that an address could not be loaded.
  expect(new Set(attempts.map((attempt) => attempt.request().url())).size).toBe(3)
  await attempts[2]?.continue()
  await expectSentOnce()
})

test('when the app loads after a press of the other form, the failure disappears', async () => {
  await open()
  await pressSubmit()
  await (await visit.script(1)).abort()
  await expectGivenUp()
  await visit.page.keyboard.press('Escape')
  await visit.subscribeAs('ada@example.com')
  await (await visit.script(2)).continue()
  await visit.answer()
  await visit.notification.waitFor()
  await visit.contactUs.press('Enter')
  await visit.dialog.waitFor()
  expect(await seen(FAULT).count()).toBe(0)
})

test('the failure stays while the app is requested again without a submit', async () => {
  await open({ stopClock: true })
  await pressSubmit()
  await (await visit.script(1)).abort()
  await expectGivenUp()
  // The pointer and the keys that were used before the submit start the app now.
  await visit.page.clock.runFor(100)
  await visit.script(2)
  await expectGivenUp()
})

test('a press waits at most 30 s for the app, and a second press does not load it again', async () => {
  await open({ stopClock: true })
  await pressSubmit()
  await visit.page.clock.runFor(29_999)
  await expectBusy(true)
  await visit.page.clock.runFor(1)
  await expectGivenUp()
  await visit.submit.click()
  await visit.page.clock.resume()
  await (await visit.script()).continue()
  await expectSentOnce()
  expect(visit.scriptRequests).toHaveLength(1)
})

test('if the app throws at its start, the form shows the failure', async () => {
  await open()
  await pressSubmit()
  await (await visit.script()).fulfill({ body: 'export const start = () => boom()', contentType: 'text/javascript' })
  await expectGivenUp()
})
