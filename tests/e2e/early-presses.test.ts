import type { Page, Route } from 'playwright'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { localServer } from '../support/local-server.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'
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
})

/** Opens the page on a clock that stands still. */
async function arriveOnClock() {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  // The clock is that of all pages of this visitor.
  onTestFinished(() => page.clock.resume())
  await page.goto(site.origin)
}

/** After which nothing that was asked for before may come any more. */
const outOfCache = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

const script = (attempt: number) => until(() => asked[attempt - 1])
const email = () => page.getByPlaceholder(TEXT.emailPlaceholder)
const contactUs = () => page.getByRole('button', { name: TEXT.contactUs })
const dialog = () => page.getByRole('dialog', { name: TEXT.contactUs })
const firstName = () => dialog().getByPlaceholder(TEXT.first)
const seen = (text: string) => page.getByText(text, { exact: true }).filter({ visible: true })
const loading = () => page.getByText(TEXT.loading).filter({ visible: true })
/** Whether React has taken the dialog's part of the page over, which it does last. */
const isAnswered = () =>
  page
    .locator('#contact input')
    .first()
    .evaluate((field) => Object.keys(field).some((key) => key.startsWith('__reactFiber')))
const isFocused = (placeholder: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toBe(placeholder)

const ENQUIRY = anEnquiry()
const FORMS = {
  Subscribe: {
    fill: () => email().fill(ENQUIRY.email),
    field: email,
    button: () => page.getByRole('button', { name: TEXT.subscribe }),
    post: JSON.stringify(subscriptionOf(ENQUIRY.email)),
    outcome: NOTIFICATION_TEXT.subscribed.summary,
  },
  Submit: {
    fill: () => fillIn(page, ENQUIRY),
    field: firstName,
    button: () => dialog().getByRole('button', { name: TEXT.submit }),
    post: JSON.stringify(bodyOf(ENQUIRY)),
    outcome: ENQUIRY_TEXT.received,
  },
}
type Form = (typeof FORMS)[keyof typeof FORMS]

async function expectHeld({ button, field }: Form, held: boolean) {
  await expect.poll(() => button().getAttribute('aria-busy')).toBe(String(held))
  expect(await field().isEditable()).toBe(!held)
}

async function expectSentOnce({ post, outcome, button }: Form) {
  await seen(outcome).waitFor()
  await expect.poll(() => button().getAttribute('aria-busy')).toBe('false')
  expect(posts).toEqual([post])
}

test('presses of both forms, by Enter and by click, are made once when the app answers', async () => {
  await page.goto(site.origin)
  for (const form of [FORMS.Submit, FORMS.Subscribe]) {
    await form.fill()
    for (const press of [() => form.field().press('Enter'), () => form.button().click()]) {
      await press()
      await expectHeld(form, true)
    }
    await page.keyboard.press('Escape')
  }
  expect(posts).toEqual([])
  await (await script(1)).continue()
  await expect.poll(() => posts.toSorted()).toEqual([FORMS.Subscribe.post, FORMS.Submit.post].toSorted())
  await expectHeld(FORMS.Subscribe, false)
  expect(asked).toHaveLength(1)
})

test("a held press says 'Loading' after half a second, with dots that are only seen", async () => {
  await arriveOnClock()
  await FORMS.Submit.fill()
  await FORMS.Submit.button().click()
  await page.clock.runFor(499)
  expect(await loading().count()).toBe(0)
  await page.clock.runFor(1)
  for (const dots of ['', '.', '..', '...', '']) {
    expect(await loading().innerText()).toBe(TEXT.loading + dots)
    expect(await loading().ariaSnapshot()).toBe(`- paragraph: ${TEXT.loading}`)
    await page.clock.runFor(500)
  }
})

/** Drops the request of an attempt. */
async function drop(attempt: number) {
  const failed = page.waitForEvent('requestfailed')
  await (await script(attempt)).abort()
  await failed
}

async function expectLetGo(form: Form, sentence: string) {
  await seen(sentence).waitFor()
  await expectHeld(form, false)
  expect(await form.field().inputValue()).not.toBe('')
  expect(await loading().count()).toBe(0)
  expect(posts).toEqual([])
}

test.each(Object.entries(FORMS))('%s that the app fails is let go, and the next press tries again', async (_, form) => {
  await page.goto(site.origin)
  await form.fill()
  await form.button().click()
  await drop(1)
  await expectLetGo(form, ENQUIRY_TEXT.failed)
  await form.button().click()
  await expectHeld(form, true)
  expect(await seen(ENQUIRY_TEXT.failed).count()).toBe(0)
  await (await script(2)).continue()
  await expectSentOnce(form)
})

test.each(Object.entries(FORMS))('a second failure of %s offers to load the page again', async (_, form) => {
  await page.goto(site.origin)
  await form.fill()
  for (const attempt of [1, 2]) {
    await form.button().click()
    await drop(attempt)
    await expectHeld(form, false)
  }
  await expectLetGo(form, `${TEXT.fault} ${TEXT.reload}`)
  await page.unrouteAll()
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: TEXT.reload }).click()])
  await appIsThere(page)
})

const BROKEN = {
  'while it is evaluated': 'throw new Error("at fault")',
  'in start()': 'export const start = () => boom()',
}

test.each(Object.entries(BROKEN))('an app that throws %s offers to load the page again', async (_, body) => {
  await page.goto(site.origin)
  await FORMS.Subscribe.fill()
  for (const _press of [1, 2]) {
    await FORMS.Subscribe.button().click()
    if (_press === 1) await (await script(1)).fulfill({ body, contentType: 'text/javascript' })
    await expectLetGo(FORMS.Subscribe, `${TEXT.fault} ${TEXT.reload}`)
  }
  expect(asked).toHaveLength(1)
})

test('on a slow line a press waits 30 s, and none asks for the app anew', async () => {
  const form = FORMS.Submit
  await arriveOnClock()
  await form.fill()
  for (const sentence of [ENQUIRY_TEXT.failed, `${TEXT.fault} ${TEXT.reload}`]) {
    await form.button().click()
    await page.clock.runFor(29_999)
    await expectHeld(form, true)
    await page.clock.runFor(1)
    await expectLetGo(form, sentence)
  }
  await form.button().click()
  await page.clock.resume()
  await (await script(1)).continue()
  await expectSentOnce(form)
  expect(asked).toHaveLength(1)
})

test('out of the back/forward cache nothing is held, and the next press asks anew', async () => {
  const form = FORMS.Subscribe
  await page.goto(site.origin)
  await form.fill()
  await form.button().click()
  await script(1)
  await outOfCache()
  await expectHeld(form, false)
  expect(await seen(ENQUIRY_TEXT.failed).count()).toBe(0)
  await form.button().click()
  for (const attempt of [2, 1]) await (await script(attempt)).continue()
  await expectSentOnce(form)
})

test('what was asked for before the back/forward cache fails without ending a later press', async () => {
  const form = FORMS.Subscribe
  await page.goto(site.origin)
  await form.fill()
  await form.button().click()
  await script(1)
  await outOfCache()
  await form.button().click()
  await script(2)
  await drop(1)
  await expectHeld(form, true)
  await (await script(2)).continue()
  await expectSentOnce(form)
})

test('that the app can not be had is announced, each time, and moves nothing on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 700 })
  await page.goto(site.origin)
  const places = async () =>
    Promise.all((await page.locator('h1, main form, main button').all()).map((part) => part.boundingBox()))
  const atRest = await places()
  const heard = await page.evaluateHandle(listen)
  await FORMS.Subscribe.button().click()
  await drop(1)
  await seen(ENQUIRY_TEXT.failed).waitFor()
  expect(await places()).toEqual(atRest)
  await FORMS.Subscribe.button().click()
  await drop(2)
  await seen(`${TEXT.fault} ${TEXT.reload}`).waitFor()
  const told = await heard.evaluate((sinceLast) => sinceLast())
  expect(told).toEqual([ENQUIRY_TEXT.failed, `${TEXT.fault} ${TEXT.reload}`])
})

test('a failure stays to be read when the app comes without a press, until the next press', async () => {
  await page.goto(site.origin)
  await FORMS.Subscribe.button().click()
  await drop(1)
  await seen(ENQUIRY_TEXT.failed).waitFor()
  await page.keyboard.press('Shift')
  await (await script(2)).continue()
  await appIsThere(page)
  expect(await seen(ENQUIRY_TEXT.failed).count()).toBe(1)
  await FORMS.Subscribe.fill()
  await FORMS.Subscribe.button().click()
  await expectSentOnce(FORMS.Subscribe)
  expect(await seen(ENQUIRY_TEXT.failed).count()).toBe(0)
})

test('before the app is there the dialog opens and closes; text, focus, caret and a press of the mask outlive its arrival', async () => {
  await page.goto(site.origin)
  await email().fill('early@example.com')
  await contactUs().dblclick()
  await isFocused(TEXT.first)
  await page.keyboard.type('Aa')
  await dialog().getByRole('button', { name: TEXT.close }).click()
  await dialog().waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await isFocused(TEXT.first)
  await firstName().press('ArrowLeft')
  await page.mouse.move(10, 10)
  await page.mouse.down()
  await (await script(1)).continue()
  await appIsThere(page)
  await page.keyboard.type('d')
  expect([await firstName().inputValue(), await email().inputValue()]).toEqual(['Ada', 'early@example.com'])
  await page.mouse.up()
  await dialog().waitFor({ state: 'hidden' })
})

test('the script is fetched 2 s after the page has loaded, and runs 6 s after it', async () => {
  await arriveOnClock()
  await page.clock.runFor(1999)
  expect(asked).toEqual([])
  await page.clock.runFor(1)
  const fetched = page.waitForEvent('requestfinished', (request) => request.url().endsWith('.js'))
  await (await script(1)).continue()
  await fetched
  await page.clock.runFor(3999)
  expect(await isAnswered()).toBe(false)
  await page.clock.resume()
  await expect.poll(isAnswered).toBe(true)
})

test.each<[sign: string, use: () => Promise<unknown>]>([
  ['a moving pointer', () => page.mouse.move(5, 5)],
  ['a tap', () => page.touchscreen.tap(5, 5)],
  ['a key', () => page.keyboard.press('Shift')],
  ['the focus in a field', () => email().focus()],
])('%s fetches and runs the app', async (_, use) => {
  page = await site.openPage({ hasTouch: true })
  await page.goto(site.origin)
  await use()
  await appIsThere(page)
})

test('a word that is being composed is not broken off by the app', async () => {
  await page.goto(site.origin)
  const session = await page.context().newCDPSession(page)
  await contactUs().click()
  await isFocused(TEXT.first)
  await firstName().evaluate((field) => field.closest('form')?.prepend('as of an extension'))
  const compose = (text: string) =>
    session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  await compose('に')
  const fetched = page.waitForEvent('requestfinished', (request) => request.url().includes('.js'))
  await (await script(1)).continue()
  await fetched
  for (const text of ['にほ', 'にほん']) await compose(text)
  expect(await isAnswered()).toBe(false)
  await session.send('Input.insertText', { text: '日本' })
  await appIsThere(page)
  await page.keyboard.type('!')
  expect(await firstName().inputValue()).toBe('日本!')
})

test('Enter that is held on Contact us opens the dialog, and submits nothing', async () => {
  await page.goto(site.origin)
  await contactUs().focus()
  for (const _repeat of [1, 2, 3]) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await isFocused(TEXT.first)
  expect(await FORMS.Submit.button().getAttribute('aria-busy')).not.toBe('true')
})

test('a held enquiry that turns out invalid is told after the dialog was closed', async () => {
  await page.goto(site.origin)
  await fillIn(page, { ...ENQUIRY, email: 'plain' })
  await FORMS.Submit.button().click()
  await page.keyboard.press('Escape')
  await (await script(1)).continue()
  await page.getByText(ENQUIRY_TEXT.notSent).waitFor()
  expect(posts).toEqual([])
})

test('a composition whose end is never told holds no press', async () => {
  await page.goto(site.origin)
  await FORMS.Subscribe.fill()
  await email().dispatchEvent('compositionstart')
  await FORMS.Subscribe.button().click()
  await (await script(1)).continue()
  await expectSentOnce(FORMS.Subscribe)
})

test('while the HTML still arrives, Contact us opens the dialog in time, and Subscribe is held', async () => {
  const html = await (await fetch(site.origin)).text()
  const end = html.indexOf('<dialog')
  const rest = Promise.withResolvers<void>()
  const { origin } = await localServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write(html.slice(0, end))
    await rest.promise
    response.end(html.slice(end))
  })
  await page.goto(origin, { waitUntil: 'commit' })
  await FORMS.Subscribe.fill()
  await FORMS.Subscribe.button().click()
  await contactUs().click()
  await expectHeld(FORMS.Subscribe, true)
  expect(await dialog().count()).toBe(0)
  rest.resolve()
  await isFocused(TEXT.first)
  expect(new URL((await script(1)).request().url()).search).toBe('')
})
