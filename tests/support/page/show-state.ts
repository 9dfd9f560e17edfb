import type { BrowserContextOptions, Page } from 'playwright'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { anEnquiry } from '../enquiries.ts'
import type { browseBuiltSite } from './browse-built-site.ts'
import type { Visit } from './visit.ts'

const ENQUIRY = anEnquiry()

const notified = ({ page }: Visit, summary: string) => page.getByText(summary, { exact: true }).waitFor()
// The text may also be there a second time, for screen readers or for reduced motion.
const told = ({ dialog }: Visit, text: string) => dialog.getByText(text).first().waitFor()

/** The states of one visit, in order. Each step leads from the state before it to a state that looks different. */
const STATES = {
  'at rest': async () => {},
  async 'an invalid email'(visit: Visit) {
    await visit.subscribeAs('plain')
    await notified(visit, NOTIFICATION_TEXT.invalidEmail.summary)
  },
  'a call in flight': (visit: Visit) => visit.subscribeAs(ENQUIRY.email),
  async 'a new address'(visit: Visit) {
    await visit.answer()
    await notified(visit, NOTIFICATION_TEXT.subscribed.summary)
  },
  async 'a failure over the dialog'(visit: Visit) {
    await visit.subscribeAs(ENQUIRY.email)
    await visit.answer(500)
    await notified(visit, NOTIFICATION_TEXT.failed.summary)
    await visit.fillIn({})
  },
  async 'no first name'(visit: Visit) {
    await visit.closeNotification.click()
    await visit.submit.click()
    await told(visit, VALIDATION_TEXT.noFirst)
  },
  async submitting(visit: Visit) {
    await visit.page.keyboard.press('Escape')
    await visit.fillIn(ENQUIRY)
    await visit.submit.click()
    await told(visit, TEXT.sending)
  },
  async 'an enquiry declined'(visit: Visit) {
    await visit.answer({ success: false })
    await told(visit, ENQUIRY_TEXT.failed)
  },
  async 'an enquiry received'(visit: Visit) {
    await visit.page.getByRole('button', { name: TEXT.tryAgain }).click()
    await visit.answer()
    await told(visit, ENQUIRY_TEXT.received)
  },
}

export type StateName = keyof typeof STATES
export const STATE_NAMES = Object.keys(STATES) as StateName[]

/** The size of the screen, settings of the browser, and additional CSS rules. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'forcedColors'> & {
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
    // A step that fails leaves no page for later tests.
    shown = undefined
    if (place < wanted) await setLook(visit.page, {})
    for (const step of STATE_NAMES.slice(place + 1, wanted + 1)) {
      await STATES[step](visit)
      // Waits until a closed or replaced notification has disappeared.
      await visit.page.locator('[data-severity][inert]').first().waitFor({ state: 'detached' })
    }
    shown = { visit, place: wanted }
    await setLook(visit.page, look)
    return visit.page
  }
}

/** Gives a page this look instead of its earlier look, without motion. */
async function setLook(page: Page, { viewport, css = '', ...settings }: Look): Promise<void> {
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 })
  await page.emulateMedia({ media: 'screen', colorScheme: 'light', forcedColors: 'none', ...settings })
  await page.evaluate(async (rules) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(rules)
    document.adoptedStyleSheets = [sheet]
    // Waits for transitions, but not for longer animations such as spinners.
    const brief = document.getAnimations().filter((it) => Number(it.effect?.getComputedTiming().endTime) < 1000)
    await Promise.allSettled(brief.map((animation) => animation.finished))
  }, css)
}
