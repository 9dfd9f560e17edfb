import type { Locator, Page, Route } from 'playwright'
import { type Enquiry, FIELD_NAMES, type FieldName } from '../../../src/domain/enquiry-fields.ts'
import { TEXT } from '../../../src/domain/texts.ts'
import { CONTACT_DIALOG_ID, FIELD_ID_PREFIX, OPENS_DIALOG } from '../../../src/element-names.ts'
import { until } from '../until.ts'

export type Visit = Awaited<ReturnType<typeof openVisit>>

const SUCCESS = { success: true, email_exists: false }

/** Loads the page. Its calls wait for the test, and with `holdApp` also the scripts of its app. */
export async function openVisit(page: Page, origin: string, holdApp = false) {
  const scriptRequests: Route[] = []
  const posts: (string | null)[] = []
  const waiting: Route[] = []
  if (holdApp) await page.route(/assets\/.*\.js/, (route) => void scriptRequests.push(route))
  await page.route('**/api/**', (route) => {
    posts.push(route.request().postData())
    waiting.push(route)
  })
  await page.setViewportSize({ width: 1280, height: 720 })
  // Motion takes much of the processor's time.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(origin)
  return {
    ...partsOf(page),
    /** Gives the page these rules instead of earlier ones, and ends transitions. The page's policy forbids `<style>`. */
    style: (css: string) =>
      page.evaluate((rules) => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(rules)
        document.adoptedStyleSheets = [sheet]
        for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
      }, css),
    /** Waits until this element has the focus. */
    focused: (element: Locator) => element.and(page.locator(':focus')).waitFor(),
    /** The requests for the app. */
    scriptRequests,
    /** The request of this attempt to load the app. It waits until the test answers it. */
    script: (attempt = 1) => until(() => scriptRequests[attempt - 1]),
    /** The bodies of all calls. */
    posts,
    /** Answers the oldest waiting call. `reply` is a JSON body or a status. */
    async answer(reply: object | number = SUCCESS) {
      const route = await until(() => waiting.shift())
      await route.fulfill(typeof reply === 'number' ? { status: reply } : { json: reply })
    },
  }
}

/** The parts of the page by which visitors use it. */
export function partsOf(page: Page) {
  const form = page.locator('form[name=subscribe]')
  const email = form.getByPlaceholder(TEXT.emailPlaceholder)
  // A translated page has extra characters in its buttons, so each button is found by a part of its name.
  const subscribe = form.getByRole('button', { name: TEXT.subscribe })
  const contactUs = page.locator(OPENS_DIALOG.selector).and(page.getByRole('button', { name: TEXT.contactUs }))
  const dialog = page.locator(`#${CONTACT_DIALOG_ID}`).and(page.getByRole('dialog'))
  // A translated page has other labels, so the name finds the field. Extensions may add a field of the same name, without
  // this id, before the field, or a copy of the field after it.
  const field = (name: FieldName) => dialog.locator(`[name=${name}][id^=${FIELD_ID_PREFIX}]`).first()
  return {
    page,
    email,
    subscribe,
    contactUs,
    dialog,
    field,
    submit: dialog.getByRole('button', { name: TEXT.submit }),
    tryAgain: dialog.getByRole('button', { name: TEXT.tryAgain }),
    notification: page.locator('[data-severity]:not([inert])'),
    /** Types this text as an address, and presses Subscribe. */
    async subscribeAs(typed: string) {
      await email.fill(typed)
      await subscribe.click()
    },
    /** Opens the dialog, and fills in these fields, from the last field to the first. */
    async fillIn(fields: Partial<Enquiry>) {
      // A notification may cover the button.
      await contactUs.press('Enter')
      await dialog.waitFor()
      for (const name of FIELD_NAMES.toReversed()) {
        const [place, value] = [field(name), fields[name]]
        if (!value) continue
        const kind = await place.evaluate(({ localName, type }: HTMLInputElement) =>
          localName === 'select' ? 'select' : type,
        )
        if (kind === 'select') await place.selectOption(value)
        else if (kind === 'checkbox' || kind === 'radio') await place.check()
        else await place.fill(value)
      }
      for (const box of await dialog.locator('[type=checkbox][required]').all()) await box.check({ force: true })
    },
  }
}
