import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin } from 'vite'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { pages } from '../../tools/build/pages.ts'
import { faults } from '../../tools/dev/faults.ts'
import { mock } from '../../tools/dev/mock.ts'
import { isTakenOver } from '../support/page/browse-built-site.ts'
import { openBrowser } from '../support/page/browser.ts'
import { TEST_TIMEOUT } from '../support/timeouts.ts'
import { backendAt } from '../support/visitors.ts'

// The real page in development, with a copy of the contract that the tests edit.
const folder = mkdtempSync(join(tmpdir(), 'dev-page-'))
const [file, types] = [join(folder, 'openapi.yaml'), join(folder, 'contract.d.ts')]
const original = readFileSync('openapi.yaml', 'utf8')
writeFileSync(file, original)
const component = resolve('src/ui/page/coming-soon.tsx')
const noEdit = { file: component, from: '', to: '' }
/** An edit of a file, which only the browser gets. */
let edit = noEdit
const edits: Plugin = {
  name: 'edits',
  enforce: 'pre',
  transform: (code, id, options) => (id === edit.file && !options?.ssr ? code.replace(edit.from, edit.to) : null),
}
const vite = await createServer({
  configFile: false,
  // Two servers with one cache would delete each other's files.
  cacheDir: 'node_modules/.vite-tests',
  logLevel: 'silent',
  server: { port: 0 },
  plugins: [edits, react(), pages(null, []), mock(file, types), faults()],
})
await vite.listen()
const url = vite.resolvedUrls?.local[0] ?? ''
const browser = await openBrowser()
// All tests share one page, so that the browser keeps its many files.
const page = await browser.newPage({ reducedMotion: 'reduce' })
// During the first visit Vite prepares the libraries. On a busy machine that takes longer than WAIT_TIMEOUT.
page.setDefaultNavigationTimeout(TEST_TIMEOUT)
afterAll(async () => {
  await Promise.all([browser.close(), vite.close()])
  rmSync(folder, { recursive: true })
})

const email = page.getByPlaceholder(TEXT.emailPlaceholder)
const panel = page.getByRole('combobox', { name: 'Mock' })
async function open() {
  await page.goto(url)
  await email.fill('visitor@example.com')
  await expect.poll(() => page.evaluate(isTakenOver)).toBe(true)
}

function makeEdit(next: typeof edit) {
  edit = next
  onTestFinished(() => {
    edit = noEdit
  })
  vite.watcher.emit('change', next.file)
}

test('the page in development has the content policy of the build', async () => {
  expect(await (await page.goto(url))?.text()).toContain('require-trusted-types-for &#39;script&#39;')
})

test('a choice in the panel keeps the typed text, also in the open dialog', async () => {
  await open()
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  const name = page.getByPlaceholder(TEXT.first)
  await name.fill('Given')
  await panel.selectOption('declined')
  expect(new URL(page.url()).search).toBe('?mock=declined')
  expect([await email.inputValue(), await name.inputValue()]).toEqual(['visitor@example.com', 'Given'])
})

test('the panel shows status and headers of the last answer, and stays folded', async () => {
  await open()
  await email.press('Enter')
  await page.getByText(/^200 OK[\s\S]*cache-control: no-store/).waitFor()
  await page.getByText('Mock', { exact: true }).click()
  await open()
  expect(await panel.isVisible()).toBe(false)
  await page.getByText('Mock', { exact: true }).click()
})

test('a component that throws shows its place in the source, and is repaired without a reload', async () => {
  await open()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  const start = 'export function ComingSoon() {'
  makeEdit({ file: component, from: start, to: `${start} throw new Error('broken')` })
  await page.getByText(/ComingSoon src\/ui\/page\/coming-soon\.tsx:\d+/).waitFor()
  makeEdit(noEdit)
  await email.waitFor()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('an edit of the contact form keeps its typed texts', async () => {
  await open()
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  const name = page.getByPlaceholder(TEXT.first)
  await name.fill('Given')
  makeEdit({ file: resolve('src/ui/contact/contact-form.tsx'), from: '{TEXT.submit}', to: 'Edited' })
  await page.getByRole('button', { name: 'Edited' }).waitFor()
  expect(await name.inputValue()).toBe('Given')
})

test('an edit of the contract reaches types, mock and panel without a reload', async () => {
  await open()
  const full = '$1waitlist-full:\n$1  value: { success: false, email_exists: false, reason: waitlist-full }\n$&'
  const reason = 'const: false\n            reason:\n              const: waitlist-full'
  writeFileSync(file, original.replace(/^( +)already-subscribed:\n/m, full).replace('const: false', reason))
  await panel.selectOption('waitlist-full', { timeout: TEST_TIMEOUT })
  expect(readFileSync(types, 'utf8')).toContain('waitlist-full')
  const answered = page.waitForResponse(/api/)
  await email.press('Enter')
  expect(await (await answered).json()).toMatchObject({ reason: 'waitlist-full' })
})

test('while the contract is invalid, the mock uses the last valid contract', async () => {
  writeFileSync(file, original.replace('operationId: subscribe', 'operationId subscribe'))
  // Prism would answer a call of an unknown operation with 404.
  expect(await backendAt(new URL(url).origin).subscribe('visitor@example.com')).toBe('subscribed')
})

test('a page that can not be rendered is loaded again after the next edit', async () => {
  const { PAGES } = await vite.ssrLoadModule('/src/routes.tsx')
  PAGES.push({ path: '/faulty', element: {} })
  const connected = page.waitForEvent('console', (message) => message.text() === '[vite] connected.')
  await Promise.all([connected, page.goto(url)])
  await page.getByText('not valid as a React child').first().waitFor()
  PAGES.pop()
  vite.watcher.emit('all', 'change', component)
  await email.waitFor()
})

test('the page reloads when a lost server is back', async () => {
  await open()
  await Promise.all([page.waitForEvent('load'), ...[...vite.ws.clients].map(({ socket }) => socket.close())])
})
