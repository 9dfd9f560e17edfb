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

test('the first visit after a site with a service worker shows the page', async () => {
  const earlier = await localServer(({ url }, response) => {
    const [type, body] = url?.endsWith('.js') ? ['text/javascript', WORKER] : ['text/html', PAGE]
    response.writeHead(200, { 'content-type': type, 'service-worker-allowed': '/' }).end(body)
  })
  const page = await (await sharedBrowser()).newPage()
  onTestFinished(() => page.context().close())
  await page.goto(earlier.origin)
  await page.waitForFunction(() => navigator.serviceWorker.controller)
  await page.goto('about:blank')
  // The earlier site ends, and this server runs at its address.
  earlier.stop()
  const { app, close } = await buildTestApp({ dist: DIST })
  onTestFinished(close)
  await app.listen({ port: earlier.port, host: '127.0.0.1' })
  await page.goto(`${earlier.origin}/deep/link`)
  await page.getByRole('heading', { name: TEXT.heading, level: 1 }).waitFor()
  expect(page.url()).toBe(`${earlier.origin}/`)
  const left = () =>
    page.evaluate(async () => [await navigator.serviceWorker.getRegistrations(), await caches.keys()].flat())
  expect(await left()).toEqual([])
})
