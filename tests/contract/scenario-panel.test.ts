import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startDevPage } from '../support/contract/dev-page.ts'
import { axeFindings } from '../support/page/axe.ts'
import { openBrowser } from '../support/page/browser.ts'

let browser: Browser
let dev: Awaited<ReturnType<typeof startDevPage>>
let original: string
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  dev = await startDevPage()
  original = readFileSync(dev.file, 'utf8')
  // One for all, so that the browser keeps the page's many files.
  page = await browser.newPage({ reducedMotion: 'reduce' })
})
afterAll(async () => {
  await browser?.close()
  await dev?.close()
})

async function open(address = '') {
  await page.goto(dev.url + address)
  await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor()
}

const toggle = () => page.getByRole('button', { name: /^Mock/ })
const radio = (name: string) => page.getByRole('radio', { name, exact: true })
const email = () => page.getByPlaceholder('Enter your email')
const overlay = () => page.locator('vite-error-overlay')
const focused = () => page.evaluate(() => (document.activeElement?.shadowRoot ?? document).activeElement?.textContent)

async function expectReachable(controls: Locator, count: number) {
  expect(await controls.count()).toBe(count)
  for (const control of await controls.all()) await control.click({ trial: true })
}

async function subscribe() {
  await email().fill('visitor@example.com')
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
}

async function edit(change: (text: string) => string) {
  const changed = change(original)
  expect(changed).not.toBe(original)
  writeFileSync(dev.file, changed)
}

/** Puts the contract back as an editor does that writes a file beside it, and waits until it is read. */
async function mend() {
  const { length } = dev.output()
  writeFileSync(`${dev.file}~`, original)
  renameSync(`${dev.file}~`, dev.file)
  await expect.poll(() => dev.output().slice(length)).toContain('up to date')
}

describe('the scenario panel', () => {
  beforeEach(() => open())

  test('lists every scenario once by what it changes, and changes the next answer without a reload', async () => {
    await page.evaluate(() => document.body.setAttribute('data-same', ''))
    await email().fill('visitor@example.com')
    await toggle().click()
    const values = await page.getByRole('radio').evaluateAll((all) => all.map((it) => it.getAttribute('value')))
    expect(values.sort()).toEqual(['', ...dev.contract.current().scenarios.keys()].sort())
    expect(await radio('default').isChecked()).toBe(true)
    const group = page.getByRole('group', { name: 'subscribe', exact: true })
    await group.getByRole('radio', { name: 'already-subscribed' }).check()
    expect(new URL(page.url()).search).toBe('?mock=already-subscribed')
    expect(await email().inputValue()).toBe('visitor@example.com')
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByText('Hello again!').waitFor()

    await radio('default').check()
    expect(new URL(page.url()).search).toBe('')
    await subscribe()
    await page.getByText('Thank you!', { exact: true }).waitFor()
    expect(await page.locator('body[data-same]').count()).toBe(1)
  })

  test('shows the last call and what the contract says of it, with the choice of an address that the page leaves', async () => {
    await open('elsewhere?mock=503')
    await toggle().click()
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await radio('503').isChecked()).toBe(true)
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

  test('is used with the keyboard alone, and takes no focus by itself', async () => {
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    await page.keyboard.press('Shift+Tab')
    expect(await focused()).toBe('Mock: default')
    expect(await toggle().evaluate((it) => getComputedStyle(it).outlineStyle)).toBe('solid')
    await page.keyboard.press('Enter')
    expect(await toggle().getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).search).toBe('?mock=subscribed')
    await page.keyboard.press('Escape')
    expect(await toggle().getAttribute('aria-expanded')).toBe('false')
    expect(await focused()).toBe('Mock: subscribed')
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

describe('an edit of the contract', () => {
  test('is in the mock, the panel and the types without a reload, and nothing typed is lost', async () => {
    await open()
    await toggle().click()
    await email().fill('visitor@example.com')
    await edit((text) =>
      text
        .replace(
          /^( +)already-subscribed:\n/m,
          '$1waitlist-full:\n$1  value: { success: false, email_exists: false, reason: waitlist-full }\n$&',
        )
        .replace('const: false', 'const: false\n            reason:\n              const: waitlist-full'),
    )
    await radio('waitlist-full').check()
    expect(dev.types()).toContain('waitlist-full')
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByText('200, example waitlist-full').waitFor()
    expect(await email().inputValue()).toBe('visitor@example.com')
    await mend()
  })

  test('that breaks it is told with its line while the old mock goes on, until it is mended', async () => {
    await open()
    await email().fill('visitor@example.com')
    const { length } = dev.output()
    await edit((text) => text.replace('operationId: subscribe', 'operationId subscribe'))
    await overlay().waitFor()
    const { line, message } = dev.contract.diagnostic() ?? {}
    expect(await overlay().locator('.message-body').textContent()).toContain(message)
    expect(await overlay().locator('.file').textContent()).toContain(`${dev.file}:${line}:`)
    expect(await overlay().locator('.frame').textContent()).toContain(`> ${line} | `)
    expect(dev.output().slice(length)).toContain(`openapi.yaml:${line}:`)
    expect(dev.output().slice(length)).toContain(message)

    const answer = await fetch(`${dev.url}api/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"email":"visitor@example.com"}',
    })
    expect(await answer.json()).toEqual({ success: true, email_exists: false })

    await mend()
    await overlay().waitFor({ state: 'detached' })
    expect(await email().inputValue()).toBe('visitor@example.com')
  })

  test('that is written in pieces, emptied or taken away for a moment leaves a contract that is used', async () => {
    const half = original.length / 2
    writeFileSync(dev.file, '')
    writeFileSync(dev.file, original.slice(0, half))
    writeFileSync(dev.file, original)
    renameSync(dev.file, `${dev.file}.old`)
    await expect.poll(() => dev.output()).toContain('The file is gone.')
    await page.reload()
    await overlay().waitFor()
    renameSync(`${dev.file}.old`, dev.file)
    await overlay().waitFor({ state: 'detached' })
    expect(dev.contract.diagnostic()).toBeNull()
  })
})
