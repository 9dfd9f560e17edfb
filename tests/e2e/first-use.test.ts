import type { BrowserContextOptions, Page, Route } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { EnquiryField } from '../../src/domain/enquiry.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { localServer } from '../support/local-server.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'
import { listen } from '../support/page/listen.ts'
import { answerCalls, ENQUIRY, fillIn } from '../support/page/page-states.ts'
import { translate } from '../support/page/translate.ts'

const APP_FILES = '**/assets/*.js'
const THANKS = NOTIFICATION_TEXT.subscribed.summary

const site = browseBuiltSite()
let page: Page
/** What the browser complained of, violations of the policy among it. */
let complaints: string[]
/** The bodies of the calls. */
let posts: (string | null)[]

type Arrival = BrowserContextOptions & {
  /** Where only the beginning of the page arrives. */
  readonly unfinished?: string
  /** Of a host that serves the page for every path. */
  readonly path?: string
  /** What becomes of the requests for the app's files. */
  readonly appFiles?: (route: Route) => unknown
  readonly clock?: true
  /** Runs before the page's own. */
  readonly script?: () => void
}

async function arrive({ unfinished, path, appFiles, clock, script, ...options }: Arrival = {}) {
  page = await site.openPage(options)
  complaints = []
  posts = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData()))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      throw new Error(`violates ${violatedDirective}: ${blockedURI}`)
    })
  })
  if (script) await page.addInitScript(script)
  if (appFiles) await page.route(APP_FILES, appFiles)
  if (clock) await page.clock.install()
  // The page's clock is also that of the limits that the browser keeps.
  if (clock)
    await page.addInitScript(() => {
      AbortSignal.timeout = (ms) => {
        const limit = new AbortController()
        setTimeout(() => limit.abort(), ms)
        return limit.signal
      }
    })
  const url = unfinished ?? site.origin + (path ?? '')
  if (path) await page.route(url, async (route) => route.fulfill({ response: await route.fetch({ url: site.origin }) }))
  const response = await page.goto(url, { waitUntil: unfinished ? 'commit' : 'load' })
  if (clock) await page.clock.pauseAt(Date.now() + 60_000)
  return response
}

const refuse = (route: Route) => route.abort()

/** Opens the page with the app's files held back until the returned function is called, which waits for the app. */
async function arriveBeforeTheApp() {
  const released = Promise.withResolvers<void>()
  await arrive({ appFiles: (route) => released.promise.then(() => route.continue()) })
  return async () => {
    released.resolve()
    await appIsThere(page)
  }
}

const email = () => page.getByPlaceholder(TEXT.emailPlaceholder)
const subscribe = () => page.getByRole('button', { name: TEXT.subscribe })
const contactUs = () => page.getByRole('button', { name: TEXT.contactUs })
const dialog = () => page.getByRole('dialog', { name: TEXT.contactUs })
const field = (name: EnquiryField) => dialog().getByPlaceholder(TEXT[name])
const submit = () => dialog().getByRole('button', { name: TEXT.submit })
const saying = (text: string) => page.getByText(text, { exact: true })
const loading = () => page.getByText(TEXT.loading).filter({ visible: true })
const toasts = () => page.locator('[id^=toast-] > *').count()

/** The sentence that tells an outcome where the app can't be had. */
function told(outcome: keyof typeof NOTIFICATION_TEXT) {
  const { summary, detail } = NOTIFICATION_TEXT[outcome]
  return page.locator('[data-status-of=subscribe]', { hasText: `${summary} ${detail}` })
}
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('placeholder'))

async function enter(address: string) {
  await email().fill(address)
  await email().press('Enter')
}

const { first, last, message: msg } = ENQUIRY
const SENT_ENQUIRY = JSON.stringify({ name: { first, last }, email: ENQUIRY.email, msg })

async function submitEnquiry() {
  await fillIn(page, ENQUIRY)
  await submit().click()
}

/** Submit has ended in the red message, and neither button nor text is held. */
async function expectEnquiryFailed() {
  await dialog().getByText(ENQUIRY_TEXT.failed).waitFor()
  expect(await submit().getAttribute('aria-busy')).toBe('false')
  expect(await field('message').inputValue()).toBe(msg)
  expect(await field('message').isEditable()).toBe(true)
}

describe('before the app is there', () => {
  test('while the HTML still arrives, Enter sends, and is told after half a minute; Contact us opens the dialog in time', async () => {
    const html = await (await fetch(site.origin)).text()
    const end = html.indexOf('<dialog')
    const rest = Promise.withResolvers<void>()
    const { origin } = await localServer(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(html.slice(0, end))
      await rest.promise
      response.end(html.slice(end))
    })
    await arrive({ clock: true, appFiles: refuse, unfinished: origin })
    await answerCalls(page, { success: true, email_exists: false })
    await enter('ada@example.com')
    await expect.poll(() => posts).toEqual(['{"email":"ada@example.com"}'])
    await contactUs().click()
    expect(await dialog().count()).toBe(0)
    await page.clock.runFor(30_000)
    await told('subscribed').waitFor()
    expect(await subscribe().getAttribute('aria-busy')).toBe('false')
    rest.resolve()
    await dialog().waitFor()
    expect(await focused()).toBe(TEXT.first)
  })

  test('Enter, pressed twice, sends the typed address and the token at once and once; the app tells the outcome', async () => {
    const release = await arriveBeforeTheApp()
    await page.context().addCookies([{ name: 'XSRF-TOKEN', value: 'token', url: site.origin }])
    const answered = page.waitForResponse('**/api/subscribe')
    await enter(' enter@example.com ')
    await email().press('Enter')
    expect((await answered).request().headers()['x-xsrf-token']).toBe('token')
    expect(await subscribe().getAttribute('aria-busy')).toBe('true')
    expect(await saying(THANKS).count()).toBe(0)
    await release()
    await saying(THANKS).waitFor()
    expect(posts).toEqual(['{"email":"enter@example.com"}'])
    await expect.poll(() => subscribe().getAttribute('aria-busy')).toBe('false')
    expect(await email().inputValue()).toBe('')
    expect(page.url()).toBe(`${site.origin}/`)
    expect(complaints).toEqual([])
  })

  test('the call arrives though the visitor leaves directly after the press', async () => {
    await arrive({ appFiles: () => {} })
    await email().fill('leaving@example.com')
    await page.evaluate(() => {
      document.querySelector('form')?.requestSubmit()
      location.href = 'about:blank'
    })
    await expect.poll(() => site.rows('subscribers').map((row) => row.email)).toContain('leaving@example.com')
  })

  test('Contact us opens the dialog, which closes, opens again, and keeps all text, the caret and the focus', async () => {
    const release = await arriveBeforeTheApp()
    await email().fill('early@example.com')
    await contactUs().dblclick()
    expect(await focused()).toBe(TEXT.first)
    await page.keyboard.type('Aa')
    await dialog().getByRole('button', { name: TEXT.close }).click()
    await dialog().waitFor({ state: 'hidden' })
    expect(await contactUs().evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await field('first').press('ArrowLeft')
    const node = await field('first').elementHandle()
    await release()
    expect(await node?.evaluate((input) => input.isConnected && document.activeElement === input)).toBe(true)
    await page.keyboard.type('d')
    expect(await field('first').inputValue()).toBe('Ada')
    expect(await email().inputValue()).toBe('early@example.com')
    expect(complaints).toEqual([])
  })

  test.each([false, true])(
    'Submit leads to one enquiry of the text of the press, translated: %s',
    async (translated) => {
      const release = await arriveBeforeTheApp()
      if (translated) await page.evaluate(translate)
      await email().fill('typed@example.com')
      await submitEnquiry()
      await submit().click()
      expect(await submit().getAttribute('aria-busy')).toBe('true')
      await field('message').press('x')
      await loading().waitFor()
      expect(posts).toEqual([])
      await release()
      await dialog().getByText(ENQUIRY_TEXT.received).waitFor()
      expect(posts).toEqual([SENT_ENQUIRY])
      expect(await email().inputValue()).toBe('typed@example.com')
      expect(await submit().getAttribute('aria-busy')).not.toBe('true')
      expect(await loading().count()).toBe(0)
      if (!translated) expect(complaints).toEqual([])
    },
  )
})

test('on a page that a translator has changed the focus stays where it was, and returns to what opened the dialog', async () => {
  const release = await arriveBeforeTheApp()
  await page.evaluate(translate)
  await contactUs().click()
  await page.keyboard.press('Escape')
  await contactUs().focus()
  await release()
  expect(await contactUs().evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await dialog().waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => contactUs().evaluate((button) => button === document.activeElement)).toBe(true)
})

test('an invalid address is told at once, at its field, until it is edited; the app tells the rest of it', async () => {
  const release = await arriveBeforeTheApp()
  await page.evaluate(listen)
  await enter('plain')
  await saying(VALIDATION_TEXT.invalidEmail).waitFor()
  expect(await focused()).toBe(TEXT.emailPlaceholder)
  expect(await subscribe().getAttribute('aria-busy')).toBe('false')
  expect(await email().getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByRole('textbox', { description: VALIDATION_TEXT.invalidEmail }).count()).toBe(1)
  expect(await page.evaluate(() => window.heard()), 'the app says it').toEqual([])
  await email().press('x')
  expect(await saying(VALIDATION_TEXT.invalidEmail).count()).toBe(0)
  expect(await email().getAttribute('aria-invalid')).toBe('false')
  await email().press('Enter')
  await release()
  await saying(NOTIFICATION_TEXT.invalidEmail.summary).waitFor()
  expect(await saying(VALIDATION_TEXT.invalidEmail).count()).toBe(1)
  expect(await email().getAttribute('aria-invalid')).toBe('true')
  expect([posts, complaints]).toEqual([[], []])
})

describe('a page that was left, and comes back from the back/forward cache before the app is there,', () => {
  const comeBack = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

  test('waits for nothing, and tells the outcome of a new press alone', async () => {
    const release = await arriveBeforeTheApp()
    const calls: Route[] = []
    await page.route('**/api/subscribe', (route) => void calls.push(route))
    await enter('ada@example.com')
    await expect.poll(() => calls.length).toBe(1)
    await comeBack()
    expect(await subscribe().getAttribute('aria-busy')).toBe('false')
    expect(await email().isEditable()).toBe(true)

    await enter('ada@example.com')
    await expect.poll(() => calls.length).toBe(2)
    await release()
    await calls[0]?.fulfill({ json: { success: true, email_exists: false } })
    await calls[1]?.fulfill({ json: { success: true, email_exists: true } })
    await saying(NOTIFICATION_TEXT.alreadySubscribed.summary).waitFor()
    expect(await told('subscribed').count()).toBe(0)
    expect(posts).toHaveLength(2)
  })

  test('lets go of an enquiry that was not sent yet, with its text', async () => {
    await arrive({ appFiles: () => {} })
    await submitEnquiry()
    expect(await submit().getAttribute('aria-busy')).toBe('true')
    await comeBack()
    expect(await submit().getAttribute('aria-busy')).toBe('false')
    expect(await field('message').isEditable()).toBe(true)
    expect(await field('message').inputValue()).toBe(msg)
    expect(posts).toEqual([])
  })
})

describe('when the app can not be had', () => {
  test('a call that never settles has failed after its limit', async () => {
    await arrive({
      clock: true,
      appFiles: refuse,
      script: () => {
        const { fetch } = window
        window.fetch = (request) => (request instanceof Request ? new Promise(() => {}) : fetch(request))
      },
    })
    await enter('ada@example.com')
    await page.clock.runFor(10_000)
    await told('failed').waitFor()
    expect(await subscribe().getAttribute('aria-busy')).toBe('false')
  })

  test.each([
    ['subscribed', { success: true, email_exists: false }, ''],
    ['alreadySubscribed', { success: true, email_exists: true }, ''],
    ['failed', 500, 'ada@example.com'],
    ['failed', { success: 'yes' }, 'ada@example.com'],
  ] as const)('%s is told by one sentence, and a press tries again', async (outcome, answer, left) => {
    await arrive({ appFiles: refuse })
    await answerCalls(page, answer)
    for (const calls of [1, 2]) {
      await enter('ada@example.com')
      await told(outcome).waitFor()
      expect(posts).toEqual(Array(calls).fill('{"email":"ada@example.com"}'))
      expect(await email().inputValue()).toBe(left)
      expect(await subscribe().getAttribute('aria-busy')).toBe('false')
    }
    await page.unroute(APP_FILES)
    await contactUs().hover()
    await appIsThere(page)
    expect(await told(outcome).isVisible(), 'it stays until the next press').toBe(true)
    await answerCalls(page, { success: true, email_exists: false })
    await enter('grace@example.com')
    await saying(THANKS).waitFor()
    expect([await told(outcome).count(), posts.length]).toEqual([0, 3])
  })

  test('an address whose outcome is not known yet when the app comes at last is sent once, and told once', async () => {
    const refused = Promise.withResolvers<void>()
    await arrive({
      appFiles: async (route) => {
        await route.abort()
        refused.resolve()
      },
    })
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/subscribe', (route) =>
      answer.promise.then(() => route.fulfill({ json: { success: true, email_exists: false } })),
    )
    await enter('ada@example.com')
    await refused.promise
    await page.unroute(APP_FILES)
    await contactUs().hover()
    await appIsThere(page)
    answer.resolve()
    await expect.poll(async () => (await saying(THANKS).count()) + (await told('subscribed').count())).toBe(1)
    expect(posts).toHaveLength(1)
  })

  test('a button that waits says so after half a second; nothing waits for over half a minute; a second try works', async () => {
    await arrive({ clock: true, appFiles: () => {} })
    await answerCalls(page, 'never')
    await page.evaluate(listen)
    await enter('ada@example.com')
    await page.clock.runFor(499)
    expect(await loading().count()).toBe(0)
    await page.clock.runFor(1)
    expect(await loading().innerText()).toBe(TEXT.loading)
    await page.clock.runFor(1500)
    expect(await loading().locator('[aria-hidden=true]').innerText()).toBe('...')
    expect(await page.evaluate(() => window.heard())).toEqual([TEXT.loading])
    await submitEnquiry()
    await page.clock.runFor(500)
    expect(await page.evaluate(() => window.heard())).toEqual([TEXT.loading])
    await page.clock.runFor(28_000)
    await expectEnquiryFailed()
    await told('failed').waitFor()
    const { summary, detail } = NOTIFICATION_TEXT.failed
    expect((await page.evaluate(() => window.heard())).toSorted()).toEqual([
      `${summary} ${detail}`,
      ENQUIRY_TEXT.failed,
    ])
    expect(await loading().count()).toBe(0)
    expect(posts).toHaveLength(1)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    await contactUs().click()
    expect(await dialog().getByText(ENQUIRY_TEXT.failed).count()).toBe(0)

    await page.unroute(APP_FILES)
    await page.unroute('**/api/**')
    await page.clock.resume()
    await submit().click()
    await dialog().getByText(ENQUIRY_TEXT.received).waitFor()
    expect(posts.slice(1)).toEqual([SENT_ENQUIRY])
  })
})

describe('a fault of the app', () => {
  /** The heading, what happened, and a way on; reloaded, the page works. */
  async function expectFault() {
    await page.getByRole('alert').filter({ hasText: TEXT.fault }).first().waitFor()
    expect(await page.getByRole('heading', { name: TEXT.heading }).first().isVisible()).toBe(true)
    expect(await toasts()).toBe(0)
    await page.unroute(APP_FILES)
    await answerCalls(page, { success: true, email_exists: false })
    await page.getByRole('button', { name: TEXT.reload }).first().click()
    await enter('ada@example.com')
    await saying(THANKS).waitFor()
  }

  test('at its start is told in place of the page', async () => {
    await arrive({
      async appFiles(route) {
        const response = await route.fetch()
        const code = await response.text()
        const body = code.replace(/(?<=,)contactUs:([`"']).*?\1/, 'get contactUs(){throw new Error("fault")}')
        expect(body).not.toBe(code)
        await route.fulfill({ response, body })
      },
    })
    await contactUs().hover()
    await expectFault()
  })

  test('while it runs is told in place of the page', async () => {
    await arrive()
    await contactUs().hover()
    await appIsThere(page)
    // Nothing can render a notification without its place.
    await page.locator('#toast-alert').evaluate((element) => element.removeAttribute('id'))
    await enter('plain')
    await expectFault()
  })
})

test('an Enter that is held and a double click press once', async () => {
  await arrive()
  await contactUs().hover()
  await appIsThere(page)
  await answerCalls(page, { success: true, email_exists: false })
  await email().fill('ada@example.com')
  await subscribe().click()
  await saying(THANKS).waitFor()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  expect(await email().getAttribute('aria-invalid')).not.toBe('true')
  await email().fill('ada@example.com')
  await page.keyboard.down('Enter')
  await expect.poll(() => email().inputValue()).toBe('')
  await page.keyboard.down('Enter')
  expect(await email().getAttribute('aria-invalid')).not.toBe('true')
  expect(posts.length).toBe(2)
})

describe('the page as it is sent', () => {
  test('ends at the empty path, and runs nothing of the app, though it lies ready, until somebody touches it', async () => {
    await arrive({ path: '/some/path?from=mail' })
    await (await page.waitForResponse(APP_FILES)).finished()
    expect(await page.evaluate(() => Object.keys(document.querySelector('main') ?? {}))).toEqual([])
    await contactUs().hover()
    await appIsThere(page)
    expect(page.url()).toBe(`${site.origin}/?from=mail`)
    expect(complaints).toEqual([])
  })

  test('keeps its policy through hydration, toast and dialog without a complaint', async () => {
    const response = await arrive()
    const policy = (await response?.headerValue('content-security-policy')) ?? ''
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
    await enter('no address')
    await saying(NOTIFICATION_TEXT.invalidEmail.summary).waitFor()
    await contactUs().click()
    await dialog().waitFor()
    const panel = dialog().locator('#contact > :last-child')
    expect(await panel.evaluate((element) => getComputedStyle(element).borderRadius)).not.toBe('0px')
    expect(complaints).toEqual([])
  })
})
