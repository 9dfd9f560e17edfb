import type { BrowserContextOptions, Page, Route } from 'playwright'
import { until } from '../until.ts'
import { type browseBuiltSite, startApp } from './browse-built-site.ts'
import { animationsFinished, STATE_NAMES, STATES, type StateName } from './page-states.ts'

/** The size of the screen, settings of the browser, and additional CSS rules. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'forcedColors' | 'reducedMotion'> & {
  readonly media?: 'print'
  readonly css?: string
}

/** Shows the built page in any state and look. One page serves all states that are asked for in their order. */
export function showState(site: ReturnType<typeof browseBuiltSite>) {
  let shown: { readonly page: Page; readonly place: number } | undefined
  /** The call that waits for its answer. */
  let call: Route | undefined

  /** Loads a page whose calls wait for the test. Its notifications stay, as in a hidden tab. */
  async function loadPage(): Promise<Page> {
    const page = await site.openPage()
    await page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true }))
    await page.route('**/api/**', (route) => {
      call = route
    })
    await page.goto(site.origin)
    await startApp(page)
    return page
  }

  /** Answers the waiting call with a body, or only with a status. */
  async function answer(reply: object | number) {
    const route = await until(() => call)
    call = undefined
    await route.fulfill(typeof reply === 'number' ? { status: reply } : { json: reply })
  }

  return async (name: StateName, look: Look = {}): Promise<Page> => {
    const wanted = STATE_NAMES.indexOf(name)
    const { page, place } = shown && shown.place <= wanted ? shown : { page: await loadPage(), place: 0 }
    // A step that fails leaves no page for later tests.
    shown = undefined
    if (place < wanted) await setLook(page, {})
    for (const step of STATE_NAMES.slice(place + 1, wanted + 1)) {
      await STATES[step](page, answer)
      // Waits until a closed or replaced notification has disappeared.
      await page.locator('[data-severity][inert]').first().waitFor({ state: 'detached' })
    }
    shown = { page, place: wanted }
    await setLook(page, look)
    return page
  }
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
