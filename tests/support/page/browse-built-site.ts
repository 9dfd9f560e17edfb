import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from 'vitest'
import type { EnquiryField } from '../../../src/domain/enquiry.ts'
import { TEXT } from '../../../src/domain/texts.ts'
import { buildTestApp, type TestApp } from '../server/build-test-app.ts'
import { until } from '../until.ts'
import { openBrowser } from './browser.ts'
import { DIST } from './build-the-page.ts'
import { animationsFinished, STATE_NAMES, STATES, type StateName } from './page-states.ts'

export type HeldPage = Awaited<ReturnType<ReturnType<typeof browseBuiltSite>['openHeldPage']>>

/** Gives the tests of a file one browser, and the built page on a server with its own database. */
export function browseBuiltSite({ dist = DIST, chromiumArgs = [] as string[] } = {}) {
  const complaints: string[] = []
  let expected: RegExp | undefined
  let shown: { readonly page: Page; readonly place: number } | undefined
  /** The call that waits for its answer. */
  let call: Route | undefined
  const contexts = new Map<string, BrowserContext>()
  let browser: Browser
  let server: TestApp
  let origin: string

  beforeAll(async () => {
    server = await buildTestApp({ dist })
    origin = await server.listen()
    browser = await openBrowser(['--renderer-process-limit=1', ...chromiumArgs])
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })
  afterEach(() => {
    // Tests make requests fail, and have other sites refused, on purpose.
    const usual = /Failed to load resource|CORS|Cross-Origin|Framing/
    const unexpectedComplaints = complaints.splice(0).filter((text) => !usual.test(text) && !expected?.test(text))
    expected = undefined
    expect(unexpectedComplaints, 'errors and warnings in the console').toEqual([])
  })

  /** Opens an empty page for a new visitor, and closes the page of the earlier visitor. */
  async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
    // Chromium may forget to close a page that has just navigated, so nothing waits for that.
    for (const context of contexts.values()) for (const page of context.pages().slice(1)) void page.close()
    shown = undefined
    const key = JSON.stringify(options)
    const context = contexts.get(key) ?? (await browser.newContext(options))
    // Its first page keeps a process for later pages, because the start of a process takes longer than most tests.
    if (!contexts.has(key)) await (await context.newPage()).goto(`${origin}/robots.txt`)
    contexts.set(key, context)
    await context.clearCookies()
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
    return page
  }

  /** Loads a page whose calls wait for the test. Its notifications stay, as in a hidden tab. */
  async function loadPage(): Promise<Page> {
    // Without its policy, which would refuse the functions that tests run in the page.
    const page = await openPage({ bypassCSP: true })
    await page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true }))
    await page.route('**/api/**', (route) => {
      call = route
    })
    await page.goto(origin)
    await startApp(page)
    return page
  }

  /** Answers the waiting call with a body, or only with a status. */
  async function answer(reply: object | number) {
    const route = await until(() => call)
    call = undefined
    await route.fulfill(typeof reply === 'number' ? { status: reply } : { json: reply })
  }

  return {
    /** The origin of the page. It is known from the first test on. */
    get origin() {
      return origin
    },
    /** Allows complaints that match, in the test that calls this. */
    expectComplaint(pattern: RegExp) {
      expected = pattern
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
      return {
        page,
        ...partsOf(page),
        /** The requests for the app. */
        scriptRequests,
        /** The bodies of the calls. */
        posts,
        /** The request of this attempt, the first by default; it waits until the test answers it. */
        script: (attempt = 1) => until(() => scriptRequests[attempt - 1]),
      }
    },
    /** Shows the page in this state and this look. One page serves all states that are asked for in their order. */
    async show(name: StateName, look: Look = {}): Promise<Page> {
      const place = STATE_NAMES.indexOf(name)
      const canGoOn = shown && shown.place <= place
      const visited = shown && canGoOn ? shown : { page: await loadPage(), place: 0 }
      // A step that fails leaves no page for later tests.
      shown = undefined
      if (visited.place < place) await setLook(visited.page, {})
      for (const step of STATE_NAMES.slice(visited.place + 1, place + 1)) {
        await STATES[step](visited.page, answer)
        // Waits until a closed or replaced notification has disappeared.
        await visited.page.locator('[data-severity][inert]').first().waitFor({ state: 'detached' })
      }
      shown = { page: visited.page, place }
      await setLook(visited.page, look)
      return visited.page
    },
    rows: (table: 'subscribers' | 'enquiries') => server.rows(table),
  }
}

function partsOf(page: Page) {
  const dialog = page.getByRole('dialog')
  return {
    email: page.getByPlaceholder(TEXT.emailPlaceholder),
    subscribe: page.getByRole('button', { name: TEXT.subscribe }),
    contactUs: page.getByRole('button', { name: TEXT.contactUs }),
    dialog,
    field: (name: EnquiryField) => dialog.getByPlaceholder(TEXT[name]),
    submit: dialog.getByRole('button', { name: TEXT.submit }),
  }
}

/** The size of the screen, settings of the browser, and additional CSS rules. */
type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'forcedColors' | 'reducedMotion'> & {
  readonly media?: 'print'
  readonly css?: string
}

/** Gives a page this look instead of its earlier look. */
async function setLook(page: Page, { viewport, css = '', ...settings }: Look): Promise<void> {
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 })
  const usual = { media: 'screen', colorScheme: 'light', forcedColors: 'none', reducedMotion: 'no-preference' } as const
  await page.emulateMedia({ ...usual, ...settings })
  await page.evaluate((rules) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(rules)
    document.adoptedStyleSheets = [sheet]
  }, css)
  await page.evaluate(animationsFinished)
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
