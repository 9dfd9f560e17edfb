import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import type { TypedEnquiry } from '../../src/domain/enquiry.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { fillIn } from '../support/page/page-states.ts'

const site = browseBuiltSite()
let page: Page

const email = () => page.getByPlaceholder(TEXT.emailPlaceholder)
const dialog = () => page.getByRole('dialog')

async function subscribe(address: string, outcome: keyof typeof NOTIFICATION_TEXT) {
  await email().fill(address)
  await page.getByRole('button', { name: TEXT.subscribe }).click()
  await page.getByText(NOTIFICATION_TEXT[outcome].summary, { exact: true }).waitFor()
}

/** Opens the dialog, fills in these fields, and closes it after the outcome. */
async function enquire(outcome: keyof typeof ENQUIRY_TEXT, fields: Partial<TypedEnquiry> = {}) {
  await fillIn(page, fields)
  await dialog().getByRole('button', { name: TEXT.submit }).click()
  await dialog().getByText(ENQUIRY_TEXT[outcome]).waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
}

test('neither a server that dies nor an answer that is lost costs any text; all is stored as it was typed, once', async () => {
  page = await site.openPage()
  await page.goto(site.origin)
  // The app is there before the server dies.
  await subscribe('plain', 'invalidEmail')
  await site.kill()
  const message = 'When do you start?\nI live by the harbour. 🌊'
  const typed = anEnquiry({ message })
  await enquire('failed', typed)
  await subscribe('A.Visitor@Example.com', 'failed')
  expect(await email().inputValue()).toBe('A.Visitor@Example.com')

  await site.restart()
  await page.route('**/api/contact-us', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await enquire('failed')
  await page.unroute('**/api/contact-us')
  await enquire('received')
  await page.getByRole('button', { name: TEXT.subscribe }).click()
  await page.getByText(NOTIFICATION_TEXT.subscribed.summary, { exact: true }).waitFor()
  expect(await email().inputValue()).toBe('')
  await subscribe('a.visitor@EXAMPLE.com', 'alreadySubscribed')
  expect(site.rows('subscribers').map((row) => row.email)).toEqual(['A.Visitor@Example.com'])
  expect(site.rows('enquiries')).toEqual([expect.objectContaining(columnsOf(typed))])
})

test('the page keeps its policy through redirect, hydration, toast and dialog without a complaint', async () => {
  page = await site.openPage()
  const answer = await page.goto(`${site.origin}/elsewhere`)
  expect(await answer?.headerValue('content-security-policy')).toContain("require-trusted-types-for 'script'")
  await subscribe('plain', 'invalidEmail')
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  await dialog().getByRole('button', { name: TEXT.close }).last().click()
  await dialog().waitFor({ state: 'hidden' })
  expect(site.complaints).toEqual([])
})
