import type { Page, Route } from 'playwright'
import { ENQUIRY_FIELDS, mapFields, type TypedEnquiry } from '../../../src/domain/enquiry.ts'
import * as OWN from '../../../src/domain/texts.ts'
import { anEnquiry } from '../enquiries.ts'

const unanswered = new WeakMap<Page, Route[]>()

/** What the backend answers from now on: a body, a status without a body, or nothing at all. */
export async function answerCalls(page: Page, answer: object | number | 'never'): Promise<void> {
  await page.unroute('**/api/**')
  await page.route('**/api/**', async (route) => {
    if (answer === 'never') unanswered.set(page, [...(unanswered.get(page) ?? []), route])
    else await route.fulfill(typeof answer === 'number' ? { status: answer } : { json: answer })
  })
}

/** What the page says, by which its parts are found. */
export type Texts = Pick<typeof OWN, 'TEXT' | 'ENQUIRY_TEXT' | 'VALIDATION_TEXT'>

type Step = (page: Page, texts: Texts) => Promise<void>

const notificationOf = (page: Page) => page.locator('[id^=notification-] > :not([inert])')

const subscribe =
  (typed: string, answer: object | number | 'never'): Step =>
  async (page, { TEXT }) => {
    await answerCalls(page, answer)
    await page.getByPlaceholder(TEXT.emailPlaceholder).fill(typed)
    await page.getByRole('button', { name: TEXT.subscribe }).click()
    if (answer !== 'never') await notificationOf(page).waitFor()
  }

/** Opens the dialog and fills in these fields; last the first, which has the focus at first. */
export async function fillIn(page: Page, fields: Partial<TypedEnquiry>, { TEXT }: Texts = OWN): Promise<void> {
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  for (const name of ENQUIRY_FIELDS.toReversed()) {
    const text = fields[name]
    if (text !== undefined) await dialog.getByPlaceholder(TEXT[name]).fill(text)
  }
}

const EMPTY = mapFields(() => '')

/** Submits the form with these fields, and waits for the text. */
const enquire =
  (text: (texts: Texts) => string, fields: TypedEnquiry, answer: object | 'never' = 'never'): Step =>
  async (page, texts) => {
    await answerCalls(page, answer)
    await fillIn(page, fields, texts)
    await page.getByRole('button', { name: texts.TEXT.submit }).click()
    // What is only heard, or only seen where nothing moves, is there too.
    await page.getByRole('dialog').getByText(text(texts)).first().waitFor()
  }

/** How to bring the page into each of its states, from rest. Each shows something that no other one does. */
const STATES = {
  'at rest': async () => {},
  'a call in flight': subscribe('ada@example.com', 'never'),
  'a new address': subscribe('ada@example.com', { success: true, email_exists: false }),
  'an invalid email': subscribe('plain', 500),
  'a failed call, told over the dialog': async (page, texts) => {
    await subscribe('ada@example.com', 500)(page, texts)
    await fillIn(page, {}, texts)
  },
  'the dialog, empty': (page, texts) => fillIn(page, EMPTY, texts),
  'no first name': enquire(({ VALIDATION_TEXT }) => VALIDATION_TEXT.noFirst, EMPTY),
  submitting: enquire(({ TEXT }) => TEXT.sending, anEnquiry()),
  'an enquiry received': enquire(({ ENQUIRY_TEXT }) => ENQUIRY_TEXT.received, anEnquiry(), { success: true }),
  'an enquiry declined': enquire(({ ENQUIRY_TEXT }) => ENQUIRY_TEXT.failed, anEnquiry(), { success: false }),
} satisfies Record<string, Step>

export type StateName = keyof typeof STATES
export const STATE_NAMES = Object.keys(STATES) as StateName[]

/** Brings a page that speaks these texts out of any state into this one. */
export async function bringInto(page: Page, name: StateName, texts: Texts): Promise<void> {
  await comeToRest(page, texts)
  await STATES[name](page, texts)
}

async function comeToRest(page: Page, texts: Texts): Promise<void> {
  for (const route of unanswered.get(page) ?? []) await route.abort()
  unanswered.delete(page)
  await page.locator('[aria-busy=true], .chakra-spinner').waitFor({ state: 'detached' })
  if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const close = notificationOf(page).getByRole('button', { name: texts.TEXT.close })
  // One that can't be closed is replaced by one that can.
  if ((await notificationOf(page).isVisible()) && !(await close.isVisible()))
    await STATES['an invalid email'](page, texts)
  if (await notificationOf(page).isVisible()) await close.click()
  await page.locator('[id^=notification-] > *').waitFor({ state: 'detached' })
  await page.getByPlaceholder(texts.TEXT.emailPlaceholder).fill('')
}

/** Waits for entrances and exits, but not for longer animations such as spinners. */
export async function animationsFinished(): Promise<void> {
  const brief = document
    .getAnimations()
    .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) < 1000)
  await Promise.allSettled(brief.map((animation) => animation.finished))
}
