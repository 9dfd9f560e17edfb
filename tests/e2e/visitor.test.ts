import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT, TITLE } from '../../src/domain/texts.ts'
import { openBrowser } from '../support/page/browser.ts'
import { type LiveSite, startLiveSite } from '../support/page/live-site.ts'

let browser: Browser
let site: LiveSite
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  site = await startLiveSite()
})
afterAll(async () => {
  await browser.close()
  await site.remove()
})
beforeEach(async () => {
  page = await browser.newPage()
})
afterEach(() => page.close())

const email = () => page.getByPlaceholder(TEXT.emailPlaceholder)
const dialog = () => page.getByRole('dialog', { name: TEXT.contactUs })

async function subscribe(address: string) {
  await email().fill(address)
  await page.getByRole('button', { name: TEXT.subscribe }).click()
}

/** What is kept of an address, in whatever case it was typed. */
const kept = (table: 'subscribers' | 'enquiries', address: string) =>
  site.rows(table).filter((row) => String(row.email).toLowerCase() === address)

async function writeEnquiry(address: string) {
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  await dialog().getByPlaceholder(TEXT.first).fill('Given')
  await dialog().getByPlaceholder(TEXT.last).fill('Family')
  await dialog().getByPlaceholder(TEXT.email).fill(address)
  await dialog().getByPlaceholder(TEXT.message).fill('When do you start?\nI live by the harbour. 🌊')
}

test('a new address is thanked for 3 seconds, and is in the database as it was typed', async () => {
  await page.clock.install()
  await page.goto(site.origin)
  expect(await page.title()).toBe(TITLE)

  await page.clock.pauseAt(Date.now() + 60_000)

  await subscribe('  New.Visitor@Example.com ')
  // The head start that what was pressed gets before the app.
  await page.clock.runFor(200)
  await page.getByText(NOTIFICATION_TEXT.subscribed.summary, { exact: true }).waitFor()
  await page.getByText(NOTIFICATION_TEXT.subscribed.detail).waitFor()
  await page.clock.runFor(2999)
  expect(await page.getByText(NOTIFICATION_TEXT.subscribed.summary, { exact: true }).isVisible()).toBe(true)
  await page.clock.runFor(1)
  await page.getByText(NOTIFICATION_TEXT.subscribed.summary, { exact: true }).waitFor({ state: 'detached' })

  expect(await email().inputValue()).toBe('')
  expect(kept('subscribers', 'new.visitor@example.com').map((row) => row.email)).toEqual(['New.Visitor@Example.com'])
})

test('an address that is there already, in any case, is greeted again and stored once', async () => {
  await page.goto(site.origin)
  await subscribe('known@example.com')
  await page.getByText(NOTIFICATION_TEXT.subscribed.summary, { exact: true }).waitFor()

  await subscribe('KNOWN@example.com')
  await page.getByText(NOTIFICATION_TEXT.alreadySubscribed.detail).waitFor()
  expect(await page.getByText(NOTIFICATION_TEXT.subscribed.summary, { exact: true }).count()).toBe(0)
  expect(kept('subscribers', 'known@example.com')).toHaveLength(1)
})

test('an enquiry is in the database, line break and all', async () => {
  await page.goto(site.origin)
  await writeEnquiry('enquirer@example.com')
  await dialog().getByRole('button', { name: TEXT.submit }).click()
  await dialog().getByText(ENQUIRY_TEXT.received).waitFor()
  expect(kept('enquiries', 'enquirer@example.com')).toMatchObject([
    {
      first_name: 'Given',
      last_name: 'Family',
      email: 'enquirer@example.com',
      message: 'When do you start?\nI live by the harbour. 🌊',
    },
  ])
})

test('a server that dies costs the visitor no text, and the enquiry is stored once when it is back', async () => {
  await page.goto(site.origin)
  await writeEnquiry('patient@example.com')
  await site.kill()
  await dialog().getByRole('button', { name: TEXT.submit }).click()
  await dialog().getByText(ENQUIRY_TEXT.failed).waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })

  await subscribe('patient@example.com')
  await page.getByText(NOTIFICATION_TEXT.failed.detail).waitFor()
  expect(await email().inputValue()).toBe('patient@example.com')

  await site.restart()
  await page.getByRole('button', { name: TEXT.subscribe }).click()
  await page.getByText(NOTIFICATION_TEXT.subscribed.summary, { exact: true }).waitFor()
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  await dialog().getByRole('button', { name: TEXT.submit }).click()
  await dialog().getByText(ENQUIRY_TEXT.received).waitFor()
  expect(kept('subscribers', 'patient@example.com')).toHaveLength(1)
  expect(kept('enquiries', 'patient@example.com')).toHaveLength(1)
})

test('an answer that was lost on its way makes no second enquiry', async () => {
  await page.goto(site.origin)
  await writeEnquiry('lost@example.com')
  await page.route('**/api/contact-us', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await dialog().getByRole('button', { name: TEXT.submit }).click()
  await dialog().getByText(ENQUIRY_TEXT.failed).waitFor()
  await page.unroute('**/api/contact-us')

  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  await dialog().getByRole('button', { name: TEXT.submit }).click()
  await dialog().getByText(ENQUIRY_TEXT.received).waitFor()
  expect(kept('enquiries', 'lost@example.com')).toHaveLength(1)
})
