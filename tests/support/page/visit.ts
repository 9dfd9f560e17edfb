import type { Locator, Page, Route } from 'playwright'
import { ENQUIRY_FIELDS, type EnquiryField, type TypedEnquiry } from '../../../src/domain/enquiry.ts'
import { TEXT } from '../../../src/domain/texts.ts'
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
  await usualLook(page)
  await page.goto(origin)
  return {
    ...partsOf(page),
    /** Waits until this element has the focus. */
    focused: (element: Locator) => element.and(page.locator(':focus')).waitFor(),
    /** Lets the page take itself for hidden, as in another tab, or for visible again. */
    setHidden: (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, hidden),
    /** The requests for the app. */
    scriptRequests,
    /** The request of this attempt, the first by default; it waits until the test answers it. */
    script: (attempt = 1) => until(() => scriptRequests[attempt - 1]),
    /** The bodies of all calls. */
    posts,
    /** Answers the oldest call that waits with a body, or only with a status. */
    async answer(reply: object | number = SUCCESS) {
      const route = await until(() => waiting.shift())
      await route.fulfill(typeof reply === 'number' ? { status: reply } : { json: reply })
    },
  }
}

/** The parts of the page by which visitors use it. */
export function partsOf(page: Page) {
  const email = page.getByPlaceholder(TEXT.emailPlaceholder)
  const subscribe = page.getByRole('button', { name: TEXT.subscribe })
  const contactUs = page.getByRole('button', { name: TEXT.contactUs })
  const dialog = page.getByRole('dialog')
  // Not by its label, which translations change. Extensions add copies after it.
  const field = (name: EnquiryField) => dialog.locator(`#contact-${name}`).first()
  const notification = page.locator('[data-severity]:not([inert])')
  return {
    page,
    email,
    subscribe,
    contactUs,
    dialog,
    field,
    submit: dialog.getByRole('button', { name: TEXT.submit }),
    notification,
    closeNotification: notification.getByRole('button', { name: TEXT.close }),
    /** Types this text as an address, and presses Subscribe. */
    async subscribeAs(typed: string) {
      await email.fill(typed)
      await subscribe.click()
    },
    /** Opens the dialog, and fills in these fields, from the last field to the first. */
    async fillIn(fields: Partial<TypedEnquiry>) {
      await contactUs.click()
      await dialog.waitFor()
      for (const name of ENQUIRY_FIELDS.toReversed()) {
        const text = fields[name]
        if (typeof text === 'string') await field(name).fill(text)
      }
    },
  }
}

/** A desktop, without motion, which takes much of the processor's time. */
async function usualLook(page: Page) {
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce', colorScheme: 'light', forcedColors: 'none' })
}

/** Ends all that a test has left on the page: calls, texts, a dialog, outcomes, and the place of pointer and focus. */
export async function clearVisit({ page, answer, posts }: Visit): Promise<void> {
  const busy = page.locator('form:has([aria-busy=true], .chakra-spinner)')
  for (const _form of await busy.all()) await answer(500)
  await busy.first().waitFor({ state: 'detached' })
  await usualLook(page)
  await page.keyboard.press('Escape')
  await page.mouse.move(1, 1)
  await page.evaluate(() => {
    for (const form of document.forms) {
      form.reset()
      for (const field of form.elements) field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    document.querySelector<HTMLElement>('[data-severity] button')?.click()
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await page.locator('[data-severity]').first().waitFor({ state: 'detached' })
  posts.splice(0)
}
