import type { BrowserContextOptions, Page, Route } from 'playwright'
import { preview } from 'vite'
import { describe, expect, test } from 'vitest'
import { answerCalls } from '../../scripts/page-states.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'

const APP_FILES = '**/assets/*.js'
const THANKS = ENQUIRY_TEXT.received
const OOPS = ENQUIRY_TEXT.failed

const site = browseBuiltSite()
let page: Page
let complaints: string[]

/** A new visitor, whose browser's complaints are kept, the policy's violations among them. */
async function arrive(options: BrowserContextOptions = {}) {
  page = await site.openPage(options)
  complaints = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      throw new Error(`violates ${violatedDirective}: ${blockedURI}`)
    })
  })
}

/** Opens the page with the app's files held back until the returned function is called, which waits for the app. */
async function arriveBeforeTheApp() {
  await arrive()
  const released = Promise.withResolvers<void>()
  await page.route(APP_FILES, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto(site.origin)
  return async () => {
    released.resolve()
    await appIsThere(page)
  }
}

const refuse = (route: Route) => route.abort()

async function arriveWithoutTheApp() {
  await arrive()
  await page.route(APP_FILES, refuse)
  await page.goto(site.origin)
}

function postsOf(path: string): string[] {
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(path)) bodies.push(request.postData() ?? '')
  })
  return bodies
}

const email = () => page.getByPlaceholder(TEXT.emailPlaceholder)
const subscribe = () => page.getByRole('button', { name: TEXT.subscribe })
const contactUs = () => page.getByRole('button', { name: TEXT.contactUs })
const dialog = () => page.getByRole('dialog', { name: TEXT.contactUs })
const field = (placeholder: string) => dialog().getByPlaceholder(placeholder)
const submit = () => dialog().getByRole('button', { name: TEXT.submit })
const saying = (text: string) => page.getByText(text, { exact: true })
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('placeholder'))

async function writeEnquiry() {
  await contactUs().click()
  for (const [placeholder, text] of [
    [TEXT.first, 'Ada'],
    [TEXT.last, 'Lovelace'],
    [TEXT.email, 'ada@example.com'],
    [TEXT.message, 'When do you start?'],
  ] as const)
    await field(placeholder).fill(text)
}
const ENQUIRY = '{"name":{"first":"Ada","last":"Lovelace"},"email":"ada@example.com","msg":"When do you start?"}'

describe('before the app is there', () => {
  test('typed text survives its arrival, and the focus stays', async () => {
    const release = await arriveBeforeTheApp()
    await email().click()
    await page.keyboard.type('early@exam')
    await release()
    await page.keyboard.type('ple.com')
    expect(await email().inputValue()).toBe('early@example.com')
    expect(complaints).toEqual([])
  })

  test('Enter, pressed twice, sends the typed address at once and once; the app tells the outcome', async () => {
    const release = await arriveBeforeTheApp()
    const posts = postsOf('/api/subscribe')
    await email().fill(' enter@example.com ')
    const answered = page.waitForResponse('**/api/subscribe')
    await email().press('Enter')
    await email().press('Enter')
    await answered
    expect(await subscribe().getAttribute('aria-busy')).toBe('true')
    expect(await saying(NOTIFICATION_TEXT.subscribed.summary).count()).toBe(0)
    await release()
    await saying(NOTIFICATION_TEXT.subscribed.summary).waitFor()
    expect(posts).toEqual(['{"email":"enter@example.com"}'])
    await expect.poll(() => subscribe().getAttribute('aria-busy')).toBe('false')
    expect(await email().inputValue()).toBe('')
    expect(new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
  })

  test('the early call is the one that the app would send: token, body and headers', async () => {
    const requests: Record<string, unknown>[] = []
    for (const early of [true, false]) {
      await arrive()
      await page.context().addCookies([{ name: 'XSRF-TOKEN', value: 'a%20token', url: site.origin }])
      await answerCalls(page, { success: false })
      if (early) await page.route(APP_FILES, refuse)
      await page.goto(site.origin)
      if (!early) {
        await contactUs().hover()
        await appIsThere(page)
      }
      const sent = page.waitForRequest('**/api/subscribe')
      await email().fill('ada@example.com')
      await email().press('Enter')
      const request = await sent
      requests.push({ headers: await request.allHeaders(), method: request.method(), body: request.postData() })
    }
    expect(requests[0]).toEqual(requests[1])
    expect(requests[0]).toMatchObject({ headers: { 'x-xsrf-token': 'a token' } })
  })

  test('the call arrives though the visitor leaves directly after the press', async () => {
    await arriveBeforeTheApp()
    await email().fill('leaving@example.com')
    await page.evaluate(() => {
      document.querySelector('form')?.requestSubmit()
      location.href = 'about:blank'
    })
    await page.waitForURL('about:blank')
    await page.goto(site.origin)
    await page.unroute(APP_FILES)
    await expect
      .poll(async () => {
        const answer = await fetch(`${site.origin}/api/subscribe`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Origin: site.origin },
          body: '{"email":"leaving@example.com"}',
        })
        return answer.json()
      })
      .toMatchObject({ email_exists: true })
  })

  test('the loading text stands beside a button that is held for more than half a second', async () => {
    await arrive()
    await page.clock.install()
    await answerCalls(page, 'never')
    await page.route(APP_FILES, () => {})
    await page.goto(site.origin)
    await email().fill('ada@example.com')
    await page.clock.pauseAt(Date.now() + 60_000)
    await email().press('Enter')
    await page.clock.runFor(499)
    expect(await page.getByText(TEXT.loading).count()).toBe(0)
    await page.clock.runFor(1)
    const text = page.getByText(TEXT.loading)
    expect(await text.innerText()).toBe(TEXT.loading)
    await page.clock.runFor(1500)
    expect(await text.innerText()).toBe(`${TEXT.loading}...`)
    expect(await text.locator('[aria-hidden=true]').innerText()).toBe('...')
  })
})

describe('a click on Contact us before the app is there', () => {
  test('opens the dialog, which closes, opens again, and keeps its text, the caret and the focus', async () => {
    const release = await arriveBeforeTheApp()
    await contactUs().dblclick()
    expect(await focused()).toBe(TEXT.first)
    await page.keyboard.type('Aa')
    await dialog().getByRole('button', { name: TEXT.close }).click()
    await dialog().waitFor({ state: 'hidden' })
    expect(await contactUs().evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await field(TEXT.first).press('ArrowLeft')
    const node = await field(TEXT.first).elementHandle()
    await release()
    expect(await node?.evaluate((input) => input.isConnected && document.activeElement === input)).toBe(true)
    await page.keyboard.type('d')
    expect(await field(TEXT.first).inputValue()).toBe('Ada')
    expect(complaints).toEqual([])
  })

  test('leads to one enquiry, sent when the app is there with the text of the press', async () => {
    const release = await arriveBeforeTheApp()
    const posts = postsOf('/api/contact-us')
    await writeEnquiry()
    await submit().click()
    await submit().click()
    expect(await submit().getAttribute('aria-busy')).toBe('true')
    await field(TEXT.message).press('x')
    await dialog().getByText(TEXT.loading).waitFor()
    expect(posts).toEqual([])
    await release()
    await dialog().getByText(THANKS).waitFor()
    expect(posts).toEqual([ENQUIRY])
    expect(await submit().getAttribute('aria-busy')).not.toBe('true')
    expect(await page.getByText(TEXT.loading).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('opens nothing else on a page that nobody touches, though the app lies ready', async () => {
    await arrive()
    const fetched = page.waitForResponse(APP_FILES)
    await page.goto(site.origin)
    await (await fetched).finished()
    expect(await page.evaluate(() => Object.keys(document.querySelector('main') ?? {}))).toEqual([])
    await contactUs().hover()
    await appIsThere(page)
  })
})

describe('when the app can not be had', () => {
  test.each([
    [NOTIFICATION_TEXT.subscribed.summary, { success: true, email_exists: false }, ''],
    [NOTIFICATION_TEXT.alreadySubscribed.summary, { success: true, email_exists: true }, ''],
    [NOTIFICATION_TEXT.failed.summary, 500, 'ada@example.com'],
  ] as const)("a subscription is sent, and its outcome told: '%s'", async (summary, answer, left) => {
    await arriveWithoutTheApp()
    await answerCalls(page, answer)
    await page.route(APP_FILES, refuse)
    const posts = postsOf('/api/subscribe')
    await email().fill('ada@example.com')
    await email().press('Enter')
    await saying(summary).waitFor()
    expect(posts).toEqual(['{"email":"ada@example.com"}'])
    expect(await email().inputValue()).toBe(left)
    expect(await subscribe().getAttribute('aria-busy')).toBe('false')
  })

  test('an address that is none is told, and the message can be closed', async () => {
    await arriveWithoutTheApp()
    await email().fill('plain')
    await email().press('Enter')
    await saying(NOTIFICATION_TEXT.invalidEmail.summary).waitFor()
    await page.getByRole('button', { name: TEXT.close }).click()
    expect(await saying(NOTIFICATION_TEXT.invalidEmail.summary).count()).toBe(0)
    expect(await focused()).toBe(TEXT.emailPlaceholder)
    const sentence = page.locator('main').getByText(VALIDATION_TEXT.invalidEmail)
    expect(await sentence.isVisible()).toBe(true)
    expect(await email().getAttribute('aria-describedby')).toBe(await sentence.getAttribute('id'))
    await email().press('x')
    expect(await sentence.isVisible()).toBe(false)
  })

  test('a thank-you ends after its 3 seconds, which the pointer starts anew', async () => {
    await arrive()
    await page.clock.install()
    await page.route(APP_FILES, refuse)
    await page.goto(site.origin)
    await email().fill(`${crypto.randomUUID()}@example.com`)
    await email().press('Enter')
    await saying(NOTIFICATION_TEXT.subscribed.summary).waitFor()
    await page.clock.pauseAt(Date.now() + 60_000)
    await email().fill(`${crypto.randomUUID()}@example.com`)
    await email().press('Enter')
    await page.clock.runFor(500)
    await saying(NOTIFICATION_TEXT.subscribed.summary).waitFor()
    await saying(NOTIFICATION_TEXT.subscribed.summary).hover()
    await page.clock.runFor(9000)
    expect(await saying(NOTIFICATION_TEXT.subscribed.summary).isVisible()).toBe(true)
    await page.mouse.move(0, 0)
    await page.clock.runFor(2999)
    expect(await saying(NOTIFICATION_TEXT.subscribed.summary).isVisible()).toBe(true)
    await page.clock.runFor(1)
    expect(await saying(NOTIFICATION_TEXT.subscribed.summary).count()).toBe(0)
  })

  test('Submit ends in the red message, the text stays, and a second try works', async () => {
    await arriveWithoutTheApp()
    const posts = postsOf('/api/contact-us')
    await writeEnquiry()
    await submit().click()
    await dialog().getByText(OOPS).waitFor()
    expect(await field(TEXT.message).inputValue()).toBe('When do you start?')
    expect(await field(TEXT.message).isEditable()).toBe(true)
    expect(await submit().getAttribute('aria-busy')).toBe('false')
    expect(posts).toEqual([])

    await page.unroute(APP_FILES, refuse)
    await submit().click()
    await dialog().getByText(THANKS).waitFor()
    expect(await dialog().getByText(OOPS).count()).toBe(0)
    expect(posts).toEqual([ENQUIRY])
  })

  test('nothing is held for good: files that never come are given up', async () => {
    await arrive()
    await page.clock.install()
    await page.addInitScript(() => {
      // The page's clock, for a limit that the browser keeps.
      AbortSignal.timeout = (ms) => {
        const limit = new AbortController()
        setTimeout(() => limit.abort(), ms)
        return limit.signal
      }
    })
    await page.route(APP_FILES, () => {})
    await page.goto(site.origin)
    await writeEnquiry()
    await submit().click()
    await page.clock.runFor(30_000)
    await dialog().getByText(OOPS).waitFor()
    expect(await submit().getAttribute('aria-busy')).toBe('false')
    expect(await field(TEXT.message).isEditable()).toBe(true)
  })
})

describe('when the app fails', () => {
  /** Puts a fault into the app's code: the heading can't be rendered. */
  async function arriveWithFault() {
    await arrive()
    await page.route(APP_FILES, async (route) => {
      const response = await route.fetch()
      const code = await response.text()
      const body = code.replace(/(?<=\{)heading:([`"']).*?\1/, 'get heading(){throw new Error("fault")}')
      expect(body).not.toBe(code)
      await route.fulfill({ response, body })
    })
    await page.goto(site.origin)
  }

  test('the page stays as it was sent, with what was typed, and the failure is told', async () => {
    await arriveWithFault()
    await email().fill('typed@example.com')
    await saying(NOTIFICATION_TEXT.failed.summary).waitFor()
    expect(await page.getByRole('heading', { name: TEXT.heading }).isVisible()).toBe(true)
    expect(await email().inputValue()).toBe('typed@example.com')
  })

  test('it subscribes all the same, and Submit ends in the red message', async () => {
    await arriveWithFault()
    await email().fill(`${crypto.randomUUID()}@example.com`)
    await saying(NOTIFICATION_TEXT.failed.summary).waitFor()
    await email().press('Enter')
    await saying(NOTIFICATION_TEXT.subscribed.summary).waitFor()
    await writeEnquiry()
    await submit().click()
    await dialog().getByText(OOPS).waitFor()
  })
})

describe('the page as it is sent', () => {
  test('keeps its policy through redirect, hydration, toast and dialog, and says nothing to the console', async () => {
    await arrive()
    const response = await page.goto(`${site.origin}/elsewhere`)
    const policy = (await response?.headerValue('content-security-policy')) ?? ''
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
    await email().fill('no address')
    await email().press('Enter')
    await saying(NOTIFICATION_TEXT.invalidEmail.summary).waitFor()
    await contactUs().click()
    await dialog().waitFor()
    expect(
      await dialog().evaluate(
        (element) => getComputedStyle(element.querySelector('h2')?.parentElement ?? element).borderRadius,
      ),
    ).not.toBe('0px')
    expect(complaints).toEqual([])
  })

  test('is whole without scripts, and one sentence tells what needs them', async () => {
    await arrive({ javaScriptEnabled: false })
    await page.goto(site.origin)
    expect(await page.getByRole('heading', { name: TEXT.heading }).isVisible()).toBe(true)
    expect(await email().isVisible()).toBe(true)
    expect(await contactUs().isVisible()).toBe(true)
    expect(await page.locator('noscript').innerText()).toBe(TEXT.withoutScripts)
    const [sentence, form] = await Promise.all([page.locator('noscript').boundingBox(), subscribe().boundingBox()])
    expect(Number(sentence?.y) + Number(sentence?.height)).toBeLessThan(Number(form?.y))
    await email().fill('visitor@example.com')
    await email().press('Enter')
    expect(page.url()).toBe(`${site.origin}/`)
  })

  test('asks for one picture, and for no more of it than the screen has', async () => {
    await arrive({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 })
    const pictures: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'image') pictures.push(request.url())
    })
    await page.goto(site.origin, { waitUntil: 'networkidle' })
    expect(pictures.map((url) => /portrait-830-.*avif$/.test(url))).toEqual([true])
  })

  test('ends at the empty path on a host that serves it for every path', async () => {
    const host = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' })
    try {
      await arrive()
      const origin = new URL(host.resolvedUrls?.local[0] ?? '').origin
      await page.goto(`${origin}/some/path?from=mail`)
      expect(page.url()).toBe(`${origin}/?from=mail`)
      await contactUs().click()
      await dialog().waitFor()
      expect(page.url()).toBe(`${origin}/?from=mail`)
      expect(complaints).toEqual([])
    } finally {
      await host.close()
    }
  })
})
