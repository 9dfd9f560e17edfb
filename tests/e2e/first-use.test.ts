import type { BrowserContextOptions, Page, Route } from 'playwright'
import { preview } from 'vite'
import { describe, expect, test } from 'vitest'
import { browseBuiltSite } from '../support/browse-built-site.ts'

const APP_FILES = '**/assets/*.js'

const site = browseBuiltSite()
let page: Page
let complaints: string[]

/** A new visitor, whose browser's complaints are kept, the policy's violations among them. */
async function arrive(options: BrowserContextOptions = {}) {
  page = await site.openPage(options)
  complaints = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      throw new Error(`violates ${violatedDirective}: ${blockedURI}`)
    })
  })
}

/** Opens the page with the app's files held back until the returned function is called. */
async function arriveBeforeTheApp() {
  await arrive()
  const released = Promise.withResolvers<void>()
  await page.route(APP_FILES, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto(site.origin)
  return () => released.resolve()
}

function postsOf(path: string): string[] {
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(path)) bodies.push(request.postData() ?? '')
  })
  return bodies
}

const email = () => page.getByPlaceholder('Enter your email')
const subscribe = () => page.getByRole('button', { name: 'Subscribe' })
const contactUs = () => page.getByRole('button', { name: 'Contact us' })
const dialog = () => page.getByRole('dialog', { name: 'Contact us' })
const thanks = () => page.getByText('Thank you!', { exact: true })

describe('before the app is there', () => {
  test('typed text survives its arrival, and the focus stays', async () => {
    const release = await arriveBeforeTheApp()
    await email().click()
    await page.keyboard.type('early@exam')
    const ready = page.evaluate(() => new Promise((resolve) => document.addEventListener('app-ready', resolve)))
    release()
    await ready
    await page.keyboard.type('ple.com')
    expect(await email().inputValue()).toBe('early@example.com')
    expect(complaints).toEqual([])
  })

  test('Enter, pressed twice, sends the typed address once', async () => {
    const release = await arriveBeforeTheApp()
    const posts = postsOf('/api/subscribe')
    await email().fill('enter@example.com')
    await email().press('Enter')
    await email().press('Enter')
    expect(await subscribe().getAttribute('aria-busy')).toBe('true')
    expect(posts).toEqual([])
    release()
    await thanks().waitFor()
    expect(posts).toEqual(['{"email":"enter@example.com"}'])
    expect(await subscribe().getAttribute('aria-busy')).toBe('false')
    expect(new URL(page.url()).search).toBe('')
  })

  test("a double click on 'Contact us' opens the dialog", async () => {
    const release = await arriveBeforeTheApp()
    await contactUs().dblclick()
    expect(await contactUs().getAttribute('aria-busy')).toBe('true')
    release()
    await dialog().waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toBe('First Name')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    expect(await contactUs().getAttribute('aria-busy')).not.toBe('true')
  })

  test("Escape takes a click on 'Contact us' back", async () => {
    const release = await arriveBeforeTheApp()
    await contactUs().click()
    await page.keyboard.press('Escape')
    expect(await contactUs().getAttribute('aria-busy')).not.toBe('true')
    const ready = page.evaluate(() => new Promise((resolve) => document.addEventListener('app-ready', resolve)))
    release()
    await ready
    expect(await dialog().count()).toBe(0)
  })

  test('nothing of it runs on a page that nobody touches, though it lies ready', async () => {
    await arrive()
    const fetched = page.waitForResponse(/contact-dialog.*js$/)
    await page.goto(site.origin)
    await (await fetched).finished()
    expect(await page.evaluate(() => document.querySelector('[role=dialog]'))).toBeNull()
    await contactUs().hover()
    await page.waitForSelector('[role=dialog]', { state: 'attached' })
  })
})

describe('when the app can not be had', () => {
  const refuse = (route: Route) => route.abort()

  test('the visitor is told, the text stays, and a second try works', async () => {
    await arrive()
    await page.route(APP_FILES, refuse)
    await page.goto(site.origin)
    const posts = postsOf('/api/subscribe')
    await email().fill('offline@example.com')
    await email().press('Enter')
    await page.getByRole('alert').getByText('Looks like something went wrong. Please try again!').waitFor()
    expect(await email().inputValue()).toBe('offline@example.com')
    expect(await email().isEditable()).toBe(true)
    expect(await subscribe().getAttribute('aria-busy')).toBe('false')

    await page.unroute(APP_FILES, refuse)
    await subscribe().click()
    await thanks().waitFor()
    expect(await page.getByText('Oops!', { exact: true }).count()).toBe(0)
    expect(posts).toEqual(['{"email":"offline@example.com"}'])
  })

  test('the message is closed by its button, and the focus returns to the input', async () => {
    await arrive()
    await page.route(APP_FILES, refuse)
    await page.goto(site.origin)
    await contactUs().click()
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await page.getByText('Oops!', { exact: true }).count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toBe('Enter your email')
    await page.unroute(APP_FILES, refuse)
    await contactUs().click()
    await dialog().waitFor()
  })
})

describe('the page as it is sent', () => {
  test('keeps its policy through redirect, hydration, toast and dialog, and says nothing to the console', async () => {
    await arrive()
    const response = await page.goto(`${site.origin}/elsewhere`)
    const policy = (await response?.headerValue('content-security-policy')) ?? ''
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
    await email().fill('no address')
    await email().press('Enter')
    await page.getByText('Invalid email', { exact: true }).waitFor()
    await contactUs().click()
    await dialog().waitFor()
    expect(await dialog().evaluate((element) => getComputedStyle(element).borderRadius)).not.toBe('0px')
    expect(complaints).toEqual([])
  })

  test('is whole without scripts, and one sentence tells what needs them', async () => {
    await arrive({ javaScriptEnabled: false })
    await page.goto(site.origin)
    expect(await page.getByRole('heading', { name: 'Launching soon!' }).isVisible()).toBe(true)
    expect(await email().isVisible()).toBe(true)
    expect(await contactUs().isVisible()).toBe(true)
    expect(await page.locator('noscript').innerText()).toContain('need JavaScript')
    await email().fill('visitor@example.com')
    await email().press('Enter')
    expect(page.url()).toBe(`${site.origin}/`)
  })

  test('asks for one picture, and for no more of it than the screen has', async () => {
    await arrive({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 })
    const pictures: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'image') pictures.push(request.url())
    })
    await page.goto(site.origin, { waitUntil: 'networkidle' })
    expect(pictures.map((url) => /portrait-830-.*avif$/.test(url))).toEqual([true])
  })

  test('ends at the empty path on a host that serves it for every path', async () => {
    const host = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' })
    try {
      await arrive()
      const origin = new URL(host.resolvedUrls?.local[0] ?? '').origin
      await page.goto(`${origin}/some/path?from=mail`)
      expect(page.url()).toBe(`${origin}/?from=mail`)
      await contactUs().click()
      await dialog().waitFor()
      expect(page.url()).toBe(`${origin}/?from=mail`)
      expect(complaints).toEqual([])
    } finally {
      await host.close()
    }
  })
})
