import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin } from 'vite'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { TEXT } from '../../src/domain/texts.ts'
import { pages } from '../../tools/build/pages.ts'
import { faults } from '../../tools/dev/faults.ts'
import { mock } from '../../tools/dev/mock.ts'
import { isTakenOver } from '../support/page/browse-built-site.ts'
import { openBrowser } from '../support/page/browser.ts'
import { TEST_TIMEOUT } from '../support/timeouts.ts'

// The real page in development, with a copy of the contract that the tests edit.
const folder = mkdtempSync(join(tmpdir(), 'dev-page-'))
const [file, types] = [join(folder, 'openapi.yaml'), join(folder, 'contract.d.ts')]
const original = readFileSync('openapi.yaml', 'utf8')
writeFileSync(file, original)
const component = resolve('src/ui/page/coming-soon.tsx')
const start = 'export function ComingSoon() {'
/** What stands at the start of the component, only in the browser. */
let edit = ''
const edits: Plugin = {
  name: 'edits',
  enforce: 'pre',
  transform: (code, id, options) => (id === component && !options?.ssr ? code.replace(start, start + edit) : null),
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
const page = await browser.newPage({ reducedMotion: 'reduce' })
// On a busy machine the first visit takes longer than WAIT_TIMEOUT.
page.setDefaultNavigationTimeout(TEST_TIMEOUT)
afterAll(async () => {
  await Promise.all([browser.close(), vite.close()])
  rmSync(folder, { recursive: true })
})

const email = page.getByPlaceholder(TEXT.emailPlaceholder)
const panel = page.getByRole('combobox', { name: 'Mock' })
// All tests share one page, because the browser loads and runs thousands of files for each.
const html = await (await page.goto(url))?.text()
async function use() {
  // An earlier test may have left the dialog open.
  await page.keyboard.press('Escape')
  await email.fill('visitor@example.com')
  // Vite prepares the libraries for the first visit, which takes long on a busy machine.
  await expect.poll(() => page.evaluate(isTakenOver), { timeout: TEST_TIMEOUT }).toBe(true)
}

function makeEdit(code: string) {
  edit = code
  vite.watcher.emit('change', component)
}

test('the page in development has the content policy of the build', () => {
  expect(html).toContain('require-trusted-types-for &#39;script&#39;')
})

test('a choice in the panel keeps the typed text, also in the open dialog', async () => {
  await use()
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  const name = page.getByPlaceholder(TEXT.first)
  await name.fill('Given')
  await panel.selectOption('declined')
  expect(new URL(page.url()).search).toBe('?mock=declined')
  expect([await email.inputValue(), await name.inputValue()]).toEqual(['visitor@example.com', 'Given'])
  await panel.selectOption('')
})

test('a component that throws shows its place in the source, and is repaired without a reload', async () => {
  await use()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  onTestFinished(() => makeEdit(''))
  makeEdit("throw new Error('broken')")
  await page.getByText(/ComingSoon src\/ui\/page\/coming-soon\.tsx:\d+/).waitFor()
  makeEdit('')
  await email.waitFor()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('an edit of the contract that the lint refuses does not reach the mock', async () => {
  await use()
  await panel.evaluate((list) => list.firstElementChild?.setAttribute('id', 'before-the-edit'))
  writeFileSync(file, original.replace('version: 1.0.0', 'version: 1').replace(/declined:/g, 'refused:'))
  await page.locator('#before-the-edit').waitFor({ state: 'detached', timeout: TEST_TIMEOUT })
  expect(await panel.textContent()).not.toContain('refused')
})

test('an edit of the contract reaches types, mock and panel without a reload', async () => {
  await use()
  const contract = parse(original)
  const [, declined] = contract.components.schemas.SubscriptionAnswer.oneOf
  declined.properties.reason = { const: 'full' }
  const answer = contract.paths['/api/subscribe'].post.responses[200].content['application/json']
  answer.examples = { full: { value: { success: false, reason: 'full' } } }
  writeFileSync(file, JSON.stringify(contract))
  await panel.selectOption('full', { timeout: TEST_TIMEOUT })
  expect(readFileSync(types, 'utf8')).toContain('full')
  const answered = page.waitForResponse(/api/)
  await email.press('Enter')
  expect(await (await answered).json()).toMatchObject({ reason: 'full' })
  await panel.selectOption('')
})
