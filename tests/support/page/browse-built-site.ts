import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { DEFAULT_LIFE_MS } from '../../../src/domain/notification.ts'
import * as OWN from '../../../src/domain/texts.ts'
import { readTable } from '../server/databases.ts'
import { makeServerFolder, type ServerFolder, type ServerProcess } from '../server/server-folder.ts'
import { openBrowser } from './browser.ts'
import { DIST } from './build-the-page.ts'
import { animationsFinished, bringInto, type StateName, type Texts } from './page-states.ts'

type Options = { readonly dist?: string; readonly texts?: Texts; readonly chromiumArgs?: string[] }

/** Gives the tests of a file one browser, and the page as it is built, served over a database of its own. */
export function browseBuiltSite({ dist = DIST, texts = OWN, chromiumArgs = [] }: Options = {}) {
  const complaints: string[] = []
  let expected: RegExp | undefined
  const contexts = new Map<string, BrowserContext>()
  let shown: Page | undefined
  let state: StateName | undefined
  let browser: Browser
  let sandbox: ServerFolder
  let server: ServerProcess

  beforeAll(async () => {
    sandbox = makeServerFolder(dist)
    browser = await openBrowser(['--renderer-process-limit=1', ...chromiumArgs])
    server = await sandbox.start({ METRICS_PORT: '0' })
  })
  afterAll(async () => {
    await browser.close()
    await sandbox.remove()
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') shown = state = undefined
    const pages = [...contexts.values()].flatMap((context) => context.pages().slice(1))
    await Promise.all(pages.map((page) => page !== shown && page.close()))
    // Requests fail, and other sites are refused, where a test means it.
    const others = complaints
      .splice(0)
      .filter((text) => !/Failed to load resource|CORS|Cross-Origin|Framing/.test(text) && !expected?.test(text))
    expected = undefined
    expect(others, 'the console was told of an error or a warning').toEqual([])
  })

  /** An empty page of a new visitor; closed after the test. */
  async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
    const key = JSON.stringify(options)
    const context = contexts.get(key) ?? (await browser.newContext(options))
    // Its first page keeps a process for those that follow: to start one takes longer than most tests.
    if (!contexts.has(key)) await (await context.newPage()).goto(`${server.origin}/robots.txt`)
    contexts.set(key, context)
    await context.clearCookies()
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
    return page
  }

  /** The page that `show` brings from state to state. No notification runs out, however slow the machine is. */
  async function loadPage(): Promise<Page> {
    // Without its policy, which would keep tests from changing styles.
    const page = await openPage({ bypassCSP: true })
    await page.addInitScript((life) => {
      const { setTimeout } = window
      Object.assign(window, { setTimeout: (run: () => void, ms: number) => (ms === life ? 0 : setTimeout(run, ms)) })
    }, DEFAULT_LIFE_MS)
    await page.goto(server.origin)
    await appIsThere(page)
    return page
  }

  return {
    /** Where the page is, from the first test on. */
    get origin() {
      return server.origin
    },
    /** Errors, warnings and what the policy forbids; a test that leaves any fails. */
    complaints,
    /** The test that calls this brings such complaints about. */
    expectComplaint(pattern: RegExp) {
      expected = pattern
    },
    openPage,
    /** The page in this state and this look: one page for all tests of a file, until one fails. */
    async show(name: StateName, look: Look = {}): Promise<Page> {
      shown ??= await loadPage()
      if (state !== name) {
        state = undefined
        await wear(shown, {})
        await bringInto(shown, name, texts)
        state = name
      }
      await wear(shown, look)
      return shown
    },
    /** All that the server has said. */
    output: () => server.output(),
    /** What the database file holds. */
    rows: (table: 'subscribers' | 'enquiries') => readTable(sandbox.databaseFile, table),
  }
}

/** A size of the screen, settings of the browser, and rules besides the page's own. */
type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'forcedColors' | 'reducedMotion'> & {
  readonly media?: 'print'
  readonly css?: string
}

async function wear(page: Page, { viewport, css = '', ...settings }: Look): Promise<void> {
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 })
  const usual = { media: 'screen', colorScheme: 'light', forcedColors: 'none', reducedMotion: 'no-preference' } as const
  await page.emulateMedia({ ...usual, ...settings })
  await page.evaluate(restyle, css)
  await page.evaluate(animationsFinished)
}

/** To run in the page: gives it these rules besides its own, in place of those it was given before. */
export function restyle(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/** Uses the page, and waits until React has taken both roots over. */
export async function appIsThere(page: Page): Promise<void> {
  await page.keyboard.press('Shift')
  await page.waitForFunction(isTakenOver)
}

/** To run in the page: whether React has taken both roots over. */
export const isTakenOver = (): boolean =>
  ['#root main', '#contact form'].every((selector) =>
    Object.keys(document.querySelector(selector) ?? {}).some((key) => key.startsWith('__reactFiber')),
  )
