import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { openBrowser } from './browser.ts'
import { type LiveSite, startLiveSite } from './live-site.ts'

export type BrowsedSite = {
  /** Where the page is, from the first test on. */
  readonly origin: string
  /** Of a new visitor; closed after the test. */
  openPage(options?: BrowserContextOptions): Promise<Page>
}

/** Gives the tests of a file one browser, and the page as it is built into `dist`, served over a database of its own. */
export function browseBuiltSite(dist?: string): BrowsedSite {
  let browser: Browser
  let site: LiveSite
  let pages: Page[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    site = await startLiveSite(dist)
  })
  afterAll(async () => {
    await browser.close()
    await site.remove()
  })
  afterEach(async () => {
    await Promise.all(pages.map((page) => page.close()))
    pages = []
  })

  return {
    get origin() {
      return site.origin
    },
    async openPage(options) {
      const page = await browser.newPage(options)
      pages.push(page)
      return page
    },
  }
}

/** React has put its mark on what it answers for, and the boot script has left. */
export const appIsThere = (page: Page) =>
  page.waitForFunction(() =>
    ['main', 'form'].every((part) =>
      Object.keys(document.querySelector(part) ?? {}).some((key) => key.startsWith('__reactProps')),
    ),
  )
