import type { BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, onTestFailed } from 'vitest'
import { buildTestApp, type TestApp } from '../server/build-test-app.ts'
import { sharedBrowser } from './browser.ts'
import { DIST } from './build-the-page.ts'
import { clearVisit, openVisit, type Visit } from './visit.ts'

// Tests cause these on purpose: requests that fail, and the fault of a test.
const EXPECTED = /Failed to load resource|at fault/

/**
 * Gives the tests of a file a browser, and the built page on a server with its own database. Errors and warnings in the
 * console, such as a breach of the content policy, make a test fail, unless EXPECTED matches them.
 */
export function browseBuiltSite({ dist = DIST } = {}) {
  const complaints: string[] = []
  let visitors: BrowserContext
  let server: TestApp
  let origin: string
  let shared: Visit | undefined
  let clockStands = false

  beforeAll(async () => {
    server = await buildTestApp({ dist })
    origin = await server.listen()
    visitors = await (await sharedBrowser()).newContext()
    // This page keeps a process for later pages, because the start of a process takes longer than most tests.
    await (await visitors.newPage()).goto(`${origin}/robots.txt`)
  })
  afterAll(async () => {
    await visitors.close()
    await server.close()
  })
  afterEach(() => {
    const unexpected = complaints.splice(0).filter((text) => !EXPECTED.test(text))
    expect(unexpected, 'errors and warnings in the console').toEqual([])
  })

  /** Opens an empty page for a new visitor, and closes the pages of earlier visitors. */
  async function openPage(): Promise<Page> {
    // Chromium may forget to close a page that has just navigated, so nothing waits for that.
    for (const page of visitors.pages().slice(1)) void page.close()
    shared = undefined
    await visitors.clearCookies()
    if (clockStands) await visitors.clock.resume()
    clockStands = false
    const page = await visitors.newPage()
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
    return page
  }

  /** All pages of this visitor share the clock. It stands still until the next page is opened. */
  async function stopClock(page: Page) {
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1000)
    clockStands = true
  }

  /** Opens the page, whose calls wait for the test, and with `holdApp` also its app. */
  async function visit(options: { holdApp?: boolean; stopClock?: boolean } = {}): Promise<Visit> {
    const page = await openPage()
    if (options.stopClock) await stopClock(page)
    const opened = await openVisit(page, origin, options.holdApp)
    if (!options.holdApp) await startApp(page)
    return opened
  }

  return {
    /** The origin of the page. It is known from the first test on. */
    get origin() {
      return origin
    },
    openPage,
    visit,
    /** The page with its app and a clock that stands still. Tests of a file share one, which is cleared before each test. */
    async revisit(): Promise<Visit> {
      if (shared) await clearVisit(shared)
      else {
        shared = await visit()
        await stopClock(shared.page)
      }
      onTestFailed(() => {
        shared = undefined
      })
      return shared
    },
    rows: (table: 'subscribers' | 'enquiries') => server.rows(table),
  }
}

/** Uses the page, and waits until React has taken over all its parts. */
export async function startApp(page: Page): Promise<void> {
  await page.keyboard.press('Shift')
  await page.waitForFunction(isTakenOver)
}

/** To run in the page: whether React has taken over both forms and the notifications. */
export const isTakenOver = (): boolean =>
  ['main form', 'dialog form', '#notifications'].every((selector) =>
    Object.keys(document.querySelector(selector) ?? {}).some((key) => key.startsWith('__reactFiber')),
  )
