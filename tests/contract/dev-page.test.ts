import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, createServer } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { openContract } from '../../contract/mock/contract.ts'
import { contractError } from '../../contract/mock/diagnostics.ts'
import { errorOverlay } from '../../contract/mock/error-overlay.ts'
import { CONTRACT } from '../../contract/mock/mock.ts'
import { mockedPage } from '../../contract/mock/mocked-page.ts'
import { TEXT } from '../../src/domain/texts.ts'
import { openBrowser } from '../support/page/browser.ts'
import { TEST_TIMEOUT } from '../support/timeouts.ts'
import { backendAt } from '../support/visitors.ts'

// The real page in development, with a copy of the contract that the tests edit.
const folder = mkdtempSync(join(tmpdir(), 'dev-page-'))
const [file, types] = [join(folder, 'openapi.yaml'), join(folder, 'contract.d.ts')]
const original = readFileSync(CONTRACT, 'utf8')
writeFileSync(file, original)
const logged: string[] = []
const log = (line: string) => void logged.push(line)
const contract = await openContract(file, types)
const concerns = (path: string) => path === file
const vite = await createServer({
  // Two servers with one cache would delete each other's files.
  cacheDir: 'node_modules/.vite-tests',
  server: { port: 0, fs: { allow: ['.', folder] } },
  customLogger: { ...createLogger('silent'), info: log, error: log },
  plugins: [errorOverlay([{ name: 'contract', folder, concerns, firstError: contract.reload }]), mockedPage(contract)],
})
await vite.listen()
const url = vite.resolvedUrls?.local[0] ?? ''
const browser = await openBrowser()
// All tests share one page, so that the browser keeps its many files.
const page = await browser.newPage({ reducedMotion: 'reduce' })
// During the first visit Vite prepares the libraries. On a busy machine that takes longer than WAIT_TIMEOUT.
page.setDefaultNavigationTimeout(TEST_TIMEOUT)
afterAll(async () => {
  await Promise.all([browser.close(), vite.close(), contract.close()])
  rmSync(folder, { recursive: true })
})

test('the error of an invalid example shows its line and the lines around it', async () => {
  const [example, edited] = ['email_exists: true }', join(folder, 'edited.yaml')]
  writeFileSync(edited, original.replace(example, 'email_exists: 1 }'))
  const line = original.slice(0, original.indexOf(example)).split('\n').length
  const frame = expect.stringMatching(`^ +${line - 2} \\| .*\n.*\n> ${line} \\| .*email_exists: 1 }`)
  expect(await contractError(edited)).toMatchObject({ line, message: expect.stringContaining('boolean'), frame })
})

const email = page.getByPlaceholder(TEXT.emailPlaceholder)
const scenario = (name: string) => page.getByRole('link', { name, exact: true })
/** Opens the page, with the panel unfolded. */
async function open() {
  await page.goto(url)
  await page.getByText('Mock: default').click()
  await email.fill('visitor@example.com')
}

test('the page in development has the content policy of the build', async () => {
  expect(await (await page.goto(url))?.text()).toContain('require-trusted-types-for &#39;script&#39;')
})

test('a choice in the panel keeps the typed text, also in the open dialog', async () => {
  await open()
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  const name = page.getByPlaceholder(TEXT.first)
  await name.fill('Given')
  await scenario('declined').click()
  expect(new URL(page.url()).search).toBe('?mock=declined')
  expect([await email.inputValue(), await name.inputValue()]).toEqual(['visitor@example.com', 'Given'])
})

test('an edit of the contract reaches types, mock and panel without a reload', async () => {
  await open()
  const full = '$1waitlist-full:\n$1  value: { success: false, email_exists: false, reason: waitlist-full }\n$&'
  const reason = 'const: false\n            reason:\n              const: waitlist-full'
  writeFileSync(file, original.replace(/^( +)already-subscribed:\n/m, full).replace('const: false', reason))
  await scenario('waitlist-full').click()
  expect(readFileSync(types, 'utf8')).toContain('waitlist-full')
  await email.press('Enter')
  await page.getByText('200, example waitlist-full').waitFor()
})

const typo = original.replace('operationId: subscribe', 'operationId subscribe')

test('page and terminal show the error in a contract until it is corrected', async () => {
  await open()
  writeFileSync(file, typo)
  const overlay = page.locator('vite-error-overlay')
  await overlay.getByText('[plugin:dev:contract]').waitFor()
  const { line, message } = (await contractError(file)) ?? {}
  expect(await overlay.locator('.window').textContent()).toContain(`${message}${file}:${line}:`)
  expect(logged.join()).toMatch(RegExp(`openapi\\.yaml:${line}:.*${message}`))
  writeFileSync(file, original)
  await overlay.waitFor({ state: 'detached' })
})

test('while the contract is invalid, the mock uses the last valid contract', async () => {
  writeFileSync(file, typo)
  expect(await contract.reload(log)).toMatchObject({ message: expect.stringContaining('Implicit keys') })
  expect(await backendAt(new URL(url).origin).subscribe('visitor@example.com')).toBe('subscribed')
  writeFileSync(file, original)
})

test('a page that can not be rendered is loaded again after the next edit', async () => {
  const { PAGES } = await vite.ssrLoadModule('/src/routes.tsx')
  PAGES.push({ path: '/faulty', element: {} })
  const connected = page.waitForEvent('console', (message) => message.text() === '[vite] connected.')
  await Promise.all([connected, page.goto(url)])
  await page.getByText('not valid as a React child').first().waitFor()
  PAGES.pop()
  vite.watcher.emit('all', 'change', file)
  await email.waitFor()
})

test('the page reloads when a lost server is back', async () => {
  await open()
  await Promise.all([page.waitForEvent('load'), ...[...vite.ws.clients].map(({ socket }) => socket.close())])
})
