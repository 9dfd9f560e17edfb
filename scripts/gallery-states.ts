import type { Page } from 'playwright'
import { WORDS } from '../src/domain/brand.ts'
import { ENQUIRY_MESSAGES, type EnquiryField } from '../src/domain/enquiry.ts'
import { NOTIFICATIONS, type SubscriptionOutcome } from '../src/domain/subscription.ts'

export type State = {
  readonly name: string
  readonly scripts?: false
  /** Brings a page that has not been opened yet into this state. */
  readonly reach: (page: Page) => Promise<unknown>
}

const ENQUIRY: Record<EnquiryField, string> = {
  first: 'Ada',
  last: 'Lovelace',
  email: 'ada@example.com',
  message: 'When do you start in Lower Town? We move in on the first of May.\n\nKind regards\nAda',
}

/** Everything that a visitor can come to see. The real server answers, but for what it never says of itself. */
export const STATES: readonly State[] = [
  { name: 'idle', reach: open },
  { name: 'subscribing', reach: (page) => silence(page).then(() => subscribe(page, 'ada@example.com', null)) },
  { name: 'thanked', reach: (page) => subscribe(page, `${crypto.randomUUID()}@example.com`, 'subscribed') },
  { name: 'hello-again', reach: helloAgain },
  { name: 'oops', reach: (page) => refuse(page).then(() => subscribe(page, 'ada@example.com', 'failed')) },
  { name: 'invalid-email', reach: (page) => subscribe(page, 'ada@example', 'invalid-email') },
  { name: 'dialog-empty', reach: openDialog },
  { name: 'dialog-filled', reach: fill },
  { name: 'no-first-name', reach: (page) => send(page, { first: '' }) },
  { name: 'no-last-name', reach: (page) => send(page, { last: '' }) },
  { name: 'no-email', reach: (page) => send(page, { email: '' }) },
  { name: 'not-an-email', reach: (page) => send(page, { email: 'ada@example' }) },
  { name: 'no-message', reach: (page) => send(page, { message: '' }) },
  { name: 'submitting', reach: (page) => silence(page).then(() => send(page)) },
  { name: 'received', reach: (page) => send(page).then(() => see(page, ENQUIRY_MESSAGES.received.text)) },
  {
    name: 'not-received',
    reach: async (page) => {
      await refuse(page)
      await send(page)
      await see(page, ENQUIRY_MESSAGES.failed.text)
    },
  },
  { name: 'loading', reach: loading },
  { name: 'no-scripts', scripts: false, reach: open },
]

async function open(page: Page) {
  await page.goto('/')
}

const see = (page: Page, text: string) => page.getByText(text).first().waitFor()

async function subscribe(page: Page, email: string, outcome: SubscriptionOutcome | null) {
  await open(page)
  await page.getByPlaceholder(WORDS.emailPlaceholder).fill(email)
  await page.getByRole('button', { name: WORDS.subscribe }).click()
  const notification = outcome && NOTIFICATIONS[outcome]
  if (notification) await see(page, notification.summary)
}

async function helloAgain(page: Page) {
  const email = `${crypto.randomUUID()}@example.com`
  await subscribe(page, email, 'subscribed')
  await subscribe(page, email, 'already-subscribed')
}

async function openDialog(page: Page) {
  await open(page)
  await page.getByRole('button', { name: WORDS.contactUs }).click()
  await page.getByRole('dialog', { name: WORDS.contactUs }).waitFor()
}

async function fill(page: Page, change: Partial<typeof ENQUIRY> = {}) {
  await openDialog(page)
  const dialog = page.getByRole('dialog')
  for (const [name, text] of Object.entries({ ...ENQUIRY, ...change })) {
    await dialog.locator(`[name=${name}]`).fill(text)
  }
}

async function send(page: Page, change?: Partial<typeof ENQUIRY>) {
  await fill(page, change)
  await page.getByRole('dialog').getByRole('button', { name: WORDS.submit }).click()
}

async function loading(page: Page) {
  await page.route('/assets/*.js', () => {})
  await send(page)
  await see(page, WORDS.loading)
}

const silence = (page: Page) => page.route('/api/**', () => {})

const refuse = (page: Page) => page.route('/api/**', (route) => route.fulfill({ status: 503 }))
