import type { BrowserContextOptions, Page } from 'playwright'
import type { browseBuiltSite } from './browse-built-site.ts'
import { animationsFinished, STATE_NAMES, STATES, type StateName } from './page-states.ts'
import type { Visit } from './visit.ts'

/** The size of the screen, settings of the browser, and additional CSS rules. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'forcedColors' | 'reducedMotion'> & {
  readonly media?: 'print'
  readonly css?: string
}

/** Shows the built page in any state and look. One page serves all states that are asked for in their order. */
export function showState(site: ReturnType<typeof browseBuiltSite>) {
  let shown: { readonly visit: Visit; readonly place: number } | undefined
  /** Loads a page whose notifications stay. */
  async function loadPage() {
    const visit = await site.visit()
    await visit.setHidden(true)
    return { visit, place: 0 }
  }

  return async (name: StateName, look: Look = {}): Promise<Page> => {
    const wanted = STATE_NAMES.indexOf(name)
    const { visit, place } = shown && shown.place <= wanted ? shown : await loadPage()
    const { page, answer } = visit
    // A step that fails leaves no page for later tests.
    shown = undefined
    if (place < wanted) await setLook(page, {})
    for (const step of STATE_NAMES.slice(place + 1, wanted + 1)) {
      await STATES[step](page, answer)
      // Waits until a closed or replaced notification has disappeared.
      await page.locator('[data-severity][inert]').first().waitFor({ state: 'detached' })
    }
    shown = { visit, place: wanted }
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
