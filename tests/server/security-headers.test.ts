import { expect, onTestFinished, test } from 'vitest'
import type { AccessPolicy } from '../../server/http/access.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { sendBytes } from '../support/server/send-bytes.ts'

/** Every header that tells browsers what they may do, and those that would tell others about the server. */
const WATCHED =
  /^(content-security-policy|cross-origin-|permissions-policy|referrer-policy|strict-transport|x-|server$|via$|access-control-|origin-agent|report)/

const TABLE = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

const ON_HTTPS = { ...TABLE, 'strict-transport-security': 'max-age=63072000' }

const get = (path: string, headers = '', method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`
const post = (path: string, body: string, headers = '') =>
  get(path, `Content-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n`, 'POST') + body
const ENQUIRY = '{"name":{"first":"Given","last":"Family"},"email":"visitor@example.com","msg":"Hello"}'
const ASSET = '/assets/app-1a2b3c.js'

const ANSWERS: [name: string, status: number, bytes: string][] = [
  ['a compressed asset', 200, get(ASSET, 'Accept-Encoding: br\r\n')],
  ['a part of an asset', 206, get(ASSET, 'Range: bytes=0-3\r\n')],
  ['a subscription', 200, post('/api/subscribe', '{"email":"visitor@example.com"}')],
  ['an enquiry', 200, post('/api/contact-us', ENQUIRY)],
  ['calls without end', 429, post('/api/contact-us', ENQUIRY)],
  ['another path', 302, get('/elsewhere')],
  ['a body that is not JSON', 400, post('/api/subscribe', '{')],
  ['no Host', 400, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['another site', 403, post('/api/subscribe', '{}', 'Sec-Fetch-Site: cross-site\r\n')],
  ['a wrong XSRF token', 403, post('/api/subscribe', '{}', 'Cookie: XSRF-TOKEN=a\r\n')],
  ['no such asset', 404, get('/assets/none.js')],
  ['no such call', 404, get('/api/none')],
  ['a preflight', 405, get('/api/subscribe', 'Origin: http://evil.example\r\n', 'OPTIONS')],
  ['an expectation', 405, get('/', 'Expect: the-unexpected\r\n', 'POST')],
  ['another file than the one asked for', 412, get(ASSET, 'If-Match: "x"\r\n')],
  ['a long body', 413, post('/api/subscribe', 'a'.repeat(70_000))],
  ['a part that is none', 416, get(ASSET, 'Range: bytes=9999-\r\n')],
  ['a wrong field', 422, post('/api/subscribe', '{}')],
]

/** What never became a request came over nobody knows what, unless PUBLIC_ORIGIN tells. */
const NO_REQUESTS: typeof ANSWERS = [
  ['no HTTP', 400, 'nonsense\r\n\r\n'],
  ['a path that is none', 404, get('/api/%zz')],
  ['a request that stays half', 408, 'GET / HTTP/1.1\r\nHost: localhost\r\n'],
  ['a long header', 431, get('/', `X: ${'a'.repeat(20_000)}\r\n`)],
]

const PAGES: typeof ANSWERS = [
  ['the page', 200, get('/?x')],
  ['the page without a body', 200, get('/', '', 'HEAD')],
]

async function send(port: number, bytes: string) {
  const { status, headers, body } = await sendBytes(port, bytes)
  const watched = Object.fromEntries(headers.filter(([name]) => WATCHED.test(name)))
  expect(new Set(headers.map(([name]) => name)).size, 'each header stands there once').toBe(headers.length)
  expect(body).not.toMatch(/ at .+:\d+|node_modules|\.ts\b|Error:/)
  return [status, watched]
}

/** One of each kind: they get their headers in one place. */
const KINDS = ['the page', 'a subscription', 'another path', 'a wrong field', 'no HTTP', 'a path that is none']

const HTTP: Partial<AccessPolicy> = {}
const NAMED: Partial<AccessPolicy> = { publicOrigin: 'https://www.example.com' }
const TOLD: Partial<AccessPolicy> = { trustProxy: ['127.0.0.1'] }

test.each<[string, Partial<AccessPolicy>, sent: string, headers: object, bare: object]>([
  ['http', HTTP, '', TABLE, TABLE],
  ['https that PUBLIC_ORIGIN names', NAMED, '', ON_HTTPS, ON_HTTPS],
  ['https that a proxy tells of', TOLD, 'X-Forwarded-Proto: https\r\n', ON_HTTPS, TABLE],
])('over %s the page carries the table, with its own policy, and so do all', async (_, access, sent, headers, bare) => {
  const rateLimits = { subscribe: { minute: 100, hour: 100 }, contactUs: { minute: 1, hour: 100 } }
  const server = await buildTestApp({ access: { ...access, rateLimits } })
  onTestFinished(server.close)
  const port = Number(new URL(await server.listen()).port)
  server.app.server.headersTimeout = 500
  const check = async (answers: typeof ANSWERS, expected: object) => {
    for (const [name, status, bytes] of answers.filter(([name]) => access === HTTP || KINDS.includes(name))) {
      expect.soft(await send(port, bytes.replace('\r\n', `\r\n${sent}`)), name).toEqual([status, expected])
    }
  }
  await check(PAGES, { ...headers, 'content-security-policy': "default-src 'none'" })
  await check(ANSWERS, headers)
  await check(NO_REQUESTS, bare)
})
