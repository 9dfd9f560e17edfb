import type { Page, Route } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf } from '../support/enquiries.ts'
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
  await page.goto(site.origin)
}

const script = (attempt: number) => until(() => asked[attempt - 1])
const email = () => page.getByPlaceholder(TEXT.emailPlaceholder)
const contactUs = () => page.getByRole('button', { name: TEXT.contactUs })
const dialog = () => page.getByRole('dialog', { name: TEXT.contactUs })
const firstName = () => dialog().getByPlaceholder(TEXT.first)
const seen = (text: string) => page.getByText(text, { exact: true }).filter({ visible: true })
const loading = () => page.getByText(TEXT.loading).filter({ visible: true })
const isFocused = (placeholder: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toBe(placeholder)

const ENQUIRY = anEnquiry()
const FORMS = {
  Subscribe: {
    fill: () => email().fill(ENQUIRY.email),
    field: email,
    text: ENQUIRY.email,
    button: () => page.getByRole('button', { name: TEXT.subscribe }),
    post: JSON.stringify({ email: ENQUIRY.email }),
    outcome: NOTIFICATION_TEXT.subscribed.summary,
  },
  Submit: {
    fill: () => fillIn(page, ENQUIRY),
    field: firstName,
    text: ENQUIRY.first,
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

test('presses of both forms, by Enter and by clicks, are held, and made once, in their order, when the app answers', async () => {
  await page.goto(site.origin)
  const order = await page.evaluateHandle(() => {
    const pressed: unknown[] = []
    addEventListener('submit', ({ target }) => pressed.push(target instanceof HTMLFormElement && target.name))
    return pressed
  })
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
  expect(await order.jsonValue()).toEqual(['contact', 'subscribe'])
  await expectHeld(FORMS.Subscribe, false)
  expect(asked).toHaveLength(1)
})

test("a held press says 'Loading' after half a second, and moves dots that are only seen, until the app answers", async () => {
  const form = FORMS.Submit
  await arriveOnClock()
  await form.fill()
  await form.button().click()
  await page.clock.runFor(499)
  expect(await loading().count()).toBe(0)
  await page.clock.runFor(1)
  for (const dots of ['', '.', '..', '...', '']) {
    expect(await loading().innerText()).toBe(TEXT.loading + dots)
    expect(await loading().ariaSnapshot()).toBe(`- paragraph: ${TEXT.loading}`)
    await page.clock.runFor(500)
  }
  await page.clock.resume()
  await (await script(1)).continue()
  await expectSentOnce(form)
  expect(await loading().count()).toBe(0)
})

const dropFirstScript = async () => {
  const failed = page.waitForEvent('requestfailed')
  await (await script(1)).abort()
  await failed
}

const lateFailureIsIgnored = async () => {
  await dropFirstScript()
  await expectHeld(FORMS.Submit, true)
}

const outOfCache = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

const after30Seconds = async () => {
  await page.clock.runFor(29_999)
  await expectHeld(FORMS.Submit, true)
  await page.clock.runFor(1)
}

test.each<[keyof typeof FORMS, string, () => Promise<unknown>, count: number, later: () => Promise<unknown>]>([
  ['Subscribe', 'where the script fails, and a sentence says so', dropFirstScript, 1, async () => {}],
  ['Submit', 'after 30 s, and a sentence says so', after30Seconds, 1, async () => (await script(1)).continue()],
  ['Submit', 'where the page comes back out of the back/forward cache', outOfCache, 0, lateFailureIsIgnored],
])('of %s a press is let go %s; the next one asks anew, and starts one app', async (name, _, letGo, count, later) => {
  const form = FORMS[name]
  await arriveOnClock()
  await form.fill()
  await form.button().click()
  await script(1)
  await letGo()
  await expect.poll(() => seen(ENQUIRY_TEXT.failed).count()).toBe(count)
  await expectHeld(form, false)
  expect(await form.field().inputValue()).toBe(form.text)
  expect(posts).toEqual([])

  await form.button().click()
  const second = await script(2)
  await expectHeld(form, true)
  expect(await seen(ENQUIRY_TEXT.failed).count()).toBe(0)
  await later()
  await page.clock.resume()
  await second.continue()
  await expectSentOnce(form)
  for (const attempt of asked) await (await attempt.request().response())?.finished()
  await page.keyboard.press('Escape')
  await FORMS.Subscribe.fill()
  await FORMS.Subscribe.button().click()
  await expect.poll(() => email().inputValue()).toBe('')
  expect(posts).toHaveLength(2)
})

test('that the app can not be had is announced, each time, and stays to be read when it comes by itself, until the next press', async () => {
  await page.goto(site.origin)
  const heard = await page.evaluateHandle(listen)
  for (const attempt of [1, 2]) {
    await FORMS.Subscribe.button().click()
    await (await script(attempt)).abort()
    await expect.poll(() => heard.evaluate((sinceLast) => sinceLast())).toEqual([ENQUIRY_TEXT.failed])
  }
  await (await script(3)).continue()
  // The form of the dialog has none: there the app has taken its texts away.
  await page.waitForFunction(() => !document.querySelector('dialog [data-failure]'))
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

test.each([
  ['button', {}],
  ['div', { role: 'button' }],
  ['input', { type: 'checkbox' }],
])('a press that nobody foresaw, of a %s %j, is held, and made once when the app answers', async (tag, attributes) => {
  await page.goto(site.origin)
  const other = await page.evaluateHandle(
    ([tag, attributes]) => {
      const element = Object.assign(document.createElement(tag), attributes, { textContent: 'Other' })
      element.addEventListener('click', () => element.append(' pressed'))
      document.body.prepend(element)
      return element
    },
    [tag, attributes] as const,
  )
  for (const _ of [1, 2]) await other.click()
  expect([await other.textContent(), await other.getAttribute('aria-busy')]).toEqual(['Other', 'true'])
  await (await script(1)).continue()
  await expect.poll(() => other.textContent()).toBe('Other pressed')
  expect(await other.getAttribute('aria-busy')).toBe('false')
})

test.each([
  ['a pointer that moves', () => page.mouse.move(5, 5)],
  ['a key', () => page.keyboard.press('Shift')],
  ['the focus', () => email().focus()],
  ['2 s after the page has loaded', () => page.clock.runFor(1)],
])('the script is asked for once, by %s, and not before', async (_, use) => {
  await arriveOnClock()
  await page.clock.runFor(1999)
  expect(asked).toEqual([])
  await use()
  await script(1)
  await page.clock.runFor(2000)
  expect(asked).toHaveLength(1)
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
