import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writeBuiltPage } from '../support/page/built-page.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'

let server: TestApp
beforeAll(async () => {
  server = await buildTestApp()
  await server.listen()
})
afterAll(() => server.close())

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ method: 'GET', url, headers })

/** Over a socket, the path to the letter: inject would tidy it first. */
function send(method: string, path: string): Promise<{ status: number; location?: string; body: string }> {
  const { port } = server.app.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false }, async (answer) => {
      let body = ''
      for await (const chunk of answer) body += chunk
      const { statusCode: status = 0, headers } = answer
      resolve({ status, ...(headers.location !== undefined && { location: headers.location }), body })
    })
    sent.on('error', reject).end()
  })
}

const ASSET = '/assets/app-1a2b3c.js'

describe('the page', () => {
  test('is asked for again each time, and answered 304 while it is the same', async () => {
    const first = await get('/')
    expect([first.statusCode, first.body]).toEqual([200, '<h1>page</h1>'])
    expect(first.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    expect(first.headers['content-security-policy']).toBe("default-src 'none'")
    const again = await get('/', { 'if-none-match': first.headers.etag ?? '' })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('takes any query', async () => {
    expect((await get('/?email=a%40b.co&x')).body).toBe('<h1>page</h1>')
  })

  test('answers HEAD as GET, without the body', async () => {
    const answer = await server.app.inject({ method: 'HEAD', url: '/' })
    expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([200, '', '13'])
  })
})

describe('files', () => {
  test.each([
    ['gzip, br', 'br', brotliDecompressSync, 'in brotli'],
    ['gzip', 'gzip', gunzipSync, 'in gzip'],
    ['identity', undefined, (body: Buffer) => body, ''],
  ])('compressed for who accepts %s', async (accepted, encoding, decompress, mark) => {
    for (const [url, type] of [
      ['/', 'text/html; charset=utf-8'],
      [ASSET, 'application/javascript; charset=utf-8'],
    ] as const) {
      const { headers, rawPayload } = await get(url, { 'accept-encoding': accepted })
      expect([headers['content-encoding'], headers['content-type'], headers.vary]).toEqual([
        encoding,
        type,
        'accept-encoding',
      ])
      expect(decompress(rawPayload).toString()).toContain(mark)
    }
  })

  test('assets are kept for a year, other files for a day', async () => {
    expect((await get(ASSET)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=86400')
  })

  test.each([
    '/assets/none.js',
    '/assets/',
    `${ASSET}.br`,
    '/assets/..%2findex.html',
    '/assets/..',
    '/assets/%2e%2e',
    '/%61ssets/none.js',
    '/assets/.hidden',
    '/assets/../../data/leads.db',
  ])('%s is missing', async (path) => {
    const { status, body } = await send('GET', path)
    expect([status, JSON.parse(body).status]).toEqual([404, 404])
  })
})

test.each([
  [416, 'range', 'bytes=999999-', { 'content-range': 'bytes */20' }],
  [412, 'if-match', '"another"', {}],
  [412, 'if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT', {}],
])('%i to %s: %s', async (status, header, value, headers) => {
  const answer = await get(ASSET, { [header]: value })
  expect(answer.statusMessage).toBe(expectProblem(answer, status).title)
  expect(answer.headers).toMatchObject(headers)
})

describe('while the server runs', () => {
  let changing: TestApp
  let site: string
  beforeEach(async () => {
    changing = await buildTestApp()
    site = changing.site
  })
  afterEach(() => changing.close())
  const ask = async (url: string) => changing.app.inject({ url, headers: { 'accept-encoding': 'br' } })

  test('a new build is a new page with its policy and its assets', async () => {
    rmSync(site, { recursive: true })
    mkdirSync(join(site, 'assets'), { recursive: true })
    writeFileSync(join(site, 'index.html'), '<h1>new</h1>')
    writeFileSync(join(site, 'content-security-policy.txt'), "default-src 'self'\n")
    writeFileSync(join(site, 'assets', 'app-new.js'), 'new')
    const page = await ask('/')
    expect([page.statusCode, page.body]).toEqual([200, '<h1>new</h1>'])
    expect(page.headers['content-security-policy']).toBe("default-src 'self'")
    expect((await ask('/assets/app-new.js')).body).toBe('new')
    expectProblem(await ask(ASSET), 404)
  })

  test.each([['everything'], ['index.html'], ['content-security-policy.txt']])(
    'without %s the page is answered 503 until it is back',
    async (part) => {
      rmSync(part === 'everything' ? site : join(site, part), { recursive: true })
      // Its compressed forms are as good as the page.
      if (part === 'index.html') for (const form of ['br', 'gz']) rmSync(join(site, `index.html.${form}`))
      for (const url of ['/', '/?x=1']) {
        const answer = await ask(url)
        expectProblem(answer, 503)
        expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      }
      writeBuiltPage(site)
      expect((await ask('/')).statusCode).toBe(200)
    },
  )
})

describe('every other path leads to the page', () => {
  test.each([
    ['/somewhere', '/'],
    ['/somewhere/else?utm=1&x=//evil.example', '/?utm=1&x=//evil.example'],
    ['/index.html', '/'],
    ['/index.html.br', '/'],
    ['//evil.example', '/'],
    ['//evil.example/?x', '/?x'],
    ['/\\evil.example', '/'],
    ['/%5cevil.example', '/'],
    ['/%2f/evil.example', '/'],
    ['/..%2fdata%2fleads.db', '/'],
    ['/%2e%2e/data/leads.db', '/'],
    ['/%zz?x', '/?x'],
    ['/apis', '/'],
    ['/assets', '/'],
    ['http://evil.example/x?y', '/?y'],
  ])('%s: %s', async (path, location) => {
    expect(await send('GET', path)).toEqual({ status: 302, location, body: '' })
    expect(await send('HEAD', path)).toEqual({ status: 302, location, body: '' })
  })
})

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'] as const)('%s is no method of the site', async (method) => {
  for (const url of ['/', '/somewhere', ASSET, '/assets/none.js']) {
    const answer = await server.app.inject({ method, url })
    expectProblem(answer, 405)
    expect(answer.headers.allow).toBe('GET, HEAD')
  }
})
