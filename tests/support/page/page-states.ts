import type { Page } from 'playwright'
import { ENQUIRY_FIELDS, type TypedEnquiry } from '../../../src/domain/enquiry.ts'
import { DEFAULT_LIFE_MS } from '../../../src/domain/notification.ts'
import { ENQUIRY_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { anEnquiry } from '../enquiries.ts'

/** A phone in both orientations, a tablet and a desktop, in CSS pixels. */
export const SCREENS = [
  { width: 360, height: 800 },
  { width: 768, height: 1024 },
  { width: 2560, height: 1440 },
  { width: 844, height: 390 },
]

/** What the backend answers from now on: a body, a status without a body, or nothing at all. */
export async function answerCalls(page: Page, answer: object | number | 'never'): Promise<void> {
  await page.unroute('**/api/**')
  await page.route('**/api/**', async (route) => {
    if (answer === 'never') return
    if (typeof answer === 'number') return route.fulfill({ status: answer })
    await route.fulfill({ json: answer })
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

/** Opens the dialog and fills in these fields. */
export async function fillIn(page: Page, fields: Partial<TypedEnquiry>): Promise<void> {
  await openDialog(page)
  for (const name of ENQUIRY_FIELDS) {
    const text = fields[name]
    if (text !== undefined) await page.getByRole('dialog').getByPlaceholder(TEXT[name]).fill(text)
  }
}

/** Submits the form with these fields, and waits for the text. */
const enquire =
  (text: string, fields: Partial<TypedEnquiry>, answer: object | 'never' = 'never') =>
  async (page: Page) => {
    await answerCalls(page, answer)
    await fillIn(page, fields)
    await page.getByRole('button', { name: TEXT.submit }).click()
    await page.getByRole('dialog').getByText(text).first().waitFor()
  }

/** How to bring the page into each of its states. */
export const STATES = {
  'at rest': async () => {},
  'a call in flight': subscribe('ada@example.com', 'never'),
  'a new address': subscribe('ada@example.com', { success: true, email_exists: false }),
  'a known address': subscribe('ada@example.com', { success: true, email_exists: true }),
  'a failed call': subscribe('ada@example.com', 500),
  'an invalid email': subscribe('plain', 500),
  'a failed call, told over the dialog': (page) => subscribe('ada@example.com', 500)(page).then(() => openDialog(page)),
  'the dialog, empty': openDialog,
  'the dialog, filled in': (page) => fillIn(page, anEnquiry()),
  'no first name': enquire(VALIDATION_TEXT.noFirst, {}),
  submitting: enquire(TEXT.sending, anEnquiry()),
  'an enquiry received': enquire(ENQUIRY_TEXT.received, anEnquiry(), { success: true }),
  'an enquiry declined': enquire(ENQUIRY_TEXT.failed, anEnquiry(), { success: false }),
} satisfies Record<string, (page: Page) => Promise<unknown>>

export type StateName = keyof typeof STATES
export const STATE_NAMES = Object.keys(STATES) as StateName[]

/** Opens the page and brings it into a state, with animations finished. No toast runs out, however slow the machine is. */
export async function gotoState(page: Page, origin: string, name: StateName): Promise<void> {
  await page.addInitScript((life) => {
    const { setTimeout } = window
    Object.assign(window, { setTimeout: (run: () => void, ms: number) => (ms === life ? 0 : setTimeout(run, ms)) })
  }, DEFAULT_LIFE_MS)
  await page.goto(origin)
  await STATES[name](page)
  await page.evaluate(animationsFinished)
}

/** Waits for entrances and exits, but not for longer animations such as spinners. */
export async function animationsFinished(): Promise<void> {
  const brief = document
    .getAnimations()
    .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) < 1000)
  await Promise.allSettled(brief.map((animation) => animation.finished))
}
