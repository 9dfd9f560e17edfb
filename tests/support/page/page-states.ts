import type { Page } from 'playwright'
import { ENQUIRY_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'

const ENQUIRY = [
  [TEXT.first, 'Ada'],
  [TEXT.last, 'Lovelace'],
  [TEXT.email, 'ada@example.com'],
  [TEXT.message, 'When do you start in Lower Town? We move in on the first of May.\n\nKind regards\nAda'],
] as const

/** Phones in both orientations, a tablet and desktops: width and height in CSS pixels. */
export const SCREENS = [
  [320, 568],
  [360, 800],
  [768, 1024],
  [1440, 900],
  [2560, 1440],
  [844, 390],
] as const

type Reach = (page: Page) => Promise<unknown>

/** What the backend answers from now on: a body, a status without a body, or nothing at all. */
export async function answerCalls(page: Page, answer: object | number | 'never'): Promise<void> {
  await page.unroute('**/api/**')
  await page.route('**/api/**', async (route) => {
    if (answer === 'never') return
    if (typeof answer === 'number') return route.fulfill({ status: answer })
    await route.fulfill({ json: answer })
  })
}

export const toastOf = (page: Page) => page.locator('#toast-status > *, #toast-alert > *')

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

async function fillIn(page: Page, fields: readonly (readonly [placeholder: string, text: string])[]) {
  await openDialog(page)
  for (const [placeholder, text] of fields) await page.getByRole('dialog').getByPlaceholder(placeholder).fill(text)
}

/** Fills in the first `count` fields and submits. */
const enquire =
  (count: number, answer: object | 'never' = 'never', ...changes: [placeholder: string, text: string][]) =>
  async (page: Page) => {
    await answerCalls(page, answer)
    await fillIn(page, [...ENQUIRY.slice(0, count), ...changes])
    await page.getByRole('button', { name: TEXT.submit }).click()
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
  'a failed call, told over the dialog': (page) => subscribe('ada@example.com', 500)(page).then(() => openDialog(page)),
  'the dialog, empty': openDialog,
  'the dialog, filled in': (page) => fillIn(page, ENQUIRY),
  'no first name': saying(VALIDATION_TEXT.noFirst, enquire(0)),
  'no last name': saying(VALIDATION_TEXT.noLast, enquire(1)),
  'no email': saying(VALIDATION_TEXT.noEmail, enquire(2)),
  'no valid email': saying(VALIDATION_TEXT.invalidEmail, enquire(2, 'never', [TEXT.email, 'plain'])),
  'no message': saying(VALIDATION_TEXT.noMessage, enquire(3)),
  submitting: saying(TEXT.sending, enquire(4)),
  'an enquiry received': saying(ENQUIRY_TEXT.received, enquire(4, { success: true })),
  'an enquiry declined': saying(ENQUIRY_TEXT.failed, enquire(4, { success: false })),
} satisfies Record<string, Reach>

export type StateName = keyof typeof STATES
export const STATE_NAMES = Object.keys(STATES) as StateName[]

/** Opens the page and brings it into a state, with animations finished. The pointer keeps a toast open. */
export async function reach(page: Page, origin: string, name: StateName): Promise<void> {
  await page.mouse.move(0, 0)
  await page.goto(origin)
  await STATES[name](page)
  await keep(page)
}

/** Hovers over the toast, if there is one, and waits until animations have finished. */
export async function keep(page: Page): Promise<void> {
  if ((await toastOf(page).count()) > 0) await toastOf(page).hover()
  await page.evaluate(animationsFinished)
}

/** Waits for entrances and exits, but not for longer animations such as spinners. */
export async function animationsFinished(): Promise<void> {
  const brief = document
    .getAnimations()
    .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) < 1000)
  await Promise.allSettled(brief.map((animation) => animation.finished))
}

/** Resizes the screen, and waits for the picture of the new size. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.evaluate(async () => {
    const { backgroundImage } = getComputedStyle(document.querySelector('main') ?? document.body, '::before')
    const picture = new Image()
    picture.src = /url\("(.*?)"\)/.exec(backgroundImage)?.[1] ?? ''
    await picture.decode()
  })
  await page.evaluate(animationsFinished)
}
