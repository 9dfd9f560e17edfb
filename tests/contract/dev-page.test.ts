import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, createServer } from 'vite'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openContract } from '../../contract/mock/contract.ts'
import { contractError, typeError } from '../../contract/mock/diagnostics.ts'
import { errorOverlay } from '../../contract/mock/error-overlay.ts'
import { CONTRACT } from '../../contract/mock/mock.ts'
import { mockedPage } from '../../contract/mock/mocked-page.ts'
import type { Backend } from '../../src/domain/ports.ts'
import { NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { documentedAnswers, operationOf } from '../support/contract/contract.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'
import { openBrowser } from '../support/page/browser.ts'
import { backendAt } from '../support/visitors.ts'

// The real page in development, with a contract and a project of its own to be edited.
const folder = mkdtempSync(join(tmpdir(), 'dev-page-'))
const [file, types] = [join(folder, 'openapi.yaml'), join(folder, 'contract.d.ts')]
const project = join(folder, 'project')
const source = join(project, 'source.ts')
copyFileSync(CONTRACT, file)
mkdirSync(project)
writeFileSync(join(project, 'tsconfig.json'), '{ "compilerOptions": { "types": [], "noEmit": true } }')
writeFileSync(source, '')

const DELAY_MS = 300

let output = ''
const hear = (line: string) => {
  output += `${line}\n`
}
const contract = await openContract(file, types)
const isType = (path: string) => path.startsWith(project)
const vite = await createServer({
  // Two servers over one cache would take each other's files away.
  cacheDir: 'node_modules/.vite-tests',
  server: { port: 0 },
  customLogger: { ...createLogger('silent'), info: hear, error: hear },
  plugins: [
    errorOverlay([
      { name: 'contract', folder, concerns: (path) => path === file, firstError: contract.reload },
      { name: 'types', folder: project, concerns: isType, firstError: () => typeError(project) },
    ]),
    mockedPage(contract, DELAY_MS),
  ],
})
await vite.listen()
const url = vite.resolvedUrls?.local[0] ?? ''
const browser = await openBrowser()
// One for all, so that the browser keeps the page's many files.
const page = await browser.newPage({ reducedMotion: 'reduce' })
afterAll(async () => {
  await Promise.all([browser.close(), vite.close(), contract.close()])
  rmSync(folder, { recursive: true })
})

const original = readFileSync(file, 'utf8')
const email = () => page.getByPlaceholder(TEXT.emailPlaceholder)
const subscribeButton = () => page.getByRole('button', { name: TEXT.subscribe, exact: true })
const overlay = () => page.locator('vite-error-overlay')
const summary = () => page.getByText(/^Mock:/)
const scenario = (name: string) => page.getByRole('link', { name, exact: true })
const focused = () => page.evaluate(() => (document.activeElement?.shadowRoot ?? document).activeElement?.textContent)

async function open(address = '') {
  await page.goto(url + address)
  await subscribeButton().waitFor()
}

async function subscribe() {
  await email().fill('visitor@example.com')
  await subscribeButton().click()
}

describe('the mock', () => {
  /** The call of an operation, by default with its own example, from a page whose address has this query. */
  async function call(operation: string, query: string, body?: unknown) {
    const { path, requestExamples } = operationOf(operation)
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Referer: `${url}${query}` },
      body: JSON.stringify(body ?? requestExamples[0]?.value),
    })
    return { status: response.status, mediaType: response.headers.get('Content-Type'), value: await response.json() }
  }

  const callOf: Record<string, (backend: Backend) => Promise<string>> = {
    subscribe: (backend) => backend.subscribe('visitor@example.com'),
    contactUs: (backend) => backend.sendEnquiry(anEnquiry()),
  }

  // The page knows each 2xx by the name of its example.
  test.each(documentedAnswers)('gives $operation $status $example, which the page understands', async (documented) => {
    const { operation, status, mediaType, example, value } = documented
    expect(await call(operation, `?mock=${example}`)).toEqual({ status, mediaType, value })
    const { origin } = await localServer(says(JSON.stringify(value), status, { 'Content-Type': mediaType }))
    expect(await callOf[operation]?.(backendAt(origin))).toBe(status < 300 ? example : 'failed')
  })

  test.each(['', '?mock=', '?other=503', '?mock=already-subscribed'])(
    'gives an operation without an example of %j its first one',
    async (query) => expect((await call('contactUs', query)).value).toEqual({ success: true }),
  )

  test('answers as always, but later, to ?mock=slow', async () => {
    const started = performance.now()
    expect((await call('subscribe', '?mock=slow')).value).toEqual({ success: true, email_exists: false })
    // A timer of Node may fire up to a millisecond early.
    expect(performance.now() - started).toBeGreaterThanOrEqual(DELAY_MS - 1)
  })

  test('answers an unknown scenario with the list of all', async () => {
    const { value, ...answer } = await call('subscribe', '?mock=nonsense')
    expect(answer).toEqual({ status: 400, mediaType: 'application/problem+json' })
    const names = documentedAnswers.flatMap(({ example, status }) => [example, String(status)])
    const listed = value.detail.replace(/.*There are: |\.$/g, '').split(', ')
    expect(listed.toSorted()).toEqual([...new Set(names), 'slow', 'offline'].toSorted())
  })

  test('refuses what breaks the contract in every scenario', async () => {
    expect((await call('subscribe', '?mock=already-subscribed', { email: 'plain' })).status).toBe(422)
  })
})

describe('a contract', () => {
  const edited = join(folder, 'edited.yaml')

  test.each([
    ['a typo', 'operationId: subscribe', 'operationId subscribe', 'Implicit keys'],
    ['a broken reference', "schemas/Subscription'", "schemas/Subscripton'", "Can't resolve $ref"],
    ['an alias of nothing', '{ success: true, email_exists: true }', '*nothing', 'unidentified alias'],
    ['an invalid schema', 'maxLength: 254', 'maxLength: long', 'integer'],
    ['an example that violates its schema', 'email_exists: true }', 'email_exists: 1 }', 'boolean'],
  ])('with %s is reported with its line and the lines around it', async (_what, from, to, said) => {
    const line = original.slice(0, original.indexOf(from)).split('\n').length
    const lines = original.replace(from, to).split('\n')
    writeFileSync(edited, lines.join('\n'))
    const { frame = '', ...error } = (await contractError(edited)) ?? {}
    expect(error).toMatchObject({ line, message: expect.stringContaining(said) })
    expect(frame.split('\n')[0]?.trim()).toBe(`${line - 2} | ${lines[line - 3]}`)
    expect(frame).toContain(`> ${line} | ${lines[line - 1]}\n`)
  })
})

describe('the panel of the mock', () => {
  beforeEach(() => open())

  test('takes no focus by itself, and opened by the keyboard alone lists every scenario, with what it changes', async () => {
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    await page.keyboard.press('Shift+Tab')
    expect(await focused()).toBe('Mock: default')
    await page.keyboard.press('Enter')
    const scenarios = ['default', ...contract.current().scenarios.keys()]
    expect(await page.getByRole('link').allTextContents()).toEqual(expect.arrayContaining(scenarios))
    expect(await scenario('already-subscribed').getAttribute('title')).toBe('subscribe')
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
    expect(new URL(page.url()).search).toMatch(/^\?mock=/)
  })

  test('changes the next answer without a reload, from the choice of an address that the page leaves', async () => {
    await open('elsewhere?mock=503')
    await summary().click()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/')
    expect(await scenario('503').getAttribute('aria-current')).toBe('true')
    await email().fill('typed@example.com')
    await scenario('already-subscribed').click()
    expect(new URL(page.url()).search).toBe('?mock=already-subscribed')
    expect(await email().inputValue()).toBe('typed@example.com')
    await subscribe()
    await page.getByText(NOTIFICATION_TEXT.alreadySubscribed.summary).waitFor()
    await scenario('default').click()
    expect(new URL(page.url()).search).toBe('')
    await subscribe()
    await page.getByText(NOTIFICATION_TEXT.subscribed.summary, { exact: true }).waitFor()
  })

  test('shows the last call and what the contract says of it', async () => {
    const shows = (text: string) => page.getByText(text).waitFor()
    await open('?mock=declined')
    await summary().click()
    await subscribe()
    await shows('200, example declined: The backend understood the request')
    await shows('the page shows nothing')
    await shows('POST /api/subscribe (operation: subscribe)')
    await shows('{"email":"visitor@example.com"}')
    await shows('✓ The request keeps the contract.')
    await shows('✓ The answer keeps the contract.')
    await page.evaluate(() => fetch('/api/subscribe', { method: 'POST', body: '{"email":"plain"}' }))
    await shows('✗ The request breaks the contract: /email must match')
    await scenario('offline').click()
    await subscribe()
    await shows('No answer: the connection was dropped.')
  })

  test('works over the open dialog, which stays open', async () => {
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: TEXT.contactUs }).click()
    await dialog.getByPlaceholder(TEXT.first).fill('Given')
    await summary().click()
    await scenario('declined').click()
    expect(new URL(page.url()).search).toBe('?mock=declined')
    expect(await focused()).toBe('declined')
    expect(await dialog.getByPlaceholder(TEXT.first).inputValue()).toBe('Given')
  })
})

describe('an edit', () => {
  beforeEach(() => open())

  const breakContract = () => writeFileSync(file, original.replace('operationId: subscribe', 'operationId subscribe'))

  /** Puts the contract back as an editor does that writes a file beside it. */
  function mendContract() {
    writeFileSync(`${file}~`, original)
    renameSync(`${file}~`, file)
  }

  const shown = (check: string) => overlay().getByText(`[plugin:dev:${check}]`).waitFor()
  const part = (name: string) => overlay().locator(name).textContent()

  test('of the contract is in the mock, the panel and the types without a reload, and nothing typed is lost', async () => {
    await summary().click()
    await email().fill('visitor@example.com')
    const full = '$1waitlist-full:\n$1  value: { success: false, email_exists: false, reason: waitlist-full }\n$&'
    const reason = 'const: false\n            reason:\n              const: waitlist-full'
    writeFileSync(file, original.replace(/^( +)already-subscribed:\n/m, full).replace('const: false', reason))
    await scenario('waitlist-full').click()
    expect(readFileSync(types, 'utf8')).toContain('waitlist-full')
    await subscribeButton().click()
    await page.getByText('200, example waitlist-full').waitFor()
    expect(await email().inputValue()).toBe('visitor@example.com')
    mendContract()
    await scenario('waitlist-full').waitFor({ state: 'detached' })
  })

  test('that breaks the contract is told with its line while the old mock goes on, until it is mended', async () => {
    await email().fill('visitor@example.com')
    const { length } = output
    breakContract()
    await shown('contract')
    const { line, message } = (await contractError(file)) ?? {}
    expect(await part('.message-body')).toContain(message)
    expect(await part('.file')).toContain(`${file}:${line}:`)
    expect(await part('.frame')).toContain(`> ${line} | `)
    expect(output.slice(length)).toMatch(RegExp(`openapi\\.yaml:${line}:.*${message}`))
    expect(await backendAt(new URL(url).origin).subscribe('visitor@example.com')).toBe('subscribed')
    mendContract()
    await overlay().waitFor({ state: 'detached' })
    expect(await email().inputValue()).toBe('visitor@example.com')
  })

  test('in pieces, or that takes the contract away for a moment, leaves one that is used', async () => {
    for (const share of [0, 0.5, 1]) writeFileSync(file, original.slice(0, share * original.length))
    renameSync(file, `${file}.old`)
    await expect.poll(() => output).toContain('The file is gone.')
    await page.reload()
    await shown('contract')
    renameSync(`${file}.old`, file)
    await overlay().waitFor({ state: 'detached' })
  })

  test('that breaks the types is told with its line; it and one of the contract do not hide each other', async () => {
    const message = "TS2322: Type 'string' is not assignable to type 'number'."
    const breakTypes = () => writeFileSync(source, "\nexport const one: number = 'one'\n")
    breakTypes()
    await shown('types')
    expect(await part('.message-body')).toBe(message)
    expect(await part('.file')).toBe(`${source}:2:14`)
    expect(await part('.frame')).toContain("> 2 | export const one: number = 'one'")
    expect(output).toContain(`source.ts:2:14 ${message}`)
    breakContract()
    await shown('contract')
    mendContract()
    await shown('types')
    breakContract()
    await shown('contract')
    const { length } = output
    writeFileSync(source, '')
    await expect.poll(() => output.slice(length)).toContain('No errors in the types any more.')
    await shown('contract')
    mendContract()
    await overlay().waitFor({ state: 'detached' })
  })
})
