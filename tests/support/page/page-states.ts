import type { Locator, Page } from 'playwright'
import { ENQUIRY_FIELDS, type EnquiryField, type TypedEnquiry } from '../../../src/domain/enquiry.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { anEnquiry } from '../enquiries.ts'

/** Opens the dialog and fills in these fields, from the last field to the first. */
export async function fillIn(page: Page, fields: Partial<TypedEnquiry>): Promise<void> {
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  for (const name of ENQUIRY_FIELDS.toReversed()) {
    const text = fields[name]
    if (typeof text === 'string') await fill(fieldOf(page, name), text)
  }
}

/** A field of the contact form. Not by its label, which translations change; extensions add copies after it. */
export const fieldOf = (page: Page, name: EnquiryField): Locator =>
  page.getByRole('dialog').locator(`#contact-${name}`).first()

/** Types a text, chooses the option with this value, or ticks a checkbox, whose value is 'on'. */
async function fill(field: Locator, value: string) {
  const kind = await field.evaluate((it) => ('type' in it ? it.type : ''))
  if (kind === 'select-one') await field.selectOption(value)
  // The input of a checkbox is hidden, so it gets the press without being hit.
  else if (kind === 'checkbox') await field.setChecked(value === 'on', { force: true })
  else await field.fill(value)
}

type Answer = (reply?: object | number) => Promise<void>

const ENQUIRY = anEnquiry()

/** Types this text as an address, and presses Subscribe. */
export async function subscribe(page: Page, typed: string): Promise<void> {
  await page.getByPlaceholder(TEXT.emailPlaceholder).fill(typed)
  await page.getByRole('button', { name: TEXT.subscribe }).click()
}

const submit = (page: Page) => page.getByRole('button', { name: TEXT.submit }).click()
const notified = (page: Page, summary: string) => page.getByText(summary, { exact: true }).waitFor()
// The text may also be there a second time, for screen readers or for reduced motion.
const waitForText = (page: Page, text: string) => page.getByRole('dialog').getByText(text).first().waitFor()

/** The states of one visit, in order. Each step leads from the state before it to a state that looks different. */
export const STATES = {
  'at rest': async () => {},
  async 'an invalid email'(page: Page) {
    await subscribe(page, 'plain')
    await notified(page, NOTIFICATION_TEXT.invalidEmail.summary)
  },
  'a call in flight': (page: Page) => subscribe(page, ENQUIRY.email),
  async 'a new address'(page: Page, answer: Answer) {
    await answer()
    await notified(page, NOTIFICATION_TEXT.subscribed.summary)
  },
  async 'a failure over the dialog'(page: Page, answer: Answer) {
    await subscribe(page, ENQUIRY.email)
    await answer(500)
    await notified(page, NOTIFICATION_TEXT.failed.summary)
    await fillIn(page, {})
  },
  async 'no first name'(page: Page) {
    await page.locator('[data-severity]').getByRole('button').click()
    await page.locator('[data-severity]').waitFor({ state: 'detached' })
    await submit(page)
    await waitForText(page, VALIDATION_TEXT.noFirst)
  },
  async submitting(page: Page) {
    await page.keyboard.press('Escape')
    await fillIn(page, ENQUIRY)
    await submit(page)
    await waitForText(page, TEXT.sending)
  },
  async 'an enquiry declined'(page: Page, answer: Answer) {
    await answer({ success: false })
    await waitForText(page, ENQUIRY_TEXT.failed)
  },
  async 'an enquiry received'(page: Page, answer: Answer) {
    await page.getByRole('button', { name: TEXT.tryAgain }).click()
    await answer()
    await waitForText(page, ENQUIRY_TEXT.received)
  },
}

export type StateName = keyof typeof STATES
export const STATE_NAMES = Object.keys(STATES) as StateName[]

/** Waits for entrances and exits, but not for longer animations such as spinners. */
export async function animationsFinished(): Promise<void> {
  const brief = document
    .getAnimations()
    .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) < 1000)
  await Promise.allSettled(brief.map((animation) => animation.finished))
}
