import { expect, test } from 'vitest'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'

const site = browseBuiltSite()

async function visit() {
  const page = await site.openPage()
  await page.goto(site.origin)
  const dialog = page.getByRole('dialog')
  return {
    page,
    email: page.getByPlaceholder(TEXT.emailPlaceholder),
    async subscribe(address: string, outcome: keyof typeof NOTIFICATION_TEXT) {
      await page.getByPlaceholder(TEXT.emailPlaceholder).fill(address)
      await page.getByRole('button', { name: TEXT.subscribe }).click()
      await page.getByText(NOTIFICATION_TEXT[outcome].summary, { exact: true }).waitFor()
      await page.getByText(NOTIFICATION_TEXT[outcome].detail, { exact: true }).waitFor()
    },
    async openDialog() {
      await page.getByRole('button', { name: TEXT.contactUs }).click()
    },
    async write(fields: Record<string, string>) {
      for (const [placeholder, text] of Object.entries(fields)) await dialog.getByPlaceholder(placeholder).fill(text)
    },
    async submit(outcome: keyof typeof ENQUIRY_TEXT) {
      await dialog.getByRole('button', { name: TEXT.submit }).click()
      await dialog.getByText(ENQUIRY_TEXT[outcome]).waitFor()
    },
    async close() {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    },
  }
}

test('a new address is in the database as it was typed, and once, though it comes again in another case', async () => {
  const { email, subscribe } = await visit()
  await subscribe('  New.Visitor@Example.com ', 'subscribed')
  expect(await email.inputValue()).toBe('')
  await subscribe('NEW.visitor@example.com', 'alreadySubscribed')
  expect(site.rows('subscribers').map((row) => row.email)).toEqual(['New.Visitor@Example.com'])
})

test('neither a server that dies nor an answer that is lost costs any text, and each thing is stored once', async () => {
  const { page, email, subscribe, openDialog, write, submit, close } = await visit()
  const message = 'When do you start?\nI live by the harbour. 🌊'
  await openDialog()
  await write({ [TEXT.first]: 'Given', [TEXT.last]: 'Family', [TEXT.email]: 'p@example.com', [TEXT.message]: message })
  await site.kill()
  await submit('failed')
  await close()
  await subscribe('p@example.com', 'failed')
  expect(await email.inputValue()).toBe('p@example.com')

  await site.restart()
  await page.route('**/api/contact-us', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await openDialog()
  await submit('failed')
  await close()
  await page.unroute('**/api/contact-us')
  await openDialog()
  await submit('received')
  await close()
  await subscribe('p@example.com', 'subscribed')
  const row = { first_name: 'Given', last_name: 'Family', email: 'p@example.com', message }
  expect(site.rows('enquiries')).toEqual([expect.objectContaining(row)])
  expect(site.rows('subscribers').filter((row) => row.email === 'p@example.com')).toHaveLength(1)
})
