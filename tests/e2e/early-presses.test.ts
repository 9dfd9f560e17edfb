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

/** After which nothing that was asked for before may come any more. */
const outOfCache = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

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
    button: () => page.getByRole('button', { name: TEXT.subscribe }),
    post: JSON.stringify({ email: ENQUIRY.email }),
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

test("a held press says 'Loading' after half a second, with dots that are only seen; it is let go where the script fails or takes 30 s, which a sentence says, or the page comes out of the back/forward cache; the next one asks anew, and whatever comes late, one app starts", async () => {
  const form = FORMS.Submit
  await arriveOnClock()
  await form.fill()
  const drop = async (attempt: number) => {
    const failed = page.waitForEvent('requestfailed')
    await (await script(attempt)).abort()
    await failed
  }
  const after30Seconds = async () => {
    await page.clock.runFor(499)
    expect(await loading().count()).toBe(0)
    await page.clock.runFor(1)
    for (const dots of ['', '.', '..', '...', '']) {
      expect(await loading().innerText()).toBe(TEXT.loading + dots)
      expect(await loading().ariaSnapshot()).toBe(`- paragraph: ${TEXT.loading}`)
      await page.clock.runFor(500)
    }
    await page.clock.runFor(29_999 - 3000)
    await expectHeld(form, true)
    await page.clock.runFor(1)
  }
  const WAYS: [letGo: () => Promise<unknown>, sentences: number][] = [
    [() => drop(1), 1],
    [after30Seconds, 1],
    [outOfCache, 0],
  ]
  for (const [before, [letGo, sentences]] of WAYS.entries()) {
    await form.button().click()
    await script(before + 1)
    await expectHeld(form, true)
    expect(await seen(ENQUIRY_TEXT.failed).count()).toBe(0)
    await letGo()
    await expect.poll(() => seen(ENQUIRY_TEXT.failed).count()).toBe(sentences)
    await expectHeld(form, false)
    expect(await form.field().inputValue()).toBe(ENQUIRY.first)
    expect(await loading().count()).toBe(0)
  }
  expect(posts).toEqual([])

  await form.button().click()
  const [slow, last] = [await script(2), await script(4)]
  await drop(3)
  await expectHeld(form, true)
  await page.clock.resume()
  for (const late of [slow, last]) await late.continue()
  await expectSentOnce(form)
  for (const late of [slow, last]) await (await late.request().response())?.finished()
  await page.keyboard.press('Escape')
  await FORMS.Subscribe.fill()
  await FORMS.Subscribe.button().click()
  await expect.poll(() => email().inputValue()).toBe('')
  expect(posts).toHaveLength(2)
})

test('that the app can not be had is announced, each time, moves nothing on a phone, and stays to be read when it comes without a press, until the next press', async () => {
  await page.setViewportSize({ width: 390, height: 700 })
  await page.goto(site.origin)
  const places = async () =>
    Promise.all((await page.locator('h1, main form, main button').all()).map((part) => part.boundingBox()))
  const atRest = await places()
  const heard = await page.evaluateHandle(listen)
  for (const attempt of [1, 2]) {
    await FORMS.Subscribe.button().click()
    await (await script(attempt)).abort()
    await seen(ENQUIRY_TEXT.failed).waitFor()
    expect(await heard.evaluate((sinceLast) => sinceLast())).toEqual([ENQUIRY_TEXT.failed])
    expect(await places()).toEqual(atRest)
  }
  // The page's own two seconds may be over by now.
  await page.keyboard.press('Shift')
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

test('the script is asked for 2 s after the page has loaded, or by each sign of use, once and not before', async () => {
  await arriveOnClock()
  await page.clock.runFor(1999)
  expect(asked).toEqual([])
  const SIGNS = [
    () => page.clock.runFor(1),
    () => page.mouse.move(5, 5),
    // As by a finger, which moves no pointer before.
    () => page.mouse.down(),
    () => page.keyboard.press('Shift'),
    () => email().focus(),
  ]
  for (const [before, use] of SIGNS.entries()) {
    await use()
    await script(before + 1)
    await page.clock.runFor(2000)
    expect(asked).toHaveLength(before + 1)
    await outOfCache()
  }
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
