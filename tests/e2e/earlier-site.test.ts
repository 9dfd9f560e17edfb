import type { Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { localServer } from '../support/local-server.ts'
import { sharedBrowser } from '../support/page/browser.ts'
import { DIST } from '../support/page/build-the-page.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

/** A worker that answers for all pages of its site from its cache, without asking the server. */
const WORKER = `
  const store = async () => (await caches.open('earlier')).put('/', await fetch('/'))
  addEventListener('install', (event) => event.waitUntil(store()))
  addEventListener('activate', (event) => event.waitUntil(clients.claim()))
  addEventListener('fetch', (event) => event.respondWith(caches.match('/')))`

const PAGE = `<h1>Earlier site</h1>
  <script>navigator.serviceWorker.register('/assets/worker-1a2b3c.js', { scope: '/' })</script>`

/** A page of a browser that has visited the earlier site, which has ended since. This server runs at its address. */
async function pageAfter(earlier: Awaited<ReturnType<typeof localServer>>, visit: (page: Page) => Promise<unknown>) {
  const page = await (await sharedBrowser()).newPage()
  onTestFinished(() => page.context().close())
  await page.goto(earlier.origin)
  await visit(page)
  await page.goto('about:blank')
  earlier.stop()
  const { app, close } = await buildTestApp({ dist: DIST })
  onTestFinished(close)
  await app.listen({ port: Number(new URL(earlier.origin).port), host: '127.0.0.1' })
  return page
}

test('a permanent redirect that an earlier site left does not lead round in circles', async () => {
  const earlier = await localServer(({ url }, response) => {
    if (url === '/') response.writeHead(301, { location: '/en/', 'cache-control': 'max-age=31536000' }).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Earlier site</h1>')
  })
  const page = await pageAfter(earlier, (page) => page.waitForURL('**/en/'))
  await page.goto(`${earlier.origin}/`)
  await page.getByRole('heading', { name: TEXT.heading, level: 1 }).waitFor()
  expect(page.url()).toBe(`${earlier.origin}/`)
})

test('the first visit after a site with a service worker shows the page', async () => {
  const earlier = await localServer(({ url }, response) => {
    const [type, body] = url?.endsWith('.js') ? ['text/javascript', WORKER] : ['text/html', PAGE]
    response.writeHead(200, { 'content-type': type, 'service-worker-allowed': '/' }).end(body)
  })
  const page = await pageAfter(earlier, (page) => page.waitForFunction(() => navigator.serviceWorker.controller))
  await page.goto(`${earlier.origin}/deep/link`)
  await page.getByRole('heading', { name: TEXT.heading, level: 1 }).waitFor()
  expect(page.url()).toBe(`${earlier.origin}/`)
  const left = () =>
    page.evaluate(async () => [await navigator.serviceWorker.getRegistrations(), await caches.keys()].flat())
  expect(await left()).toEqual([])
})
