import { expect, test } from 'vitest'
import { NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { DIST } from '../support/page/build-the-page.ts'

// Browsers send Sec-Fetch-Site to loopback and https alone: to another plain host the Origin has to do.
const PLAIN_HOST = 'page.test'
const HOSTS = [`--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1, MAP other.test 127.0.0.1`]

const site = browseBuiltSite(DIST, HOSTS)

/** The origin of a server of ours as this host name's. */
const at = (host: string, port: string | number) => `http://${host}:${port}`
const siteAt = (host: string) => at(host, new URL(site.origin).port)

/** What another site can make a visitor's browser send, from one of its pages. */
const SHAPES = ['a form of text/plain', 'a form', 'a fetch without CORS', 'a fetch of JSON', 'a beacon'] as const

async function send([shape, url, json]: readonly [(typeof SHAPES)[number], string, string]): Promise<unknown> {
  if (shape === 'a beacon') return navigator.sendBeacon(url, json)
  const init = {
    'a fetch without CORS': { mode: 'no-cors' },
    'a fetch of JSON': { headers: { 'content-type': 'application/json' } },
  } as const
  if (shape in init)
    return fetch(url, { method: 'POST', body: json, ...init[shape as keyof typeof init] }).catch(() => {})
  // Each form has a frame of its own: a browser may drop what is sent into one that still shows the last answer.
  const target = `sink ${document.forms.length}`
  const form = Object.assign(document.createElement('form'), { method: 'post', action: url, target })
  const [name, value] = shape === 'a form' ? ['email', 'cross-site@example.com'] : [`${json.slice(0, -1)},"x":"`, '"}']
  if (shape !== 'a form') form.enctype = 'text/plain'
  form.append(Object.assign(document.createElement('input'), { name, value }))
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
      const page = await site.openPage()
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
  const page = await site.openPage()
  await page.goto(siteAt(PLAIN_HOST))
  for (const outcome of ['subscribed', 'alreadySubscribed'] as const) {
    await page.getByPlaceholder(TEXT.emailPlaceholder).fill('visitor@example.com')
    await page.getByPlaceholder(TEXT.emailPlaceholder).press('Enter')
    await page.getByText(NOTIFICATION_TEXT[outcome].summary, { exact: true }).waitFor()
  }
  const cookies = (await page.context().cookies()).map(({ name, value }) => [name, value])
  expect(cookies).toEqual([['XSRF-TOKEN', expect.stringMatching(/.{22}/)]])
})
