import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type ServerProcess, startServer } from '../server/server-process.ts'
import { openBrowser } from './browser.ts'
import { gotoState, type StateName } from './page-states.ts'

/** Gives the tests of a file one browser, and the page as it is built, served over a database of its own. */
export function browseBuiltSite(dist = 'dist', chromiumArgs: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  let browser: Browser
  let server: ServerProcess
  const pages: Page[] = []

  async function kill() {
    server.signal('SIGKILL')
    await server.exited
  }

  beforeAll(async () => {
    symlinkSync(resolve(dist), join(folder, 'dist'))
    browser = await openBrowser(chromiumArgs)
    server = await startServer(folder, { METRICS_PORT: '0' })
  })
  afterAll(async () => {
    await browser.close()
    await kill()
    rmSync(folder, { recursive: true })
  })
  afterEach(() => Promise.all(pages.splice(0).map((page) => page.close())))

  /** An empty page of a new visitor; closed after the test. */
  async function openPage(options?: BrowserContextOptions): Promise<Page> {
    const page = await browser.newPage(options)
    pages.push(page)
    return page
  }

  return {
    /** Where the page is, from the first test on; stays the same over restarts. */
    get origin() {
      return server.origin
    },
    openPage,
    /** A new visitor's page in this state, without its policy, which would keep tests from changing styles. */
    async show(name: StateName, options?: BrowserContextOptions): Promise<Page> {
      const page = await openPage({ bypassCSP: true, ...options })
      await gotoState(page, server.origin, name)
      return page
    },
    /** All that the server has said since it was started last. */
    output: () => server.output(),
    kill,
    async restart() {
      server = await startServer(folder, { PORT: new URL(server.origin).port })
    },
    /** What the database file holds, read by another connection. */
    rows(table: 'subscribers' | 'enquiries'): Record<string, unknown>[] {
      const db = new Database(join(folder, 'data', 'leads.db'), { readonly: true })
      try {
        return db.prepare<[], Record<string, unknown>>(`select * from ${table} order by created_at`).all()
      } finally {
        db.close()
      }
    },
  }
}

/** To run in the page: React has put its mark on what it answers for, and the boot script has left. */
export const appHasTakenOver = () =>
  ['main', 'form'].every((part) =>
    Object.keys(document.querySelector(part) ?? {}).some((key) => key.startsWith('__reactProps')),
  )

export const appIsThere = (page: Page) => page.waitForFunction(appHasTakenOver)
