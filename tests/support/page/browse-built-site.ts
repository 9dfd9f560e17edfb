import type { BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { buildTestApp, type TestApp } from '../server/build-test-app.ts'
import { sharedBrowser } from './browser.ts'
import { DIST } from './build-the-page.ts'
import { openVisit, type Visit } from './visit.ts'

// Tests let requests fail on purpose.
const EXPECTED = /Failed to load resource/

/**
 * Gives the tests of a file a browser, and the built page on a server with its own database. Errors and warnings in the
 * console, such as a breach of the content policy, make a test fail, unless `expected` matches them.
 */
export function browseBuiltSite({ expected = EXPECTED } = {}) {
  const complaints: string[] = []
  let visitor: BrowserContext | undefined
  let server: TestApp
  let origin: string

  beforeAll(async () => {
    server = await buildTestApp({ dist: DIST })
    origin = await server.listen()
  })
  afterAll(async () => {
    await visitor?.close()
    await server.close()
  })
  afterEach(() => {
    const unexpected = complaints.splice(0).filter((text) => !expected.test(text))
    expect(unexpected, 'errors and warnings in the console').toEqual([])
  })

  /** Opens an empty page for a new visitor, and closes the page of the visitor before. */
  async function openPage(): Promise<Page> {
    await visitor?.close()
    visitor = await (await sharedBrowser()).newContext()
    const page = await visitor.newPage()
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
    return page
  }

  /** Opens the page. Its calls wait until the test answers them, and with `holdApp` so does the code of its app. */
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
    rows: (table: 'subscribers' | 'enquiries') => server.rows(table),
  }
}

export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
}

/** Uses the page, and waits until React has taken over all its parts. */
export async function startApp(page: Page): Promise<void> {
  await page.keyboard.press('Shift')
  await page.waitForFunction(isTakenOver)
}

/** Runs in the page. Returns whether React has taken over both forms and the notifications. */
export const isTakenOver = (): boolean =>
  ['main form', 'dialog form', '#notifications'].every((selector) =>
    Object.keys(document.querySelector(selector) ?? {}).some((key) => key.startsWith('__reactFiber')),
  )
