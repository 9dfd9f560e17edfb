import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { type LiveSite, startLiveSite } from '../support/live-site.ts'

let browser: Browser
let site: LiveSite
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  site = await startLiveSite()
  page = await browser.newPage()
})
afterEach(async () => {
  await page.close()
  await site.remove()
})

const email = () => page.getByPlaceholder('Enter your email')
const dialog = () => page.getByRole('dialog', { name: 'Contact us' })

async function subscribe(address: string) {
  await email().fill(address)
  await page.getByRole('button', { name: 'Subscribe' }).click()
}

async function writeEnquiry() {
  await page.getByRole('button', { name: 'Contact us' }).click()
  await dialog().getByPlaceholder('First Name').fill('Given')
  await dialog().getByPlaceholder('Last Name').fill('Family')
  await dialog().getByPlaceholder('Email').fill('visitor@example.com')
  await dialog().getByPlaceholder('Message').fill('When do you start?\nI live by the harbour. 🌊')
}

test('a new address is thanked for 3 seconds, and is in the database as it was typed', async () => {
  await page.clock.install()
  await page.goto(site.origin)
  expect(await page.title()).toBe('GWW Admin Panel')

  await page.clock.pauseAt(Date.now() + 60_000)

  await subscribe('  New.Visitor@Example.com ')
  // The head start that what was pressed gets before the app.
  await page.clock.runFor(200)
  await page.getByText('Thank you!', { exact: true }).waitFor()
  await page.getByText("We'll keep you posted on upcoming features.").waitFor()
  await page.clock.runFor(2999)
  expect(await page.getByText('Thank you!', { exact: true }).isVisible()).toBe(true)
  await page.clock.runFor(1)
  await page.getByText('Thank you!', { exact: true }).waitFor({ state: 'detached' })

  expect(await email().inputValue()).toBe('')
  expect(site.rows('subscribers').map((row) => row.email)).toEqual(['New.Visitor@Example.com'])
})

test('an address that is there already, in any case, is greeted again and stored once', async () => {
  await page.goto(site.origin)
  await subscribe('visitor@example.com')
  await page.getByText('Thank you!', { exact: true }).waitFor()

  await subscribe('VISITOR@example.com')
  await page.getByText("You have already registered your interest. We'll keep you posted by email.").waitFor()
  expect(await page.getByText('Thank you!', { exact: true }).count()).toBe(0)
  expect(site.rows('subscribers')).toHaveLength(1)
})

test('an enquiry is in the database, line break and all', async () => {
  await page.goto(site.origin)
  await writeEnquiry()
  await dialog().getByRole('button', { name: 'Submit' }).click()
  await dialog().getByText("Thank you for contacting us. We'll reach out to you soon on your query.").waitFor()
  expect(site.rows('enquiries')).toMatchObject([
    {
      first_name: 'Given',
      last_name: 'Family',
      email: 'visitor@example.com',
      message: 'When do you start?\nI live by the harbour. 🌊',
    },
  ])
})

test('a server that dies costs the visitor no text, and the enquiry is stored once when it is back', async () => {
  await page.goto(site.origin)
  await writeEnquiry()
  await site.kill()
  await dialog().getByRole('button', { name: 'Submit' }).click()
  await dialog().getByText('Oops! Something went wrong. Please try again, thank you!').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })

  await subscribe('visitor@example.com')
  await page.getByText('Looks like something went wrong. Please try again!').waitFor()
  expect(await email().inputValue()).toBe('visitor@example.com')

  await site.restart()
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('Thank you!', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Contact us' }).click()
  await dialog().getByRole('button', { name: 'Submit' }).click()
  await dialog().getByText('Thank you for contacting us.').waitFor()
  expect(site.rows('subscribers')).toHaveLength(1)
  expect(site.rows('enquiries')).toHaveLength(1)
})

test('an answer that was lost on its way makes no second enquiry', async () => {
  await page.goto(site.origin)
  await writeEnquiry()
  await page.route('**/api/contact-us', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await dialog().getByRole('button', { name: 'Submit' }).click()
  await dialog().getByText('Oops! Something went wrong.').waitFor()
  await page.unroute('**/api/contact-us')

  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Contact us' }).click()
  await dialog().getByRole('button', { name: 'Submit' }).click()
  await dialog().getByText('Thank you for contacting us.').waitFor()
  expect(site.rows('enquiries')).toHaveLength(1)
})

test('ten seconds without an answer are a failure, and the address stays in the field', async () => {
  await page.clock.install()
  await page.goto(site.origin)
  await page.route('**/api/subscribe', () => {})
  await page.clock.pauseAt(Date.now() + 60_000)
  const sent = page.waitForRequest('**/api/subscribe')
  await subscribe('visitor@example.com')
  await sent
  await page.clock.runFor(9999)
  expect(await page.getByText('Oops!').count()).toBe(0)
  await page.clock.runFor(1)
  await page.getByText('Oops!').waitFor()
  expect(await email().inputValue()).toBe('visitor@example.com')
})

test('the keyboard alone subscribes and enquires', async () => {
  await page.goto(site.origin)
  await page.keyboard.press('Tab')
  await page.keyboard.type('keyboard@example.com')
  await page.keyboard.press('Enter')
  await page.getByText('Thank you!', { exact: true }).waitFor()

  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog().waitFor()
  for (const text of ['Given', 'Family', 'keyboard@example.com', 'No mouse here']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await dialog().getByText('Thank you for contacting us.').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Contact us')
})

test('every other path ends at the empty one, and the query is kept', async () => {
  await page.goto(`${site.origin}/admin/users?from=mail`)
  await page.getByRole('heading', { name: 'Launching soon!' }).waitFor()
  expect(page.url()).toBe(`${site.origin}/?from=mail`)
})

test('the XSRF cookie comes back as a header', async () => {
  await page.context().addCookies([{ name: 'XSRF-TOKEN', value: 'a%2Fb', url: site.origin }])
  await page.goto(site.origin)
  const sent = page.waitForRequest('**/api/subscribe')
  await subscribe('visitor@example.com')
  expect((await sent).headers()['x-xsrf-token']).toBe('a/b')
})
