import type { Page, Route } from 'playwright'
import { beforeEach, describe, expect, test } from 'vitest'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'
import { DOCUMENT_CHANGES } from '../support/page/document-changes.ts'
import { answerCalls, fillIn } from '../support/page/page-states.ts'
import { until } from '../support/until.ts'

const site = browseBuiltSite()
const ENQUIRY = anEnquiry()
let page: Page
/** The request for the app's script, which waits for the test. */
let script: Route | undefined
let posts: (string | null)[]

beforeEach(async () => {
  page = await site.openPage()
  script = undefined
  posts = []
  await page.route(/assets\/.*\.js/, (route) => {
    script = route
  })
  await answerCalls(page, { success: true, email_exists: false })
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData()))
  await page.goto(site.origin)
})

const email = () => page.getByPlaceholder(TEXT.emailPlaceholder)
const field = (placeholder: string) => page.getByRole('dialog').getByPlaceholder(placeholder)

async function letAppCome() {
  await (await until(() => script)).continue()
  await appIsThere(page)
}

/** Subscribes and sends an enquiry, each by Enter; before the app is there both are held. */
async function sendBoth(change = () => Promise.resolve()) {
  await email().fill('ada@example.com')
  await email().press('Enter')
  await change()
  await fillIn(page, ENQUIRY)
  await field(TEXT.last).press('Enter')
}

async function expectSentOnce() {
  await page.getByRole('dialog').getByText(ENQUIRY_TEXT.received).waitFor()
  await expect.poll(() => posts.length).toBe(2)
  expect(posts.toSorted()).toEqual([JSON.stringify(subscriptionOf('ada@example.com')), JSON.stringify(bodyOf(ENQUIRY))])
}

/** To run in the page: changes the document right before React renders. */
function whileTheAppStarts(change: () => void): void {
  for (const root of document.querySelectorAll('#root, #contact')) {
    const { addEventListener } = root
    // React begins to listen at a root right before it renders.
    root.addEventListener = (...listener: Parameters<typeof addEventListener>) => {
      root.addEventListener = addEventListener
      change()
      root.addEventListener(...listener)
    }
  }
}

describe.each(Object.entries(DOCUMENT_CHANGES))('where %s', (_, change) => {
  const changeNow = () => page.evaluate(change)
  const changeLater = () => page.evaluate(`(${whileTheAppStarts})(${change})`)

  test.each([
    ['before the app comes', changeNow],
    ['while the app starts', changeLater],
  ])('%s, typed text, the focus and the caret stay', async (_, changeDocument) => {
    await email().fill('early@example.com')
    await fillIn(page, ENQUIRY)
    await field(TEXT.last).press('Home')
    await page.keyboard.press('ArrowRight')
    await changeDocument()
    await letAppCome()
    await page.keyboard.type('X')
    const texts = await Promise.all([email(), field(TEXT.first), field(TEXT.last)].map((it) => it.inputValue()))
    expect(texts).toEqual(['early@example.com', ENQUIRY.first, ENQUIRY.last.replace(/^./, '$&X')])
  })

  test.each([
    ['before anything is typed', changeNow, () => {}],
    ['while the app starts', () => {}, changeLater],
  ])('%s, the held press of each form is made once', async (_, before, after) => {
    await before()
    await sendBoth()
    await after()
    await letAppCome()
    await expectSentOnce()
  })

  test('once the app is there, both forms go on', async () => {
    await page.mouse.move(5, 5)
    await letAppCome()
    await email().fill('plain')
    await changeNow()
    await email().press('Enter')
    await page.getByText(NOTIFICATION_TEXT.invalidEmail.summary, { exact: true }).waitFor()
    await changeNow()
    await sendBoth(async () => {
      await page.getByText(NOTIFICATION_TEXT.subscribed.summary, { exact: true }).waitFor()
      await changeNow()
    })
    await expectSentOnce()
  })
})
