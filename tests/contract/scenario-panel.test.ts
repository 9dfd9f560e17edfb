import type { Locator } from 'playwright'
import { beforeEach, describe, expect, test } from 'vitest'
import { startDevPage } from '../support/contract/dev-page.ts'
import { axeFindings } from '../support/page/axe.ts'

const { page, open, contract } = await startDevPage('scenario-panel')

const toggle = () => page.getByRole('button', { name: /^Mock/ })
const radio = (name: string) => page.getByRole('radio', { name, exact: true })
const email = () => page.getByPlaceholder('Enter your email')
const focused = () => page.evaluate(() => (document.activeElement?.shadowRoot ?? document).activeElement?.textContent)

async function expectReachable(controls: Locator, count: number) {
  expect(await controls.count()).toBe(count)
  // Even a trial click is heard by listeners of the window.
  for (const control of await controls.all()) await control.hover()
}

async function subscribe() {
  await email().fill('visitor@example.com')
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
}

describe('the scenario panel', () => {
  beforeEach(() => open())

  test('takes no focus by itself, and opened by the keyboard alone lists every scenario once, by what it changes', async () => {
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    await page.keyboard.press('Shift+Tab')
    expect(await focused()).toBe('Mock: default')
    expect(await toggle().evaluate((it) => getComputedStyle(it).outlineStyle)).toBe('solid')
    await page.keyboard.press('Enter')
    expect(await toggle().getAttribute('aria-expanded')).toBe('true')
    const values = await page.getByRole('radio').evaluateAll((all) => all.map((it) => it.getAttribute('value')))
    expect(values.sort()).toEqual(['', ...contract.current().scenarios.keys()].sort())
    const group = page.getByRole('group', { name: 'subscribe', exact: true })
    expect(await group.getByRole('radio', { name: 'already-subscribed' }).isVisible()).toBe(true)
  })

  test('changes the next answer without a reload, from the choice of an address that the page leaves', async () => {
    await open('elsewhere?mock=503')
    await page.evaluate(() => document.body.setAttribute('data-same', ''))
    await toggle().click()
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await radio('503').isChecked()).toBe(true)
    await email().fill('visitor@example.com')
    await radio('already-subscribed').check()
    expect(new URL(page.url()).search).toBe('?mock=already-subscribed')
    expect(await email().inputValue()).toBe('visitor@example.com')
    await subscribe()
    await page.getByText('Hello again!').waitFor()
    await radio('default').check()
    expect(new URL(page.url()).search).toBe('')
    await subscribe()
    await page.getByText('Thank you!', { exact: true }).waitFor()
    expect(await page.locator('body[data-same]').count()).toBe(1)
  })

  test('shows the last call and what the contract says of it', async () => {
    await open('?mock=503')
    await toggle().click()
    await subscribe()
    await page.getByText('503, example unavailable: Nothing can be stored at the moment.').waitFor()
    for (const text of ['POST /api/subscribe (operation: subscribe)', '✓ The request keeps', '✓ The answer keeps'])
      expect(await page.getByText(text).count(), text).toBe(1)
    expect(await page.getByText('{"email":"visitor@example.com"}').count()).toBe(1)

    await page.evaluate(() => fetch('/api/subscribe', { method: 'POST', body: '{"email":"plain"}' }))
    await page.getByText('✗ The request breaks the contract: /email must match').waitFor()
    await radio('declined').check()
    await subscribe()
    await page.getByText('the page shows nothing').waitFor()
    await radio('offline').check()
    await subscribe()
    await page.getByText('No answer: the connection was dropped.').waitFor()
    await page.evaluate(() => history.replaceState(null, '', '/?mock=nonsense'))
    await subscribe()
    await page.getByText('There is no scenario').waitFor()
  })

  test('works over the open dialog, which stays open, by pointer and by Ctrl+Alt+M', async () => {
    const dialog = page.getByRole('dialog', { name: 'Contact us' })
    await page.getByRole('button', { name: 'Contact us' }).click()
    await dialog.getByPlaceholder('First Name').fill('Given')
    await toggle().click()
    await radio('declined').click()
    expect(new URL(page.url()).search).toBe('?mock=declined')
    await page.keyboard.press('Escape')
    expect(await focused()).toBe('Mock: declined')
    expect(await dialog.getByPlaceholder('First Name').inputValue()).toBe('Given')

    await dialog.getByPlaceholder('Message').focus()
    await page.keyboard.press('Control+Alt+KeyM')
    expect(await focused()).toBe('Mock: declined')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowUp')
    expect(new URL(page.url()).search).toMatch(/^\?mock=(?!declined)/)
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByPlaceholder('First Name').focus()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  test('has nothing that axe finds wrong, and covers no control, open or closed, in light and on a small screen in dark', async () => {
    const looks = [
      { width: 320, height: 568, colorScheme: 'dark' },
      { width: 1280, height: 720, colorScheme: 'light' },
    ] as const
    for (const { colorScheme, ...size } of looks) {
      await open()
      await subscribe()
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      await expectReachable(page.locator('#root').locator('button, input'), 3)
      await toggle().click()
      expect((await axeFindings(page)).violations, colorScheme).toEqual([])
      await page.getByRole('button', { name: 'Contact us' }).click()
      await expectReachable(page.locator('#contact').locator('button, input, textarea'), 6)
    }
  })
})
