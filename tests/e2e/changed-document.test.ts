import { beforeEach, expect, test } from 'vitest'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { browseBuiltSite, type HeldPage, startApp } from '../support/page/browse-built-site.ts'
import { DOCUMENT_CHANGES } from '../support/page/document-changes.ts'
import { fillIn } from '../support/page/page-states.ts'

const site = browseBuiltSite()
const ENQUIRY = anEnquiry()
let visit: HeldPage

beforeEach(async () => {
  visit = await site.openHeldPage()
})

const notified = (summary: string) => visit.page.getByText(summary, { exact: true }).waitFor()

async function sendAndStartApp() {
  await visit.page.mouse.move(5, 5)
  await (await visit.script()).continue()
  await startApp(visit.page)
}

async function subscribe(address: string) {
  await visit.email.fill(address)
  await visit.email.press('Enter')
}

async function enquire() {
  await fillIn(visit.page, ENQUIRY)
  await visit.field('last').press('Enter')
}

async function expectBothSentOnce() {
  await visit.dialog.getByText(ENQUIRY_TEXT.received).waitFor()
  const bodies = [JSON.stringify(subscriptionOf(ENQUIRY.email)), JSON.stringify(bodyOf(ENQUIRY))]
  await expect.poll(() => visit.posts.toSorted()).toEqual(bodies)
}

const CHANGES = Object.entries(DOCUMENT_CHANGES)

test.each(CHANGES)('when %s, typed text, the focus and the caret stay', async (_, change) => {
  await visit.email.fill('early@example.com')
  await fillIn(visit.page, ENQUIRY)
  await visit.field('last').press('Home')
  await visit.page.keyboard.press('ArrowRight')
  await visit.page.evaluate(change)
  await sendAndStartApp()
  await visit.page.keyboard.type('X')
  const texts = [visit.email, visit.field('first'), visit.field('last')].map((it) => it.inputValue())
  expect(await Promise.all(texts)).toEqual(['early@example.com', ENQUIRY.first, ENQUIRY.last.replace(/^./, '$&X')])
})

test.each(CHANGES)('when %s, the held press of each form sends once', async (_, change) => {
  await visit.page.evaluate(change)
  await subscribe(ENQUIRY.email)
  await enquire()
  await sendAndStartApp()
  await expectBothSentOnce()
})

// React renders the page anew between the two steps.
test.each<[name: string, before: () => Promise<unknown>, after: () => Promise<unknown>]>([
  ['by mouse', () => visit.contactUs.hover().then(() => visit.page.mouse.down()), () => visit.page.mouse.up()],
  [
    'by Space',
    () => visit.contactUs.focus().then(() => visit.page.keyboard.down(' ')),
    () => visit.page.keyboard.up(' '),
  ],
  ['by Enter', () => visit.contactUs.focus(), () => visit.page.keyboard.press('Enter')],
])('a press of Contact us %s is not lost when React replaces the button', async (_, before, after) => {
  await visit.page.evaluate(DOCUMENT_CHANGES['nodes are added and removed'])
  const button = await visit.contactUs.elementHandle()
  await before()
  await (await visit.script()).continue()
  await visit.page.waitForFunction((it) => !it?.isConnected, button)
  await after()
  await visit.dialog.waitFor()
})

test.each(CHANGES)('when %s, both forms of the running app still work', async (_, change) => {
  await sendAndStartApp()
  await visit.page.evaluate(change)
  await subscribe('plain')
  await notified(NOTIFICATION_TEXT.invalidEmail.summary)
  await visit.page.evaluate(change)
  await subscribe(ENQUIRY.email)
  await notified(NOTIFICATION_TEXT.subscribed.summary)
  await visit.page.evaluate(change)
  await enquire()
  await expectBothSentOnce()
})
