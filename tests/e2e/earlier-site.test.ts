import type { Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { ERROR_TEXT, TEXT } from '../../src/domain/texts.ts'
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

/** Ends the earlier site, and lets this server run at its address. */
async function replace({ stop, port }: Awaited<ReturnType<typeof localServer>>) {
  stop()
  const { app, close } = await buildTestApp({ dist: DIST })
  onTestFinished(close)
  await app.listen({ port, host: '127.0.0.1' })
}

async function openPage() {
  const page = await (await sharedBrowser()).newPage()
  onTestFinished(() => page.context().close())
  return page
}

const waitForPage = (page: Page) => page.getByRole('heading', { name: TEXT.heading, level: 1 }).waitFor()

test('the first visit after a site with a service worker shows the page', async () => {
  const earlier = await localServer(({ url }, response) => {
    const [type, body] = url?.endsWith('.js') ? ['text/javascript', WORKER] : ['text/html', PAGE]
    response.writeHead(200, { 'content-type': type, 'service-worker-allowed': '/' }).end(body)
  })
  const page = await openPage()
  await page.goto(earlier.origin)
  await page.waitForFunction(() => navigator.serviceWorker.controller)
  await page.goto('about:blank')
  await replace(earlier)
  await page.goto(`${earlier.origin}/deep/link`)
  await waitForPage(page)
  expect(page.url()).toBe(`${earlier.origin}/`)
  const left = () =>
    page.evaluate(async () => [await navigator.serviceWorker.getRegistrations(), await caches.keys()].flat())
  expect(await left()).toEqual([])
})

/** Opens an address that the earlier site redirected to another path. This server redirects that path back. */
async function openRedirected(path: string, location: string) {
  const earlier = await localServer(({ url }, response) => {
    if (url === path) response.writeHead(301, { location, 'cache-control': 'max-age=31536000' }).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Earlier site</h1>')
  })
  const page = await openPage()
  await page.goto(earlier.origin + path)
  await replace(earlier)
  await page.goto(earlier.origin + path)
  return { page, origin: earlier.origin }
}

test.each([
  ['/', '/en/'],
  ['/?from=mail', '/en/?from=mail'],
])('a cached redirect from %s to %s leads to the page', async (path, location) => {
  const { page, origin } = await openRedirected(path, location)
  await waitForPage(page)
  expect(page.url()).toBe(origin + path)
})

test('a cached redirect to a missing file shows an error page with a link to the page', async () => {
  const { page } = await openRedirected('/', '/start.php')
  await page.getByRole('link', { name: ERROR_TEXT.link }).click()
  await waitForPage(page)
})
