import { beforeEach, describe, expect, test } from 'vitest'
import { startDevPage } from '../support/contract/dev-page.ts'

const { page, open, contract } = await startDevPage('scenario-panel')

const summary = () => page.getByText(/^Mock:/)
const scenario = (name: string) => page.getByRole('link', { name, exact: true })
const email = () => page.getByPlaceholder('Enter your email')
const focused = () => page.evaluate(() => (document.activeElement?.shadowRoot ?? document).activeElement?.textContent)

async function subscribe() {
  await email().fill('visitor@example.com')
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
}

describe('the panel of the mock', () => {
  beforeEach(() => open())

  test('takes no focus by itself, and opened by the keyboard alone lists every scenario once, with what it changes', async () => {
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    await page.keyboard.press('Shift+Tab')
    expect(await focused()).toBe('Mock: default')
    await page.keyboard.press('Enter')
    expect((await page.getByRole('link').allTextContents()).sort()).toEqual(
      ['default', ...contract.current().scenarios.keys()].sort(),
    )
    expect(await scenario('already-subscribed').getAttribute('title')).toBe('subscribe')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).search).toMatch(/^\?mock=/)
  })

  test('changes the next answer without a reload, from the choice of an address that the page leaves', async () => {
    await open('elsewhere?mock=503')
    await page.evaluate(() => document.body.setAttribute('data-same', ''))
    await summary().click()
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await scenario('503').getAttribute('aria-current')).toBe('true')
    await email().fill('visitor@example.com')
    await scenario('already-subscribed').click()
    expect(new URL(page.url()).search).toBe('?mock=already-subscribed')
    expect(await email().inputValue()).toBe('visitor@example.com')
    await subscribe()
    await page.getByText('Hello again!').waitFor()
    await scenario('default').click()
    expect(new URL(page.url()).search).toBe('')
    await subscribe()
    await page.getByText('Thank you!', { exact: true }).waitFor()
    expect(await page.locator('body[data-same]').count()).toBe(1)
  })

  test('shows the last call and what the contract says of it', async () => {
    await open('?mock=503')
    await summary().click()
    await subscribe()
    await page.getByText('503, example unavailable: Nothing can be stored at the moment.').waitFor()
    for (const text of ['POST /api/subscribe (operation: subscribe)', '✓ The request keeps', '✓ The answer keeps'])
      expect(await page.getByText(text).count(), text).toBe(1)
    expect(await page.getByText('{"email":"visitor@example.com"}').count()).toBe(1)

    await page.evaluate(() => fetch('/api/subscribe', { method: 'POST', body: '{"email":"plain"}' }))
    await page.getByText('✗ The request breaks the contract: /email must match').waitFor()
    await scenario('declined').click()
    await subscribe()
    await page.getByText('the page shows nothing').waitFor()
    await scenario('offline').click()
    await subscribe()
    await page.getByText('No answer: the connection was dropped.').waitFor()
    await page.evaluate(() => history.replaceState(null, '', '/?mock=nonsense'))
    await subscribe()
    await page.getByText('There is no scenario').waitFor()
  })

  test('works over the open dialog, which stays open', async () => {
    const dialog = page.getByRole('dialog', { name: 'Contact us' })
    await page.getByRole('button', { name: 'Contact us' }).click()
    await dialog.getByPlaceholder('First Name').fill('Given')
    await summary().click()
    await scenario('declined').click()
    expect(new URL(page.url()).search).toBe('?mock=declined')
    expect(await focused()).toBe('declined')
    expect(await dialog.getByPlaceholder('First Name').inputValue()).toBe('Given')
  })
})
