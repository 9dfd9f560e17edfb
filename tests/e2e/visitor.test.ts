import { beforeEach, expect, test } from 'vitest'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'
import { browseBuiltSite, startApp } from '../support/page/browse-built-site.ts'
import { partsOf } from '../support/page/visit.ts'

// Calls reach the server.

// Browsers send Sec-Fetch-Site only to loopback and https. For this host the server has to rely on Origin.
const PLAIN_HOST = 'page.test'

const site = browseBuiltSite()
let visitor: ReturnType<typeof partsOf>

beforeEach(async () => {
  visitor = partsOf(await site.openPage())
})

/** Subscribes, and waits for the notification. */
async function subscribe(address: string, outcome: keyof typeof NOTIFICATION_TEXT) {
  await visitor.subscribeAs(address)
  await visitor.page.getByText(NOTIFICATION_TEXT[outcome].summary, { exact: true }).waitFor()
}

/** The origin of a test server under this host name. */
const at = (host: string, origin: string) => origin.replace('127.0.0.1', host)

test('a visitor can subscribe, even if the browser sends no Sec-Fetch-Site', async () => {
  await visitor.page.goto(at(PLAIN_HOST, site.origin))
  await subscribe('plain-host@example.com', 'subscribed')
  // This call carries the token that the first answer has set.
  await subscribe('PLAIN-host@example.com', 'alreadySubscribed')
  const cookies = (await visitor.page.context().cookies()).map(({ name, value }) => [name, value])
  expect(cookies).toEqual([['XSRF-TOKEN', expect.stringMatching(/.{22}/)]])
})

test('an enquiry whose answer is lost is stored once, as typed, after a retry', async () => {
  const { page, dialog, fillIn, submit } = visitor
  await page.goto(site.origin)
  await page.route('**/api/contact-us', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const enquiry = anEnquiry({ message: 'When?\nI live by the harbour. 🌊' })
  await fillIn(enquiry)
  await submit.click()
  await dialog.getByText(ENQUIRY_TEXT.failed).filter({ visible: true }).waitFor()
  await page.unrouteAll()
  await dialog.getByRole('button', { name: TEXT.tryAgain }).click()
  await dialog.getByText(ENQUIRY_TEXT.received).waitFor()
  expect(await site.rows('enquiries')).toMatchObject([columnsOf(enquiry)])
})

// A breach of the policy is reported in the console, and then the test fails.
test('the page keeps its policy through redirect, start, notification and dialog', async () => {
  const answer = await visitor.page.goto(`${site.origin}/elsewhere`)
  expect(await answer?.headerValue('content-security-policy')).toContain("require-trusted-types-for 'script'")
  await subscribe('plain', 'invalidEmail')
  await visitor.fillIn({})
  await visitor.page.keyboard.press('Escape')
  await visitor.dialog.waitFor({ state: 'hidden' })
})

test('an unknown path within the app leads to the heading of the page, with its query', async () => {
  const { page } = visitor
  await page.goto(site.origin)
  await startApp(page)
  await page.evaluate(() => history.pushState(null, '', '/other?utm=1'))
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
  await page.waitForURL(`${site.origin}/?utm=1`)
  await page.getByRole('heading', { name: TEXT.heading }).and(page.locator(':focus')).waitFor()
})

/** To run in a page of another site: asks the visitor's browser for a call, which the browser may refuse. */
const post = ([url, init]: readonly [string, RequestInit]) => fetch(url, { method: 'POST', ...init }).catch(() => {})

test.each([
  ['with Sec-Fetch-Site', '127.0.0.1'],
  ['without Sec-Fetch-Site', PLAIN_HOST],
])('the server refuses all calls of a page of another port, %s', async (_, host) => {
  const { page } = visitor
  const url = `${at(host, site.origin)}/api/subscribe`
  const body = '{"email":"cross-site@example.com"}'
  const field = `<input name='${body.replace('}', ',"x":"')}' value='"}'>`
  const form = `<form method=post enctype=text/plain action=${url}>${field}<button>`
  const elsewhere = await localServer(says(`<!doctype html>${form}`, 200, { 'Content-Type': 'text/html' }))
  await page.goto(at(host, elsewhere.origin))
  await page.evaluate(post, [url, { body, mode: 'no-cors' }] as const)
  await page.evaluate(post, [url, { body, headers: { 'content-type': 'application/json' } }] as const)
  const [answer] = await Promise.all([page.waitForResponse(url), page.getByRole('button').click()])
  await page.waitForURL(url)
  expect(answer.status()).toBe(403)
  expect(await site.rows('subscribers')).not.toContainEqual(
    expect.objectContaining({ email: 'cross-site@example.com' }),
  )
})
