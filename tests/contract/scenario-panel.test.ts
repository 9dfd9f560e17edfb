import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright'
import { createLogger, createServer } from 'vite'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { watchContract } from '../../dev/contract-watcher.ts'
import { errorOverlay } from '../../dev/error-overlay.ts'
import { CONTRACT } from '../../dev/mock.ts'
import { mockedPage } from '../../dev/mocked-page.ts'
import { watchTypes } from '../../dev/type-watcher.ts'
import { axeFindings } from '../support/page/axe.ts'
import { openBrowser } from '../support/page/browser.ts'
import { backendAt } from '../support/visitors.ts'

const folder = mkdtempSync(join(tmpdir(), 'dev-page-'))
const [file, typesFile] = [join(folder, 'openapi.yaml'), join(folder, 'contract.d.ts')]
const [project, source] = [join(folder, 'project'), join(folder, 'project/source.ts')]
const original = readFileSync(CONTRACT, 'utf8')
let output = ''
const hear = (line: string) => {
  output += `${line}\n`
}

// The real page in development, with a contract of its own.
copyFileSync(CONTRACT, file)
mkdirSync(project)
writeFileSync(join(project, 'tsconfig.json'), '{ "compilerOptions": { "types": [], "noEmit": true } }')
writeFileSync(source, '')
const contract = await watchContract(file, typesFile)
const types = watchTypes(project)
const vite = await createServer({
  // Two servers over one cache would take each other's files away.
  cacheDir: 'node_modules/.vite-dev-page',
  server: { port: 0 },
  customLogger: { ...createLogger('silent'), info: hear, error: hear },
  plugins: [errorOverlay({ contract, types }), mockedPage(contract)],
})
await vite.listen()
const url = vite.resolvedUrls?.local[0] ?? ''
const browser = await openBrowser()
// One for all, so that the browser keeps the page's many files.
const page = await browser.newPage({ reducedMotion: 'reduce' })
afterAll(async () => {
  await Promise.all([browser.close(), vite.close(), contract.close(), types.close()])
  rmSync(folder, { recursive: true })
})

async function open(address = '') {
  await page.goto(url + address)
  await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor()
}

const toggle = () => page.getByRole('button', { name: /^Mock/ })
const radio = (name: string) => page.getByRole('radio', { name, exact: true })
const email = () => page.getByPlaceholder('Enter your email')
const overlay = () => page.locator('vite-error-overlay')
const focused = () => page.evaluate(() => (document.activeElement?.shadowRoot ?? document).activeElement?.textContent)

async function expectReachable(controls: Locator, count: number) {
  expect(await controls.count()).toBe(count)
  // A trial click would reach listeners of the window.
  for (const control of await controls.all()) await control.hover()
}

async function subscribe() {
  await email().fill('visitor@example.com')
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
}

/** Puts the contract back as an editor does that writes a file beside it, and waits until it is read. */
async function mend() {
  const { length } = output
  writeFileSync(`${file}~`, original)
  renameSync(`${file}~`, file)
  await expect.poll(() => output.slice(length)).toContain('up to date')
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

describe('an edit of the contract', () => {
  test('is in the mock, the panel and the types without a reload, and nothing typed is lost', async () => {
    await open()
    await toggle().click()
    await email().fill('visitor@example.com')
    const full = '$1waitlist-full:\n$1  value: { success: false, email_exists: false, reason: waitlist-full }\n$&'
    const reason = 'const: false\n            reason:\n              const: waitlist-full'
    writeFileSync(file, original.replace(/^( +)already-subscribed:\n/m, full).replace('const: false', reason))
    await radio('waitlist-full').check()
    expect(readFileSync(typesFile, 'utf8')).toContain('waitlist-full')
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByText('200, example waitlist-full').waitFor()
    expect(await email().inputValue()).toBe('visitor@example.com')
    await mend()
  })

  test('that breaks it is told with its line while the old mock goes on, until it is mended', async () => {
    await open()
    await email().fill('visitor@example.com')
    const { length } = output
    writeFileSync(file, original.replace('operationId: subscribe', 'operationId subscribe'))
    await overlay().waitFor()
    const { line, message } = contract.diagnostic() ?? {}
    expect(await overlay().locator('.message-body').textContent()).toContain(message)
    expect(await overlay().locator('.file').textContent()).toContain(`${file}:${line}:`)
    expect(await overlay().locator('.frame').textContent()).toContain(`> ${line} | `)
    expect(output.slice(length)).toContain(`openapi.yaml:${line}:`)
    expect(output.slice(length)).toContain(message)

    expect(await backendAt(new URL(url).origin).subscribe('visitor@example.com')).toBe('subscribed')
    await mend()
    await overlay().waitFor({ state: 'detached' })
    expect(await email().inputValue()).toBe('visitor@example.com')
  })

  test('that is written in pieces, emptied or taken away for a moment leaves a contract that is used', async () => {
    for (const share of [0, 0.5, 1]) writeFileSync(file, original.slice(0, share * original.length))
    renameSync(file, `${file}.old`)
    await expect.poll(() => output).toContain('The file is gone.')
    await page.reload()
    await overlay().waitFor()
    renameSync(`${file}.old`, file)
    await overlay().waitFor({ state: 'detached' })
    expect(contract.diagnostic()).toBeNull()
  })
})

describe('a type error', () => {
  const wrong = "\nexport const one: number = 'one'\n"

  async function fixTypes() {
    const { length } = output
    writeFileSync(source, '')
    await expect.poll(() => output.slice(length)).toContain('No errors in the types any more.')
  }

  test('is told with its line on the page and in the terminal, until it is fixed', async () => {
    await open()
    const { length } = output
    writeFileSync(source, wrong)
    await overlay().waitFor()
    const message = "TS2322: Type 'string' is not assignable to type 'number'."
    expect(await overlay().locator('.message-body').textContent()).toBe(message)
    expect(await overlay().locator('.file').textContent()).toBe(`${source}:2:14`)
    expect(await overlay().locator('.frame').textContent()).toContain("> 2 | export const one: number = 'one'")
    expect(output.slice(length)).toContain(`source.ts:2:14 ${message}`)
    await fixTypes()
    await overlay().waitFor({ state: 'detached' })
  })

  test('is told above an open dialog, which stays as it is when the error is put away', async () => {
    await open()
    await page.getByRole('button', { name: 'Contact us' }).click()
    const field = page.getByRole('dialog').getByPlaceholder('First Name')
    await field.fill('Given')
    for (const putAway of [() => page.keyboard.press('Escape'), () => overlay().click({ position: { x: 2, y: 2 } })]) {
      writeFileSync(source, wrong)
      await overlay().locator('.file-link').hover()
      await putAway()
      await overlay().waitFor({ state: 'detached' })
      expect(await field.inputValue()).toBe('Given')
    }
    await fixTypes()
  })

  test('and one of the contract do not hide each other: fixing one shows the other', async () => {
    await open()
    const shown = (source: string) => overlay().getByText(`[plugin:dev:${source}]`).waitFor()
    const breakContract = () => writeFileSync(file, original.replace('operationId: subscribe', 'operationId subscribe'))
    writeFileSync(source, wrong)
    await shown('types')
    breakContract()
    await shown('contract')
    await mend()
    await shown('types')
    breakContract()
    await shown('contract')
    await fixTypes()
    await shown('contract')
    await mend()
    await overlay().waitFor({ state: 'detached' })
  })
})
