import { spawnSync } from 'node:child_process'
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import type { TypedEnquiry } from '../../src/domain/enquiry.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf, columnsOf } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'
import { fillIn } from '../support/page/page-states.ts'

// Browsers send Sec-Fetch-Site to loopback and https alone: to another plain host the Origin has to do.
const PLAIN_HOST = 'page.test'
const HOSTS = [`--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1, MAP other.test 127.0.0.1`]

const site = browseBuiltSite({ chromiumArgs: HOSTS })
let page: Page

beforeEach(async () => {
  page = await site.openPage()
})

const email = () => page.getByPlaceholder(TEXT.emailPlaceholder)
const dialog = () => page.getByRole('dialog')
const seen = (outcome: keyof typeof NOTIFICATION_TEXT) =>
  page.getByText(NOTIFICATION_TEXT[outcome].summary, { exact: true })

async function subscribe(address: string, outcome: keyof typeof NOTIFICATION_TEXT) {
  await email().fill(address)
  await email().press('Enter')
  await seen(outcome).waitFor()
}

/** Opens the dialog, fills in these fields, and closes it after the outcome. */
async function enquire(outcome: keyof typeof ENQUIRY_TEXT, fields: Partial<TypedEnquiry> = {}) {
  await fillIn(page, fields)
  await dialog().getByRole('button', { name: TEXT.submit }).click()
  await dialog().getByText(ENQUIRY_TEXT[outcome]).filter({ visible: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
}

/** The origin of a server of ours as this host name's. */
const at = (host: string, port: string | number) => `http://${host}:${port}`
const siteAt = (host: string) => at(host, new URL(site.origin).port)

/** What another site can make a visitor's browser send, from one of its pages. */
const SHAPES = ['a form of text/plain', 'a fetch without CORS', 'a fetch of JSON'] as const

async function send([shape, url, json]: readonly [(typeof SHAPES)[number], string, string]): Promise<unknown> {
  if (shape !== 'a form of text/plain') {
    const init =
      shape === 'a fetch of JSON' ? { headers: { 'content-type': 'application/json' } } : ({ mode: 'no-cors' } as const)
    return fetch(url, { method: 'POST', body: json, ...init }).catch(() => {})
  }
  // Each form has a frame of its own: a browser may drop what is sent into one that still shows the last answer.
  const target = `sink ${document.forms.length}`
  const form = Object.assign(document.createElement('form'), { method: 'post', action: url, target })
  form.enctype = 'text/plain'
  const field = { name: `${json.slice(0, -1)},"x":"`, value: '"}' }
  form.append(Object.assign(document.createElement('input'), field))
  document.body.append(form, Object.assign(document.createElement('iframe'), { name: target }))
  return form.submit()
}

const BODIES = {
  '/api/subscribe': '{"email":"cross-site@example.com"}',
  '/api/contact-us': JSON.stringify(bodyOf(anEnquiry({ email: 'cross-site@example.com' }))),
}

/** How many calls the server has refused, and how many browsers it has not let ask for one, by its metrics. */
async function refused(): Promise<number> {
  const metrics = await (await fetch(/^Metrics on (\S+)$/m.exec(site.output())?.[1] ?? '')).text()
  const counts = metrics.matchAll(/^http_request_duration_seconds_count\{.*status="(?:403|405)"\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

test('no other origin makes a browser store anything', async () => {
  const elsewhere = says('<!doctype html><title>elsewhere</title>', 200, { 'Content-Type': 'text/html' })
  const { port } = await localServer(elsewhere)
  let sent = 0
  for (const [target, other] of Object.entries({ '127.0.0.1': 'localhost', [PLAIN_HOST]: 'other.test' })) {
    for (const origin of [at(target, port), at(other, port)]) {
      await page.goto(origin)
      for (const shape of SHAPES) {
        for (const [path, body] of Object.entries(BODIES)) {
          await page.evaluate(send, [shape, siteAt(target) + path, body] as const)
          sent++
          await expect.poll(refused, { message: `${shape} from ${origin} to ${path} of ${target}` }).toBe(sent)
        }
      }
    }
  }
  expect([...site.rows('subscribers'), ...site.rows('enquiries')]).toEqual([])
})

test('the page itself is understood, also where the browser names no site', async () => {
  await page.goto(siteAt(PLAIN_HOST))
  for (const outcome of ['subscribed', 'alreadySubscribed'] as const) await subscribe('visitor@example.com', outcome)
  const cookies = (await page.context().cookies()).map(({ name, value }) => [name, value])
  expect(cookies).toEqual([['XSRF-TOKEN', expect.stringMatching(/.{22}/)]])
})

// Whatever the policy forbids is a complaint in the console, after which the test fails.
test('the page keeps its policy through redirect, hydration, notification and dialog without a complaint', async () => {
  const answer = await page.goto(`${site.origin}/elsewhere`)
  expect(await answer?.headerValue('content-security-policy')).toContain("require-trusted-types-for 'script'")
  await subscribe('plain', 'invalidEmail')
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  await dialog().getByRole('button', { name: TEXT.close }).last().click()
  await dialog().waitFor({ state: 'hidden' })
})

type Size = { readonly name: string; readonly size: number; readonly sizeLimit: number }

test('no part of the page is a quarter larger than its aim in .size-limit.json', () => {
  const { stdout } = spawnSync('size-limit', ['--json'], { encoding: 'utf8' })
  const sizes: Size[] = JSON.parse(stdout)
  const describe = ({ name, size, sizeLimit }: Size) => `${name}: ${size} bytes, the aim is ${sizeLimit}`
  for (const each of sizes.filter(({ size, sizeLimit }) => size > sizeLimit))
    process.stderr.write(`Larger than its aim: ${describe(each)}. Is it worth that? Then raise .size-limit.json.\n`)
  expect(sizes.filter(({ size, sizeLimit }) => size > 1.25 * sizeLimit).map(describe)).toEqual([])
})

test('page and app are sent compressed to who can read it', async () => {
  const html = await (await fetch(site.origin)).text()
  const app = /data-entry="(.+?)"/.exec(html)?.[1] ?? ''
  for (const encoding of ['br', 'gzip']) {
    for (const path of ['/', app]) {
      const { headers } = await fetch(site.origin + path, { headers: { 'accept-encoding': encoding } })
      expect(headers.get('content-encoding'), path).toBe(encoding)
    }
  }
})

/** Replaces a text of the app by one that can't be rendered. */
async function breakText(name: string) {
  await page.route(/assets\/.*\.js/, async (route) => {
    const code = await (await route.fetch()).text()
    const broken = code.replace(new RegExp(`(?<=,)${name}:`), `get ${name}(){throw Error("at fault")},unused:`)
    await route.fulfill({ body: broken, contentType: 'text/javascript' })
  })
}

async function expectWayOn() {
  await page.getByRole('alert').filter({ hasText: TEXT.fault }).first().waitFor()
  expect(await page.getByRole('heading', { name: TEXT.heading }).first().isVisible()).toBe(true)
  await page.unrouteAll()
  await page.getByRole('button', { name: TEXT.reload }).first().click()
  await subscribe('plain', 'invalidEmail')
  // Both roots may tell of the fault.
  for (const complaint of site.complaints.splice(0)) expect(complaint).toMatch(/at fault/)
}

test('a fault at the start of the app shows the heading, what happened and a way on', async () => {
  await breakText('contactUs')
  await page.goto(site.origin)
  await page.mouse.move(5, 5)
  await expectWayOn()
})

test('a fault of the running app shows the heading, what happened and a way on', async () => {
  await breakText('charactersLeft')
  await page.goto(site.origin)
  await appIsThere(page)
  await fillIn(page, { message: 'x'.repeat(5000) })
  await expectWayOn()
})

test.each(['/sw.js', '/service-worker.js'])(
  'a service worker that an earlier site has left at %s goes',
  async (path) => {
    page = await site.openPage({ bypassCSP: true })
    await page.goto(site.origin)
    await page.evaluate((path) => navigator.serviceWorker.register(path), path)
    const registrations = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
    await expect.poll(registrations).toBe(0)
  },
)

// The last one: where it fails, there may be no server any more.
test('neither a server that dies nor an answer that is lost costs any text; all is stored as it was typed, once', async () => {
  await page.goto(site.origin)
  await appIsThere(page)
  await site.kill()
  const message = 'When do you start?\nI live by the harbour. 🌊'
  const typed = anEnquiry({ message })
  await enquire('failed', typed)
  await subscribe('A.Visitor@Example.com', 'failed')
  expect(await email().inputValue()).toBe('A.Visitor@Example.com')

  await site.restart()
  await page.route('**/api/contact-us', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await enquire('failed')
  await page.unroute('**/api/contact-us')
  await enquire('received')
  await email().focus()
  await page.keyboard.down('Enter')
  await seen('subscribed').waitFor()
  expect(await email().inputValue()).toBe('')
  // Still held down: a further press would call the empty field invalid.
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  expect(await seen('invalidEmail').count()).toBe(0)
  await subscribe('a.visitor@EXAMPLE.com', 'alreadySubscribed')
  expect(site.rows('subscribers').map((row) => row.email)).toEqual(['visitor@example.com', 'A.Visitor@Example.com'])
  expect(site.rows('enquiries')).toEqual([expect.objectContaining(columnsOf(typed))])
})
