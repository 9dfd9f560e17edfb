import type { Page, Route } from 'playwright'
import { ENQUIRY_FIELDS, mapFields, type TypedEnquiry } from '../../../src/domain/enquiry.ts'
import { ENQUIRY_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { anEnquiry } from '../enquiries.ts'

/** A phone in both orientations, a tablet and a desktop, in CSS pixels. */
export const SCREENS = [
  { width: 360, height: 800 },
  { width: 768, height: 1024 },
  { width: 2560, height: 1440 },
  { width: 844, height: 390 },
]

const unanswered: Route[] = []

/** What the backend answers from now on: a body, a status without a body, or nothing at all. */
export async function answerCalls(page: Page, answer: object | number | 'never'): Promise<void> {
  await page.unroute('**/api/**')
  await page.route('**/api/**', async (route) => {
    if (answer === 'never') unanswered.push(route)
    else await route.fulfill(typeof answer === 'number' ? { status: answer } : { json: answer })
  })
}

const toastOf = (page: Page) => page.locator('[id^=toast-] > :not([inert])')

const subscribe = (typed: string, answer: object | number | 'never') => async (page: Page) => {
  await answerCalls(page, answer)
  await page.getByPlaceholder(TEXT.emailPlaceholder).fill(typed)
  await page.getByRole('button', { name: TEXT.subscribe }).click()
  if (answer !== 'never') await toastOf(page).waitFor()
}

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  await page.getByRole('dialog').waitFor()
}

/** Opens the dialog and fills in these fields; last the first, which has the focus at first. */
export async function fillIn(page: Page, fields: Partial<TypedEnquiry>): Promise<void> {
  await openDialog(page)
  for (const name of ENQUIRY_FIELDS.toReversed()) {
    const text = fields[name]
    if (text !== undefined) await page.getByRole('dialog').getByPlaceholder(TEXT[name]).fill(text)
  }
}

const EMPTY = mapFields(() => '')

/** Submits the form with these fields, and waits for the text. */
const enquire =
  (text: string, fields: TypedEnquiry, answer: object | 'never' = 'never') =>
  async (page: Page) => {
    await answerCalls(page, answer)
    await fillIn(page, fields)
    await page.getByRole('button', { name: TEXT.submit }).click()
    // What is only heard, or only seen where nothing moves, is there too.
    await page.getByRole('dialog').getByText(text).first().waitFor()
  }

/** How to bring the page into each of its states, from rest. */
const STATES = {
  'at rest': async () => {},
  'a call in flight': subscribe('ada@example.com', 'never'),
  'a new address': subscribe('ada@example.com', { success: true, email_exists: false }),
  'a known address': subscribe('ada@example.com', { success: true, email_exists: true }),
  'a failed call': subscribe('ada@example.com', 500),
  'an invalid email': subscribe('plain', 500),
  'a failed call, told over the dialog': (page) => subscribe('ada@example.com', 500)(page).then(() => openDialog(page)),
  'the dialog, empty': (page) => fillIn(page, EMPTY),
  'the dialog, filled in': (page) => fillIn(page, anEnquiry()),
  'no first name': enquire(VALIDATION_TEXT.noFirst, EMPTY),
  submitting: enquire(TEXT.sending, anEnquiry()),
  'an enquiry received': enquire(ENQUIRY_TEXT.received, anEnquiry(), { success: true }),
  'an enquiry declined': enquire(ENQUIRY_TEXT.failed, anEnquiry(), { success: false }),
} satisfies Record<string, (page: Page) => Promise<unknown>>

export type StateName = keyof typeof STATES
export const STATE_NAMES = Object.keys(STATES) as StateName[]

/** Brings a page out of any state into this one, with animations finished. */
export async function bringInto(page: Page, name: StateName): Promise<void> {
  await comeToRest(page)
  await STATES[name](page)
  await page.evaluate(animationsFinished)
}

async function comeToRest(page: Page): Promise<void> {
  for (const route of unanswered.splice(0)) await route.abort()
  await page.locator('[aria-busy=true], .spinner').waitFor({ state: 'detached' })
  if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  // One that can't be closed is replaced by one that can.
  if ((await toastOf(page).isVisible()) && !(await closeOf(page).isVisible())) await STATES['an invalid email'](page)
  if (await toastOf(page).isVisible()) await closeToast(page)
  await page.getByPlaceholder(TEXT.emailPlaceholder).fill('')
}

const closeOf = (page: Page) => toastOf(page).getByRole('button', { name: TEXT.close })

/** Waits until nothing of it is seen any more. */
export async function closeToast(page: Page): Promise<void> {
  await closeOf(page).click()
  await page.locator('[id^=toast-] > *').waitFor({ state: 'detached' })
}

/** To run in a page without its policy: gives it these rules besides its own, in place of those it was given before. */
export function restyle(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/** Waits for entrances and exits, but not for longer animations such as spinners. */
export async function animationsFinished(): Promise<void> {
  const brief = document
    .getAnimations()
    .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) < 1000)
  await Promise.allSettled(brief.map((animation) => animation.finished))
}
