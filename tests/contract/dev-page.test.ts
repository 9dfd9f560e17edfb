import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { contractError } from '../../dev/diagnostics.ts'
import { startDevPage } from '../support/contract/dev-page.ts'
import { backendAt } from '../support/visitors.ts'

const { page, url, open, files, output, contract } = await startDevPage()
const original = readFileSync(files.contract, 'utf8')

const email = () => page.getByPlaceholder('Enter your email')
const overlay = () => page.locator('vite-error-overlay')

const breakContract = () =>
  writeFileSync(files.contract, original.replace('operationId: subscribe', 'operationId subscribe'))

/** Puts the contract back as an editor does that writes a file beside it, and waits until it is read. */
async function mendContract() {
  const { length } = output()
  writeFileSync(`${files.contract}~`, original)
  renameSync(`${files.contract}~`, files.contract)
  await expect.poll(() => output().slice(length)).toMatch(/up to date|No errors in the contract any more/)
}

const breakTypes = () => writeFileSync(files.source, "\nexport const one: number = 'one'\n")

async function mendTypes() {
  const { length } = output()
  writeFileSync(files.source, '')
  await expect.poll(() => output().slice(length)).toContain('No errors in the types any more.')
}

describe('an edit of the contract', () => {
  test('is in the mock, the panel and the types without a reload, and nothing typed is lost', async () => {
    await open()
    await page.getByText(/^Mock:/).click()
    await email().fill('visitor@example.com')
    const full = '$1waitlist-full:\n$1  value: { success: false, email_exists: false, reason: waitlist-full }\n$&'
    const reason = 'const: false\n            reason:\n              const: waitlist-full'
    writeFileSync(files.contract, original.replace(/^( +)already-subscribed:\n/m, full).replace('const: false', reason))
    await page.getByRole('link', { name: 'waitlist-full' }).click()
    expect(readFileSync(files.generatedTypes, 'utf8')).toContain('waitlist-full')
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByText('200, example waitlist-full').waitFor()
    expect(await email().inputValue()).toBe('visitor@example.com')
    await mendContract()
  })

  test('that breaks it is told with its line while the old mock goes on, until it is mended', async () => {
    await open()
    await email().fill('visitor@example.com')
    const { length } = output()
    breakContract()
    await overlay().waitFor()
    const { line, message } = (await contractError(files.contract)) ?? {}
    expect(await overlay().locator('.message-body').textContent()).toContain(message)
    expect(await overlay().locator('.file').textContent()).toContain(`${files.contract}:${line}:`)
    expect(await overlay().locator('.frame').textContent()).toContain(`> ${line} | `)
    expect(output().slice(length)).toContain(`openapi.yaml:${line}:`)
    expect(output().slice(length)).toContain(message)

    expect(await backendAt(new URL(url).origin).subscribe('visitor@example.com')).toBe('subscribed')
    await mendContract()
    await overlay().waitFor({ state: 'detached' })
    expect(await email().inputValue()).toBe('visitor@example.com')
  })

  test('that is written in pieces, emptied or taken away for a moment leaves a contract that is used', async () => {
    for (const share of [0, 0.5, 1]) writeFileSync(files.contract, original.slice(0, share * original.length))
    renameSync(files.contract, `${files.contract}.old`)
    await expect.poll(output).toContain('The file is gone.')
    await page.reload()
    await overlay().waitFor()
    renameSync(`${files.contract}.old`, files.contract)
    await overlay().waitFor({ state: 'detached' })
    expect(await contractError(files.contract)).toBeNull()
  })
})

describe('a type error', () => {
  test('is told with its line on the page and in the terminal, until it is fixed', async () => {
    await open()
    const { length } = output()
    breakTypes()
    await overlay().waitFor()
    const message = "TS2322: Type 'string' is not assignable to type 'number'."
    expect(await overlay().locator('.message-body').textContent()).toBe(message)
    expect(await overlay().locator('.file').textContent()).toBe(`${files.source}:2:14`)
    expect(await overlay().locator('.frame').textContent()).toContain("> 2 | export const one: number = 'one'")
    expect(output().slice(length)).toContain(`source.ts:2:14 ${message}`)
    await mendTypes()
    await overlay().waitFor({ state: 'detached' })
  })

  test('and one of the contract do not hide each other: fixing one shows the other', async () => {
    await open()
    const shown = (source: string) => overlay().getByText(`[plugin:dev:${source}]`).waitFor()
    breakTypes()
    await shown('types')
    breakContract()
    await shown('contract')
    await mendContract()
    await shown('types')
    breakContract()
    await shown('contract')
    await mendTypes()
    await shown('contract')
    await mendContract()
    await overlay().waitFor({ state: 'detached' })
  })
})

const summary = () => page.getByText(/^Mock:/)
const scenario = (name: string) => page.getByRole('link', { name, exact: true })
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
    await expect.poll(() => new URL(page.url()).pathname).toBe('/')
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
