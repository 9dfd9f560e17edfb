import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from 'vitest'
import type { EnquiryField } from '../../../src/domain/enquiry.ts'
import { TEXT } from '../../../src/domain/texts.ts'
import { buildTestApp, type TestApp } from '../server/build-test-app.ts'
import { until } from '../until.ts'
import { sharedBrowser } from './browser.ts'
import { DIST } from './build-the-page.ts'

export type HeldPage = Awaited<ReturnType<ReturnType<typeof browseBuiltSite>['openHeldPage']>>

// Tests make requests fail, and have other sites refused, on purpose.
const USUAL = /Failed to load resource|CORS|Cross-Origin|Framing/

/**
 * Gives the tests of a file a browser, and the built page on a server with its own database. Errors and warnings in the
 * console make a test fail, unless `expected` matches them.
 */
export function browseBuiltSite({ dist = DIST, expected = USUAL } = {}) {
  const complaints: string[] = []
  let browser: Browser
  let visitors: BrowserContext
  let server: TestApp
  let origin: string

  beforeAll(async () => {
    server = await buildTestApp({ dist })
    origin = await server.listen()
    browser = await sharedBrowser()
    visitors = await browser.newContext()
    // This page keeps a process for later pages, because the start of a process takes longer than most tests.
    await (await visitors.newPage()).goto(`${origin}/robots.txt`)
  })
  afterAll(async () => {
    await visitors.close()
    await server.close()
  })
  afterEach(() => {
    const unexpected = complaints.splice(0).filter((text) => !USUAL.test(text) && !expected.test(text))
    expect(unexpected, 'errors and warnings in the console').toEqual([])
  })

  /** Opens an empty page for a new visitor, and closes the pages of earlier visitors. Options hold until the test ends. */
  async function openPage(options?: BrowserContextOptions): Promise<Page> {
    // Chromium may forget to close a page that has just navigated, so nothing waits for that.
    for (const page of visitors.pages().slice(1)) void page.close()
    await visitors.clearCookies()
    const page = await (options ? browser.newPage(options) : visitors.newPage())
    if (options) onTestFinished(() => page.context().close())
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
    return page
  }

  return {
    /** The origin of the page. It is known from the first test on. */
    get origin() {
      return origin
    },
    openPage,
    /** Opens a page whose app waits for the test. Its clock may stand still until the test ends. */
    async openHeldPage({ stopClock = false } = {}) {
      const page = await openPage()
      const scriptRequests: Route[] = []
      const posts: (string | null)[] = []
      await page.route(/assets\/.*\.js/, (route) => void scriptRequests.push(route))
      await page.route('**/api/**', (route) => route.fulfill({ json: { success: true, email_exists: false } }))
      page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData()))
      if (stopClock) {
        await page.clock.install({ time: 0 })
        await page.clock.pauseAt(1000)
        // All pages of this visitor share the clock.
        onTestFinished(() => page.clock.resume())
      }
      await page.goto(origin)
      const dialog = page.getByRole('dialog')
      return {
        page,
        email: page.getByPlaceholder(TEXT.emailPlaceholder),
        subscribe: page.getByRole('button', { name: TEXT.subscribe }),
        contactUs: page.getByRole('button', { name: TEXT.contactUs }),
        dialog,
        field: (name: EnquiryField) => dialog.getByPlaceholder(TEXT[name]),
        submit: dialog.getByRole('button', { name: TEXT.submit }),
        /** The requests for the app. */
        scriptRequests,
        /** The bodies of the calls. */
        posts,
        /** The request of this attempt, the first by default; it waits until the test answers it. */
        script: (attempt = 1) => until(() => scriptRequests[attempt - 1]),
      }
    },
    rows: (table: 'subscribers' | 'enquiries') => server.rows(table),
  }
}

/** Uses the page, and waits until React has taken both forms over. */
export async function startApp(page: Page): Promise<void> {
  await page.keyboard.press('Shift')
  await page.waitForFunction(isTakenOver)
}

/** To run in the page: whether React has taken both forms over. */
export const isTakenOver = (): boolean =>
  ['main form', 'dialog form'].every((selector) =>
    Object.keys(document.querySelector(selector) ?? {}).some((key) => key.startsWith('__reactFiber')),
  )
