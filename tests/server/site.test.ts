import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
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
  ['/', '<h1>page</h1>', "default-src 'none'"],
  ['/privacy', '<h1>privacy</h1>', "default-src 'self'"],
])(
  '%s is asked for again each time, and answered 304 with its own policy while it is the same',
  async (path, body, policy) => {
    const first = await get(`${path}?email=a%40b.co&x`)
    expect([first.statusCode, first.body]).toEqual([200, body])
    expect(first.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
    })
    const again = await get(path, { 'if-none-match': first.headers.etag ?? '' })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const head = await server.app.inject({ method: 'HEAD', url: path })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', first.headers.etag])
    for (const { headers } of [first, again, head]) expect(headers['content-security-policy']).toBe(policy)
    // A cache would give all visitors one token.
    expect(first.headers['set-cookie']).toBeUndefined()
  },
)

test.each([
  ['gzip, br', 'br', brotliDecompressSync, 'in brotli'],
  ['gzip', 'gzip', gunzipSync, 'in gzip'],
  ['identity', undefined, (body: Buffer) => body, ''],
])('pages and assets are compressed for who accepts %s', async (accepted, encoding, decompress, mark) => {
  for (const url of ['/', '/privacy', ASSET]) {
    const type = url === ASSET ? 'application/javascript' : 'text/html'
    const { headers, rawPayload } = await get(url, { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers).toMatchObject({ 'content-type': `${type}; charset=utf-8`, vary: 'accept-encoding' })
    // In each form as without one: a page is never kept.
    expect(headers['cache-control']).toBe((await get(url)).headers['cache-control'])
    expect(decompress(rawPayload).toString()).toContain(mark)
  }
})

test('assets are kept for a year, other files for a day', async () => {
  expect((await get(ASSET)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=86400')
  for (const name of ['none.js', '', 'app-1a2b3c.js.br', '..%2findex.html'])
    expectProblem(await get(`/assets/${name}`), 404)
})

test('a build while the server runs is served at once with its own policy', async () => {
  const { app, site, close } = await buildTestApp()
  const ask = async (url: string) => app.inject({ url, headers: { 'accept-encoding': 'br' } })
  // The compressed forms of a page are as good as the page.
  for (const missing of [[''], ['index.html', 'index.html.br', 'index.html.gz'], ['pages.json']]) {
    for (const name of missing) rmSync(join(site, name), { recursive: true })
    expectProblem(await ask('/?x=1'), 503)
    writeBuiltPage(site)
    expect((await ask('/')).statusCode).toBe(200)
  }
  writeFileSync(join(site, 'pages.json'), '{"/":')
  expectProblem(await ask('/'), 503)
  rmSync(site, { recursive: true })
  mkdirSync(join(site, 'assets'), { recursive: true })
  writeFileSync(join(site, 'index.html'), '<h1>new</h1>')
  writeFileSync(join(site, 'pages.json'), '{"/":{"file":"index.html","policy":"default-src \'self\'"}}')
  writeFileSync(join(site, 'assets', 'app-new.js'), 'new')
  const page = await ask('/')
  expect([page.body, page.headers['content-security-policy']]).toEqual(['<h1>new</h1>', "default-src 'self'"])
  expect((await ask('/assets/app-new.js')).body).toBe('new')
  expectProblem(await ask(ASSET), 404)
  await close()
})

test.each([
  ['/somewhere/else?utm=1&x=//evil.example', '/?utm=1&x=//evil.example'],
  ['/privacy.html?x', '/?x'],
  ['/pages.json', '/'],
  ['//evil.example/?x', '/?x'],
  ['/%zz?x', '/?x'],
  ['http://evil.example/x?y', '/?y'],
])('every other path leads to the page, whoever writes it: %s', async (path, location) => {
  for (const method of ['GET', 'HEAD']) {
    // To the letter: inject would tidy the path first.
    const bytes = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    const { status, headers, body } = await sendBytes(port, bytes)
    expect([status, Object.fromEntries(headers).location, body]).toEqual([302, location, ''])
  }
})

test.each(['/', '/somewhere', ASSET])('other methods than GET and HEAD are none of %s', async (url) => {
  const answer = await server.app.inject({ method: 'POST', url })
  expectProblem(answer, 405)
  expect(answer.headers.allow).toBe('GET, HEAD')
})
