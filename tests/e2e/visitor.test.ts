import { beforeEach, expect, test } from 'vitest'
import { ENQUIRY_TEXT, SUBSCRIBE_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { answerWith, localServer } from '../support/local-server.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { partsOf } from '../support/page/visit.ts'

// The calls of these tests reach the real server.

const site = browseBuiltSite()
let visitor: ReturnType<typeof partsOf>

beforeEach(async () => {
  visitor = partsOf(await site.openPage())
})

/** Subscribes, and waits for the notification. */
async function subscribe(address: string, outcome: keyof typeof SUBSCRIBE_TEXT) {
  await visitor.subscribeAs(address)
  await visitor.page.getByText(SUBSCRIBE_TEXT[outcome].summary, { exact: true }).waitFor()
}

test('a visitor can subscribe, and is recognised the second time', async () => {
  await visitor.page.goto(site.origin)
  // In a field of type email, Chromium would turn this text into a valid address: visitor@example.xn--com-9o0a.
  await subscribe('visitor@example.com”', 'subscribed')
  // The first answer has set a token. The server refuses this call without the token.
  await subscribe('VISITOR@example.com', 'alreadySubscribed')
  const cookies = (await visitor.page.context().cookies()).map(({ name, value }) => [name, value])
  expect(cookies).toEqual([['XSRF-TOKEN', expect.stringMatching(/.{22}/)]])
})

test('an enquiry whose answer is lost is stored once, as typed, after a retry', async () => {
  const { page, dialog, fillIn, submit, field } = visitor
  await page.goto(site.origin)
  await page.route('**/api/contact-us', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const enquiry = anEnquiry({ message: 'When?\nI live by the harbour. 🌊' })
  await fillIn(enquiry)
  await submit.click()
  await dialog.getByText(TEXT.failed).filter({ visible: true }).waitFor()
  await page.unrouteAll()
  // A browser ignores a submit of a form that begins during another one.
  await field('email').press('Enter')
  await dialog.getByText(ENQUIRY_TEXT.received.detail).waitFor()
  expect(await site.rows('enquiries')).toMatchObject([columnsOf(enquiry)])
})

test('a page in public/ may have styles and scripts of its own', async () => {
  const { page } = visitor
  await page.goto(`${site.origin}/legal/imprint.html`)
  expect(await page.title()).toBe('Imprint by its own script')
  const { color, margin } = await page.locator('p').evaluate((element) => getComputedStyle(element))
  expect([color, margin]).toEqual(['rgb(1, 2, 3)', '4px'])
})

test('the server refuses a form that a page of another port sends', async () => {
  const { page } = visitor
  const url = `${site.origin}/api/subscribe`
  const field = `<input name='{"email":"cross-site@example.com","x":"' value='"}'>`
  const form = `<form method=post enctype=text/plain action=${url}>${field}<button>`
  const elsewhere = await localServer(answerWith(`<!doctype html>${form}`, 200, { 'Content-Type': 'text/html' }))
  await page.goto(elsewhere.origin)
  const [answer] = await Promise.all([page.waitForResponse(url), page.getByRole('button').click()])
  expect(answer.status()).toBe(403)
})
