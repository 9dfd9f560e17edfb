import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, createServer } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { openContract } from '../../contract/mock/contract.ts'
import { contractError, typeError } from '../../contract/mock/diagnostics.ts'
import { errorOverlay } from '../../contract/mock/error-overlay.ts'
import { CONTRACT } from '../../contract/mock/mock.ts'
import { mockedPage } from '../../contract/mock/mocked-page.ts'
import { NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { documentedAnswers, operationOf } from '../support/contract/contract.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'
import { openBrowser } from '../support/page/browser.ts'
import { TEST_TIMEOUT } from '../support/timeouts.ts'
import { backendAt } from '../support/visitors.ts'

// The real page in development, with a contract and a project of its own to be edited.
const folder = mkdtempSync(join(tmpdir(), 'dev-page-'))
const [file, types, project] = [join(folder, 'openapi.yaml'), join(folder, 'contract.d.ts'), join(folder, 'src')]
const source = join(project, 'source.ts')
const original = readFileSync(CONTRACT, 'utf8')
writeFileSync(file, original)
mkdirSync(project)
writeFileSync(
  join(project, 'tsconfig.json'),
  '{ "compilerOptions": { "types": [], "noEmit": true, "lib": ["ES2024"] } }',
)
writeFileSync(source, '')

const DELAY_MS = 300
const heard: string[] = []
const hear = (line: string) => void heard.push(line)
const contract = await openContract(file, types)
const vite = await createServer({
  // Two servers over one cache would take each other's files away.
  cacheDir: 'node_modules/.vite-tests',
  server: { port: 0, fs: { allow: ['.', folder] } },
  customLogger: { ...createLogger('silent'), info: hear, error: hear },
  plugins: [
    errorOverlay([
      { name: 'contract', folder, concerns: (path) => path === file, firstError: contract.reload },
      {
        name: 'types',
        folder: project,
        concerns: (path) => path.startsWith(project),
        firstError: () => typeError(project),
      },
    ]),
    mockedPage(contract, DELAY_MS),
  ],
})
await vite.listen()
const url = vite.resolvedUrls?.local[0] ?? ''
const browser = await openBrowser()
// One for all, so that the browser keeps the page's many files.
const page = await browser.newPage({ reducedMotion: 'reduce' })
// Vite prepares the page's libraries while it is loaded first, which takes a busy machine longer than one fact does.
page.setDefaultNavigationTimeout(TEST_TIMEOUT)
afterAll(async () => {
  await Promise.all([browser.close(), vite.close(), contract.close()])
  rmSync(folder, { recursive: true })
})

const email = () => page.getByPlaceholder(TEXT.emailPlaceholder)
const subscribeButton = () => page.getByRole('button', { name: TEXT.subscribe, exact: true })
const overlay = () => page.locator('vite-error-overlay')
const summary = () => page.getByText(/^Mock:/)
const scenario = (name: string) => page.getByRole('link', { name, exact: true })
const focused = () => page.evaluate(() => (document.activeElement?.shadowRoot ?? document).activeElement?.textContent)
const search = () => new URL(page.url()).search
const shows = (text: string, exact = false) => page.getByText(text, { exact }).waitFor()

async function open(address = '') {
  await page.goto(url + address)
  await subscribeButton().waitFor()
}
async function subscribe() {
  await email().fill('visitor@example.com')
  await subscribeButton().click()
}

/** The call of an operation with its own example, from a page whose address has this query. */
async function call(operation: string, query: string) {
  const { path, requestExamples } = operationOf(operation)
  const headers = { 'Content-Type': 'application/json', Referer: url + query }
  const sent = JSON.stringify(requestExamples[0]?.value)
  const response = await fetch(new URL(path, url), { method: 'POST', headers, body: sent })
  return { status: response.status, mediaType: response.headers.get('Content-Type'), value: await response.json() }
}

// The page knows each 2xx by the name of its example.
test.each(documentedAnswers)('the mock gives $operation $status $example, which the page understands', async (one) => {
  const { operation, status, mediaType, example, value } = one
  expect(await call(operation, `?mock=${example}`)).toEqual({ status, mediaType, value })
  const server = await localServer(says(JSON.stringify(value), status, { 'Content-Type': mediaType }))
  const { subscribe, sendEnquiry } = backendAt(server.origin)
  const outcome = operation === 'subscribe' ? subscribe('visitor@example.com') : sendEnquiry(anEnquiry())
  expect(await outcome).toBe(status < 300 ? example : 'failed')
})

test('the mock answers each scenario, and lists all to an unknown one', async () => {
  for (const query of ['', '?mock=', '?other=503', '?mock=already-subscribed'])
    expect((await call('contactUs', query)).value, query).toEqual({ success: true })
  const started = performance.now()
  expect((await call('subscribe', '?mock=slow')).value).toEqual({ success: true, email_exists: false })
  // A timer of Node may fire up to a millisecond early.
  expect(performance.now() - started).toBeGreaterThanOrEqual(DELAY_MS - 1)
  const { value, ...answer } = await call('subscribe', '?mock=nonsense')
  expect(answer).toEqual({ status: 400, mediaType: 'application/problem+json' })
  const names = documentedAnswers.flatMap(({ example, status }) => [example, String(status)])
  const listed = value.detail.replace(/.*There are: |\.$/g, '').split(', ')
  expect(listed.toSorted()).toEqual([...new Set(names), 'slow', 'offline'].toSorted())
})

test.each([
  ['a typo', 'operationId: subscribe', 'operationId subscribe', 'Implicit keys'],
  ['an alias of nothing', '{ success: true, email_exists: true }', '*nothing', 'unidentified alias'],
  ['an example that violates its schema', 'email_exists: true }', 'email_exists: 1 }', 'boolean'],
])('%s in a contract is reported with its line and the lines around it', async (_what, from, to, said) => {
  const edited = join(folder, 'edited.yaml')
  const line = original.slice(0, original.indexOf(from)).split('\n').length
  const lines = original.replace(from, to).split('\n')
  writeFileSync(edited, lines.join('\n'))
  const { frame = '', ...error } = (await contractError(edited)) ?? {}
  expect(error).toMatchObject({ line, message: expect.stringContaining(said) })
  expect(frame.split('\n')[0]?.trim()).toBe(`${line - 2} | ${lines[line - 3]}`)
  expect(frame).toContain(`> ${line} | ${lines[line - 1]}\n`)
})

test('the panel lists every scenario by keyboard, and takes no focus', async () => {
  await open()
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  await page.keyboard.press('Shift+Tab')
  expect(await focused()).toBe('Mock: default')
  await page.keyboard.press('Enter')
  const scenarios = ['default', ...contract.current().scenarios.keys()]
  expect(await page.getByRole('link').allTextContents()).toEqual(expect.arrayContaining(scenarios))
  expect(await scenario('already-subscribed').getAttribute('title')).toBe('subscribe')
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  expect(search()).toMatch(/^\?mock=/)
  const first = page.getByRole('dialog').getByPlaceholder(TEXT.first)
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  await first.fill('Given')
  await scenario('declined').click()
  expect([search(), await focused(), await first.inputValue()]).toEqual(['?mock=declined', 'declined', 'Given'])
})

test('the panel changes the next answer without a reload', async () => {
  await open('elsewhere?mock=503')
  await summary().click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  expect(await scenario('503').getAttribute('aria-current')).toBe('true')
  await email().fill('typed@example.com')
  await scenario('already-subscribed').click()
  expect([search(), await email().inputValue()]).toEqual(['?mock=already-subscribed', 'typed@example.com'])
  await subscribe()
  await shows(NOTIFICATION_TEXT.alreadySubscribed.summary)
  await scenario('default').click()
  expect(search()).toBe('')
  await subscribe()
  await shows(NOTIFICATION_TEXT.subscribed.summary, true)
  await scenario('declined').click()
  await subscribe()
  await shows('200, example declined: The backend understood the request')
  for (const text of ['the page shows nothing', 'POST /api/subscribe (operation: subscribe)']) await shows(text)
  await shows('{"email":"visitor@example.com"}')
  for (const what of ['request', 'answer']) await shows(`✓ The ${what} keeps the contract.`)
  const plain = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"email":"plain"}' }
  const status = page.evaluate((init) => fetch('/api/subscribe', init).then((answer) => answer.status), plain)
  expect(await status, 'what breaks the contract is refused in every scenario').toBe(422)
  await shows('✗ The request breaks the contract: /email must match')
  await scenario('offline').click()
  await subscribe()
  await shows('No answer: the connection was dropped.')
})

const shown = (name: string) => overlay().getByText(`[plugin:dev:${name}]`).waitFor()
const gone = () => overlay().waitFor({ state: 'detached' })
const part = (name: string) => overlay().locator(name).textContent()
async function breakContract() {
  writeFileSync(file, original.replace('operationId: subscribe', 'operationId subscribe'))
  await shown('contract')
}
/** Puts the contract back as an editor does that writes a file beside it. */
function mendContract() {
  writeFileSync(`${file}~`, original)
  renameSync(`${file}~`, file)
}

test('an edit of the contract is there without a reload or a lost text', async () => {
  await open()
  await summary().click()
  await email().fill('visitor@example.com')
  const full = '$1waitlist-full:\n$1  value: { success: false, email_exists: false, reason: waitlist-full }\n$&'
  const reason = 'const: false\n            reason:\n              const: waitlist-full'
  writeFileSync(file, original.replace(/^( +)already-subscribed:\n/m, full).replace('const: false', reason))
  await scenario('waitlist-full').click()
  expect(readFileSync(types, 'utf8')).toContain('waitlist-full')
  await subscribeButton().click()
  await shows('200, example waitlist-full')
  mendContract()
  await scenario('waitlist-full').waitFor({ state: 'detached' })
  await breakContract()
  const { line, message } = (await contractError(file)) ?? {}
  expect(await part('.window')).toContain(`${message}${file}:${line}:`)
  expect(heard.join()).toMatch(RegExp(`openapi\\.yaml:${line}:.*${message}`))
  expect(await backendAt(new URL(url).origin).subscribe('visitor@example.com')).toBe('subscribed')
  mendContract()
  await gone()
  expect(await email().inputValue()).toBe('visitor@example.com')
  // An edit in pieces, or one that takes it away for a moment, leaves a contract that is used.
  for (const share of [0, 0.5, 1]) writeFileSync(file, original.slice(0, share * original.length))
  renameSync(file, `${file}.old`)
  await expect.poll(() => heard.join()).toContain('The file is gone.')
  await page.reload()
  await shown('contract')
  renameSync(`${file}.old`, file)
  await gone()
})

test('an edit that breaks the types is told beside one of the contract', async () => {
  await open()
  const message = "TS2322: Type 'string' is not assignable to type 'number'."
  await Promise.all([page.waitForEvent('load'), ...[...vite.ws.clients].map(({ socket }) => socket.close())])
  writeFileSync(source, "\nexport const one: number = 'one'\n")
  await shown('types')
  expect(await part('.window')).toContain(`${message}${source}:2:14`)
  expect(await part('.frame')).toContain("> 2 | export const one: number = 'one'\n    |              ^")
  expect(heard.join()).toContain(`source.ts:2:14 ${message}`)
  await breakContract()
  mendContract()
  await shown('types')
  await breakContract()
  writeFileSync(source, '')
  await expect.poll(() => heard.join()).toContain('No errors in the types any more.')
  await shown('contract')
  mendContract()
  await gone()
})
