import type { Page, Route } from 'playwright'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { localServer } from '../support/local-server.ts'
import { appIsThere, browseBuiltSite, isTakenOver } from '../support/page/browse-built-site.ts'
import { listen } from '../support/page/listen.ts'
import { answerCalls, fillIn } from '../support/page/page-states.ts'
import { until } from '../support/until.ts'

const site = browseBuiltSite()
let page: Page
/** The requests for the app's script, each held until a test answers it. */
let asked: Route[]
/** The bodies of the calls. */
let posts: (string | null)[]

beforeEach(async () => {
  page = await site.openPage()
  asked = []
  posts = []
  await page.route(/assets\/.*\.js/, (route) => void asked.push(route))
  await answerCalls(page, { success: true, email_exists: false })
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData()))
  await page.goto(site.origin)
})

/** Opens the page again, on a clock that stands still. */
async function arriveOnClock() {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  // The clock is that of all pages of this visitor.
  onTestFinished(() => page.clock.resume())
  await page.goto(site.origin)
}

const script = (attempt: number) => until(() => asked[attempt - 1])

/** Drops the request of an attempt. */
async function drop(attempt: number) {
  const failed = page.waitForEvent('requestfailed')
  await (await script(attempt)).abort()
  await failed
}

/** Sends the script of an attempt, and waits until it has arrived. */
async function send(attempt: number) {
  const fetched = page.waitForEvent('requestfinished', (request) => request.url().includes('.js'))
  await (await script(attempt)).continue()
  await fetched
}

const email = () => page.getByPlaceholder(TEXT.emailPlaceholder)
const contactUs = () => page.getByRole('button', { name: TEXT.contactUs })
const dialog = () => page.getByRole('dialog', { name: TEXT.contactUs })
const firstName = () => dialog().getByPlaceholder(TEXT.first)
const seen = (text: string) => page.getByText(text, { exact: true }).filter({ visible: true })
const loading = () => page.getByText(TEXT.loading).filter({ visible: true })
const firstNameIsFocused = () => firstName().and(page.locator(':focus')).waitFor()

const ENQUIRY = anEnquiry()
const MISSING = ENQUIRY_TEXT.failed
const BROKEN = `${TEXT.fault} ${TEXT.reload}`

const SUBSCRIBE = {
  fill: () => email().fill(ENQUIRY.email),
  field: email,
  button: () => page.getByRole('button', { name: TEXT.subscribe }),
  post: JSON.stringify(subscriptionOf(ENQUIRY.email)),
  outcome: NOTIFICATION_TEXT.subscribed.summary,
}
const SUBMIT = {
  fill: () => fillIn(page, ENQUIRY),
  field: firstName,
  button: () => dialog().getByRole('button', { name: TEXT.submit }),
  post: JSON.stringify(bodyOf(ENQUIRY)),
  outcome: ENQUIRY_TEXT.received,
}
type Form = typeof SUBSCRIBE

async function press(form: Form) {
  await form.fill()
  await form.button().click()
}

async function expectHeld({ button, field }: Form, held: boolean) {
  await expect.poll(() => button().getAttribute('aria-busy')).toBe(String(held))
  expect(await field().isEditable()).toBe(!held)
}

async function expectLetGo(form: Form, sentence: string) {
  await seen(sentence).waitFor()
  await expectHeld(form, false)
  expect(await form.field().inputValue()).not.toBe('')
  expect(await loading().count()).toBe(0)
  expect(posts).toEqual([])
}

async function expectSentOnce({ post, outcome, button }: Form) {
  await seen(outcome).waitFor()
  await expect.poll(() => button().getAttribute('aria-busy')).toBe('false')
  expect(posts).toEqual([post])
}

describe('a press before the app is there', () => {
  test('is held in both forms, and made once, by Enter and click alike', async () => {
    for (const form of [SUBMIT, SUBSCRIBE]) {
      await press(form)
      await form.field().press('Enter')
      await expectHeld(form, true)
      await page.keyboard.press('Escape')
    }
    expect(posts).toEqual([])
    await (await script(1)).continue()
    await expect.poll(() => posts.toSorted()).toEqual([SUBSCRIBE.post, SUBMIT.post].toSorted())
    await expectHeld(SUBSCRIBE, false)
  })

  test("says 'Loading' after half a second, with dots that are only seen", async () => {
    await arriveOnClock()
    await press(SUBMIT)
    await page.clock.runFor(499)
    expect(await loading().count()).toBe(0)
    await page.clock.runFor(501)
    expect(await loading().innerText()).toBe(`${TEXT.loading}.`)
    expect(await loading().ariaSnapshot()).toBe(`- paragraph: ${TEXT.loading}`)
  })

  test('is held while the HTML still arrives', async () => {
    const html = await (await fetch(site.origin)).text()
    const end = html.indexOf('<dialog')
    const rest = Promise.withResolvers<void>()
    const { origin } = await localServer(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(html.slice(0, end))
      await rest.promise
      response.end(html.slice(end))
    })
    await page.goto(origin, { waitUntil: 'commit' })
    await press(SUBSCRIBE)
    await contactUs().click()
    await expectHeld(SUBSCRIBE, true)
    expect(await dialog().count()).toBe(0)
    rest.resolve()
    await firstNameIsFocused()
  })
})

describe('where the app can not be had', () => {
  test('a press is let go with its text, and the next one tries again', async () => {
    await press(SUBMIT)
    await drop(1)
    await expectLetGo(SUBMIT, MISSING)
    await SUBMIT.button().click()
    await expectHeld(SUBMIT, true)
    expect(await seen(MISSING).count()).toBe(0)
    await (await script(2)).continue()
    await expectSentOnce(SUBMIT)
  })

  test('the second failure offers to load the page again', async () => {
    await press(SUBSCRIBE)
    await drop(1)
    await expectHeld(SUBSCRIBE, false)
    await SUBSCRIBE.button().click()
    await drop(2)
    await expectLetGo(SUBSCRIBE, BROKEN)
    await page.unrouteAll()
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: TEXT.reload }).click()])
    await appIsThere(page)
  })

  test('each failure is announced', async () => {
    const heard = await page.evaluateHandle(listen)
    for (const [attempt, sentence] of [MISSING, BROKEN].entries()) {
      await SUBSCRIBE.button().click()
      await drop(attempt + 1)
      await seen(sentence).waitFor()
    }
    expect(await heard.evaluate((sinceLast) => sinceLast())).toEqual([MISSING, BROKEN])
  })

  test('a failure stays to be read until the next press, though the app comes', async () => {
    await SUBSCRIBE.button().click()
    await drop(1)
    await seen(MISSING).waitFor()
    await page.keyboard.press('Shift')
    await (await script(2)).continue()
    await appIsThere(page)
    expect(await seen(MISSING).count()).toBe(1)
    await press(SUBSCRIBE)
    await expect.poll(() => seen(MISSING).count()).toBe(0)
  })

  test('a press waits 30 s, and none asks for the app anew', async () => {
    await arriveOnClock()
    await press(SUBMIT)
    await page.clock.runFor(29_999)
    await expectHeld(SUBMIT, true)
    await page.clock.runFor(1)
    await expectLetGo(SUBMIT, MISSING)
    await SUBMIT.button().click()
    await page.clock.resume()
    await send(1)
    await expectSentOnce(SUBMIT)
    expect(asked).toHaveLength(1)
  })
})

test.each([
  ['while it is evaluated', 'throw new Error("at fault")'],
  ['at its start', 'export const start = () => boom()'],
])('an app that throws %s offers to load the page again, at each press', async (_, body) => {
  await press(SUBSCRIBE)
  await (await script(1)).fulfill({ body, contentType: 'text/javascript' })
  await expectLetGo(SUBSCRIBE, BROKEN)
  await SUBSCRIBE.button().click()
  await expectLetGo(SUBSCRIBE, BROKEN)
  expect(asked).toHaveLength(1)
})

describe('out of the back/forward cache', () => {
  /** After which nothing that was asked for before may come any more. */
  const outOfCache = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

  beforeEach(async () => {
    await press(SUBSCRIBE)
    await script(1)
    await outOfCache()
  })

  test('nothing is held, and the next press asks for the app anew', async () => {
    await expectHeld(SUBSCRIBE, false)
    expect(await seen(MISSING).count()).toBe(0)
    await SUBSCRIBE.button().click()
    await (await script(2)).continue()
    await expectSentOnce(SUBSCRIBE)
  })

  test('an earlier request that fails ends no later press', async () => {
    await SUBSCRIBE.button().click()
    await script(2)
    await drop(1)
    await expectHeld(SUBSCRIBE, true)
  })
})

test('before the app is there the dialog opens at a double click, closes and reopens', async () => {
  await contactUs().dblclick()
  await firstNameIsFocused()
  await dialog().getByRole('button', { name: TEXT.close }).click()
  await dialog().waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await firstNameIsFocused()
})

test('Enter that is held on Contact us opens the dialog, and submits nothing', async () => {
  await contactUs().focus()
  for (const _repeat of [1, 2, 3]) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await firstNameIsFocused()
  expect(await SUBMIT.button().getAttribute('aria-busy')).not.toBe('true')
})

test('the app is fetched 2 s after the page has loaded, and runs 6 s after it', async () => {
  await arriveOnClock()
  await page.clock.runFor(1999)
  expect(asked).toEqual([])
  await page.clock.runFor(1)
  await send(1)
  await page.clock.runFor(3999)
  expect(await page.evaluate(isTakenOver)).toBe(false)
  await page.clock.resume()
  await expect.poll(() => page.evaluate(isTakenOver)).toBe(true)
})

describe('the first sign of use', () => {
  beforeEach(arriveOnClock)

  async function touch(...points: { x: number; y: number }[][]) {
    const session = await page.context().newCDPSession(page)
    for (const touchPoints of points)
      await session.send('Input.dispatchTouchEvent', { type: touchPoints[0] ? 'touchStart' : 'touchEnd', touchPoints })
  }

  test.each<[sign: string, use: () => Promise<unknown>]>([
    ['a moving pointer', () => page.mouse.move(5, 5)],
    ['a tap', () => touch([{ x: 5, y: 5 }], [])],
    ['a key', () => page.keyboard.press('Shift')],
    ['the focus in a field', () => email().focus()],
  ])('runs the app: %s', async (_, use) => {
    await use()
    await send(1)
    // In all less than the six seconds after which it runs by itself.
    await expect.poll(() => page.clock.runFor(10).then(() => page.evaluate(isTakenOver))).toBe(true)
  })

  test('fetches the app while a finger still rests on the screen', async () => {
    await touch([{ x: 5, y: 5 }])
    await send(1)
  })
})

describe('a word that is being composed', () => {
  test('is not broken off by the app', async () => {
    const session = await page.context().newCDPSession(page)
    await contactUs().click()
    await firstNameIsFocused()
    // As an extension does, for which React renders the form anew.
    await firstName().evaluate((field) => field.closest('form')?.prepend('text'))
    const compose = (text: string) =>
      session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
    await compose('に')
    await send(1)
    await compose('にほん')
    expect(await page.evaluate(isTakenOver)).toBe(false)
    await session.send('Input.insertText', { text: '日本' })
    await appIsThere(page)
    expect(await firstName().inputValue()).toBe('日本')
  })

  test('holds no press, though its end is never told', async () => {
    await SUBSCRIBE.fill()
    await email().dispatchEvent('compositionstart')
    await SUBSCRIBE.button().click()
    await (await script(1)).continue()
    await expectSentOnce(SUBSCRIBE)
  })
})
