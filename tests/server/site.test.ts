import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { writeBuiltPage } from '../support/server/built-page.ts'
import { sendBytes } from '../support/server/post.ts'
import { expectProblem } from '../support/server/problem.ts'

const server = await buildTestApp()
const port = Number(new URL(await server.listen()).port)
afterAll(server.close)

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })

const ASSET = '/assets/app-1a2b3c.js'

test.each([
  ['/?email=a%40b.co&x', '<h1>page</h1>', "default-src 'none'"],
  ['/index.html', '<h1>page</h1>', "default-src 'none'"],
  ['/privacy', '<h1>privacy</h1>', "default-src 'self'"],
  ['/proofs/proof.html', '<h1>proof</h1>', "default-src 'self'"],
])('%s is a page with its own policy, checked again at each visit', async (url, body, policy) => {
  const page = await get(url)
  const repeatedAnswer = await get(url, { 'if-none-match': `${page.headers.etag}` })
  expect([page.body, page.statusCode, repeatedAnswer.statusCode]).toEqual([body, 200, 304])
  for (const { headers } of [page, repeatedAnswer])
    expect(headers).toMatchObject({ 'content-security-policy': policy, 'cache-control': 'no-cache, no-transform' })
  // A cache would give the same token to all visitors.
  expect(page.headers).not.toHaveProperty('set-cookie')
})

test.each([
  ['gzip, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
])('pages and assets are compressed for a browser that accepts %s', async (accepted, coding, decompress) => {
  for (const url of ['/', ASSET]) {
    const { headers, rawPayload } = await get(url, { 'accept-encoding': accepted })
    expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
    const plain = await get(url)
    expect(headers['cache-control']).toBe(plain.headers['cache-control'])
    expect(decompress(rawPayload).toString()).toContain(plain.body)
  }
})

test.each([
  [ASSET, 'public, max-age=31536000, immutable'],
  ['/favicon.svg', 'public, max-age=86400'],
  ['/.well-known/security.txt', 'public, max-age=86400'],
])('%s may be cached: %s', async (url, cacheControl) => {
  expect((await get(url)).headers['cache-control']).toBe(cacheControl)
})

test.each(['/assets/none.js', '/ngsw.json', '/.env', '/%2eenv', '/.git/config', '/..%2findex.html', '/a%00.js'])(
  'there is no file %s',
  async (path) => {
    expectProblem(await get(path), 404)
  },
)

test('a new build is served at once without a restart, with its own policy', async () => {
  const { app, site, close } = await buildTestApp()
  onTestFinished(close)
  rmSync(site, { recursive: true })
  expect(expectProblem(await app.inject('/'), 503).detail).toContain('The page files are missing')
  writeBuiltPage(site)
  writeFileSync(join(site, 'assets/app-new.js'), 'new')
  writeFileSync(join(site, 'pages.json'), '{"/":{"file":"index.html","policy":"default-src \'self\'"}}')
  expect((await app.inject('/')).headers['content-security-policy']).toBe("default-src 'self'")
  expect((await app.inject('/assets/app-new.js')).body).toBe('new')
})

test.each([
  ['/somewhere/else?utm=1&x=//evil.example', '302', '/?utm=1&x=//evil.example'],
  ['/v1.0/', '302', '/'],
  ['//evil.example/?x', '302', '/?x'],
  ['/%zz?x', '302', '/?x'],
  ['//favicon.svg', '404', undefined],
  ['/assets/../favicon.svg', '404', undefined],
])('%s is no path of the build: it is answered %s', async (path, status, location) => {
  // Sent as bytes, because inject would normalise the path.
  const answer = await sendBytes(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(/^location: (.*)\r$/m.exec(answer)?.[1]).toBe(location)
})
