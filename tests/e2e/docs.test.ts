import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type axe from 'axe-core'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { STANDARDS } from '../support/axe.ts'
import { openBrowser } from '../support/browser.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'reference-'))
for (const built of ['dist', 'dist-docs']) symlinkSync(resolve(built), join(folder, built))

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** What the renderer gives no means to change. */
const KNOWN = ['heading-order', 'label-content-name-mismatch']

let browser: Browser
let server: ServerProcess
let page: Page
/** What the browser refused, complained of, or asked another host for. */
let faults: string[]

beforeAll(async () => {
  browser = await openBrowser()
  server = await startServer(folder, { DOCS: 'on' })
})
afterAll(async () => {
  await browser.close()
  server.signal('SIGKILL')
  await server.exited
  rmSync(folder, { recursive: true })
})

beforeEach(async () => {
  faults = []
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.on('console', (message) => faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.route(
    (url) => url.origin !== server.origin && url.protocol.startsWith('http'),
    (route) => {
      faults.push(`asked for ${route.request().url()}`)
      return route.abort()
    },
  )
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.log(`violation of ${event.violatedDirective} by ${event.blockedURI}`)
    })
  })
  await page.goto(`${server.origin}/docs`)
})
afterEach(async () => {
  await page.close()
  expect(faults).toEqual([])
})

const results = () => page.locator('[data-role="search:results"]')

test('the reference shows both operations with every outcome', async () => {
  expect(await page.title()).toBe('Launching soon: reference of the contract')
  const operations = page.getByRole('main').getByRole('heading', { level: 2 })
  await operations.getByText('Keep an address posted').waitFor()
  await operations.getByText('Take an enquiry').waitFor()
  for (const status of ['200', '400', '403', '413', '415', '422', '429', '500', '503'])
    expect(await page.getByRole('button', { name: new RegExp(`^${status}\\b`) }).count()).toBe(2)
})

test('its search finds the Idempotency-Key, by keyboard, and leads to where it stands', async () => {
  await page.getByRole('textbox', { name: 'Search' }).focus()
  await page.keyboard.type('Idempotency-Key')
  await expect.poll(() => results().innerText()).toContain('Take an enquiry')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).hash).toBe('#tag/leads/operation/contactUs')
  await expect.poll(() => page.getByText('A UUID that the sender makes').isVisible()).toBe(true)
})

test('its outcomes open by keyboard, and the focus is seen', async () => {
  const outcome = page.getByRole('button', { name: /^429\b/ }).first()
  await outcome.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Seconds after which the call is worth another try.').first().waitFor()
  await page.keyboard.press('Tab')
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)
  expect(outline).toBe('solid')
})

test('the contract itself is one link away', async () => {
  const link = page.getByRole('link', { name: 'openapi.yaml' })
  const { href, download } = await link.evaluate(({ href, download }: HTMLAnchorElement) => ({ href, download }))
  expect({ href, download }).toEqual({ href: `${server.origin}/openapi.yaml`, download: 'openapi.yaml' })
  expect(await (await fetch(href)).text()).toContain('operationId: contactUs')
})

test.each([360, 1440])('at %i px it fits, and axe finds nothing but what the renderer is known for', async (width) => {
  // The policy would refuse axe.
  const open = await browser.newPage({ viewport: { width, height: 900 }, bypassCSP: true })
  await open.goto(`${server.origin}/docs`)
  await open.getByRole('heading', { name: 'Take an enquiry' }).waitFor()
  await open.evaluate(AXE)
  const found = await open.evaluate(
    (standards) => (window as unknown as { axe: typeof axe }).axe.run(document, { runOnly: standards }),
    STANDARDS,
  )
  expect(found.violations.map(({ id }) => id).filter((id) => !KNOWN.includes(id))).toEqual([])
  expect(await open.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await open.close()
})

test.each(['Enter', 'Space'])('on a narrow screen %s opens the menu, and its search finds too', async (key) => {
  await page.setViewportSize({ width: 360, height: 800 })
  const search = page.getByRole('textbox', { name: 'Search' })
  await search.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Menu' }).focus()
  await page.keyboard.press(key)
  await search.focus()
  await page.keyboard.type('Idempotency-Key')
  await expect.poll(() => results().innerText()).toContain('Take an enquiry')
})
