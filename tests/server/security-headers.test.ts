import { expect, onTestFinished, test } from 'vitest'
import type { AccessPolicy } from '../../server/http/access.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { sendBytes } from '../support/server/post.ts'

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
const subscribe = (body: string, headers = '') =>
  get('/api/subscribe', `Content-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n`, 'POST') + body
const SUBSCRIPTION = subscribe('{"email":"visitor@example.com"}')

type Call = readonly [name: string, status: number, bytes: string]

/** One for each place of the server that answers. */
const ANSWERS: readonly Call[] = [
  ['a compressed asset', 200, get('/assets/app-1a2b3c.js', 'Accept-Encoding: br\r\n')],
  ['a part that is none', 416, get('/assets/app-1a2b3c.js', 'Range: bytes=9999-\r\n')],
  ['another path', 302, get('/elsewhere')],
  ['a subscription', 200, SUBSCRIPTION],
  ['another site', 403, subscribe('{}', 'Sec-Fetch-Site: cross-site\r\n')],
  ['a wrong field', 422, subscribe('{}')],
  ['a preflight', 405, get('/api/subscribe', 'Origin: http://evil.example\r\n', 'OPTIONS')],
]

const PAGE: Call = ['the page', 200, get('/?x')]

/** No proxy is asked about a path that can't be decoded. */
const UNDECODABLE: Call = ['a path that is none', 404, get('/api/%zz')]

async function send(port: number, bytes: string) {
  const { status, headers, body } = await sendBytes(port, bytes)
  const watched = Object.fromEntries(headers.filter(([name]) => WATCHED.test(name)))
  expect(new Set(headers.map(([name]) => name)).size, 'each header stands there once').toBe(headers.length)
  expect(body).not.toMatch(/ at .+:\d+|node_modules|\.ts\b|Error:/)
  return [status, watched]
}

const TOLD = { trustProxy: ['127.0.0.1'] }

test.each<[string, Partial<AccessPolicy>, headers: object, bare: object]>([
  ['http, though a client says otherwise', {}, TABLE, TABLE],
  ['http that PUBLIC_ORIGIN names', { publicOrigin: 'http://www.example.com', ...TOLD }, TABLE, TABLE],
  ['https that PUBLIC_ORIGIN names', { publicOrigin: 'https://www.example.com' }, ON_HTTPS, ON_HTTPS],
  ['https that a proxy tells of', TOLD, ON_HTTPS, TABLE],
])('over %s each answer carries the headers', async (_, access, headers, bare) => {
  const server = await buildTestApp({ access })
  onTestFinished(server.close)
  const port = Number(new URL(await server.listen()).port)
  const overHttps = (bytes: string) => bytes.replace('\r\n', '\r\nX-Forwarded-Proto: https\r\n')
  const check = async (calls: readonly Call[], expected: object) => {
    for (const [name, status, bytes] of calls)
      expect.soft(await send(port, overHttps(bytes)), name).toEqual([status, expected])
  }
  await check([PAGE], { ...headers, 'content-security-policy': "default-src 'none'" })
  await check(ANSWERS, headers)
  await check([UNDECODABLE], bare)
  const token = (await sendBytes(port, overHttps(SUBSCRIPTION))).headers.find(([name]) => name === 'set-cookie')
  const secure = headers === ON_HTTPS ? '; Secure' : ''
  expect(token?.[1]).toMatch(new RegExp(`^XSRF-TOKEN=[\\w-]+; Path=/; SameSite=Strict${secure}$`))
})
