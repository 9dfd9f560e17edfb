import type { Page } from 'playwright'
import { standstill } from './axe.ts'

const ENQUIRY = [
  ['First Name', 'Ada'],
  ['Last Name', 'Lovelace'],
  ['Email', 'ada@example.com'],
  ['Message', 'When do you start?'],
] as const

/** Phones, upright and on their side, a tablet and desktops: width and height in CSS pixels. */
export const SCREENS = [
  [320, 568],
  [360, 800],
  [768, 1024],
  [1440, 900],
  [2560, 1440],
  [844, 390],
] as const

type Reach = (page: Page) => Promise<unknown>

/** What the backend answers from now on: a body, a status without one, or nothing for good. */
export async function answerCalls(page: Page, answer: object | number | 'never'): Promise<void> {
  await page.unrouteAll()
  await page.route('**/api/**', async (route) => {
    if (answer === 'never') return
    if (typeof answer === 'number') return route.fulfill({ status: answer })
    await route.fulfill({ json: answer })
  })
}

export const toastOf = (page: Page) => page.locator('#toast-status > *, #toast-alert > *')

const subscribe = (typed: string, answer: object | number | 'never') => async (page: Page) => {
  await answerCalls(page, answer)
  await page.getByPlaceholder('Enter your email').fill(typed)
  await page.getByRole('button', { name: 'Subscribe' }).click()
  if (answer !== 'never') await toastOf(page).waitFor()
}

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Contact us' }).click()
  await page.getByRole('dialog').waitFor()
}

/** Fills in the first `count` fields and submits. */
const enquire =
  (count: number, answer: object | 'never' = 'never', ...changes: [placeholder: string, text: string][]) =>
  async (page: Page) => {
    await answerCalls(page, answer)
    await openDialog(page)
    for (const [placeholder, text] of [...ENQUIRY.slice(0, count), ...changes])
      await page.getByRole('dialog').getByPlaceholder(placeholder).fill(text)
    await page.getByRole('button', { name: 'Submit' }).click()
  }

const saying =
  (text: string, reach: Reach): Reach =>
  async (page) => {
    await reach(page)
    await page.getByRole('dialog').getByText(text).waitFor()
  }

/** How to bring the page into each of its states. */
export const STATES = {
  'at rest': async () => {},
  'a call in flight': subscribe('ada@example.com', 'never'),
  'a new address': subscribe('ada@example.com', { success: true, email_exists: false }),
  'a known address': subscribe('ada@example.com', { success: true, email_exists: true }),
  'a failed call': subscribe('ada@example.com', 500),
  'an invalid email': subscribe('plain', 500),
  'the dialog, empty': openDialog,
  'no first name': saying('Please enter first name', enquire(0)),
  'no last name': saying('Please enter last name', enquire(1)),
  'no email': saying('Please enter an email address', enquire(2)),
  'no valid email': saying('Please enter a valid email address', enquire(2, 'never', ['Email', 'plain'])),
  'no message': saying('Please enter a message', enquire(3)),
  submitting: saying('Sending…', enquire(4)),
  'an enquiry received': saying('Thank you for contacting us.', enquire(4, { success: true })),
  'an enquiry declined': saying('Oops! Something went wrong.', enquire(4, { success: false })),
} satisfies Record<string, Reach>

export type StateName = keyof typeof STATES
export const STATE_NAMES = Object.keys(STATES) as StateName[]

/** Opens the page anew and brings it into a state, which then stands still; a toast stays as long as the pointer does. */
export async function reach(page: Page, origin: string, name: StateName): Promise<void> {
  await page.mouse.move(0, 0)
  await page.goto(origin)
  await STATES[name](page)
  if ((await toastOf(page).count()) > 0) await toastOf(page).hover()
  await page.evaluate(standstill)
}
