import { mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { LINK_TEXT, TEXT } from '../../src/domain/texts.ts'
import { pages } from '../../tools/build/pages.ts'
import { readBuildSettings } from '../../tools/build/settings.ts'
import { mock } from '../../tools/dev/mock.ts'
import { isTakenOver } from '../support/page/browse-built-site.ts'
import { openBrowser } from '../support/page/browser.ts'
import { TEST_TIMEOUT } from '../support/timeouts.ts'
import { until } from '../support/until.ts'

// The real page in development, with a copy of the contract that the tests edit. The folder has a blank and a quote.
const folder = mkdtempSync(join(tmpdir(), "dev page's "))
const [file, types] = [join(folder, 'openapi.yaml'), join(folder, 'contract.d.ts')]
const original = readFileSync('openapi.yaml', 'utf8')
writeFileSync(file, original)
// Throws on a machine that has no file watcher left: there Vite would notice no edit.
watch(folder).close()
const vite = await createServer({
  configFile: false,
  // Two servers with one cache would delete each other's files.
  cacheDir: 'node_modules/.vite-tests',
  logLevel: 'silent',
  server: { port: 0 },
  plugins: [react(), pages(readBuildSettings({ PRIVACY_URL: 'https://example.com/a' })), mock(file, types)],
})
await vite.listen()
const url = vite.resolvedUrls?.local[0] ?? ''
const browser = await openBrowser()
const page = await browser.newPage({ reducedMotion: 'reduce' })
// React complains where the prerendered HTML is not what the app renders first. A change of the machine's network, such
// as a container that starts, only delays a file.
const complaints: string[] = []
page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
page.on('pageerror', ({ message }) => complaints.push(message))
// On a busy machine the first visit takes longer than WAIT_TIMEOUT.
page.setDefaultNavigationTimeout(TEST_TIMEOUT)
afterAll(async () => {
  await Promise.all([browser.close(), vite.close()])
  rmSync(folder, { recursive: true })
})

const email = page.getByPlaceholder(TEXT.emailPlaceholder)
const panel = page.getByRole('combobox', { name: 'Mock' })
// The tests use one page, because the browser loads and runs thousands of files for each.
await page.goto(url)
await email.fill('visitor@example.com')
// Vite prepares the libraries for the first visit, which takes long on a busy machine.
await until(() => page.evaluate(isTakenOver), TEST_TIMEOUT)
const complaintsOfFirstVisit = complaints.filter((text) => !text.includes('ERR_NETWORK_CHANGED'))

test('React takes over the prerendered page as it is', () => {
  expect(complaintsOfFirstVisit).toEqual([])
})

test.each(['icon.svg', 'favicon.ico', 'touch-icon.png'])('%s is a picture in development too', async (icon) => {
  expect((await fetch(new URL(icon, url))).headers.get('content-type')).toMatch(/^image/)
})

test('the page has the link of a setting of the build', async () => {
  const links = page.locator('footer').getByRole('link', { name: LINK_TEXT.privacy })
  expect(await links.getAttribute('href')).toBe('https://example.com/a')
})

test('an edit of the contract that the lint refuses does not reach the mock', async () => {
  await panel.evaluate((list) => list.firstElementChild?.setAttribute('id', 'before-the-edit'))
  writeFileSync(file, original.replace('version: 1.0.0', 'version: 1').replace(/declined:/g, 'refused:'))
  await page.locator('#before-the-edit').waitFor({ state: 'detached', timeout: TEST_TIMEOUT })
  expect(await panel.textContent()).not.toContain('refused')
})

test('an edit of the contract reaches types, mock and panel without a reload', async () => {
  const contract = parse(original)
  const [, declined] = contract.components.schemas.SubscriptionAnswer.oneOf
  declined.properties.reason = { const: 'full' }
  const answer = contract.paths['/api/subscribe'].post.responses[200].content['application/json']
  answer.examples = { full: { value: { success: false, reason: 'full' } } }
  writeFileSync(file, JSON.stringify(contract))
  // The panel stays when the pointer moves over the page.
  await page.mouse.move(9, 9)
  await panel.selectOption('full', { timeout: TEST_TIMEOUT })
  expect(readFileSync(types, 'utf8')).toContain('full')
  const answered = page.waitForResponse(/api/)
  await email.press('Enter')
  expect(await (await answered).json()).toMatchObject({ reason: 'full' })
})

test('the panel shows the answer that the address chooses', async () => {
  await page.goto(`${url}?mock=slow`)
  await expect.poll(() => panel.inputValue()).toBe('slow')
})
