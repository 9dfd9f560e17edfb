import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccessPolicy } from '../../server/http/access.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'

/** Every header that tells browsers what they may do, and those that would tell others about the server. */
const WATCHED =
  /^(content-security-policy|cross-origin-|permissions-policy|referrer-policy|strict-transport|x-|server$|via$|access-control-|origin-agent|report)/

const TABLE = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

const HSTS = { 'strict-transport-security': 'max-age=63072000' }

const JSON_TYPE = 'Content-Type: application/json\r\n'
const post = (path: string, body: string, headers = JSON_TYPE) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
const get = (path: string, headers = '', method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: close\r\n\r\n`
const enquiry = (email: string) =>
  JSON.stringify({ name: { first: 'Given', last: 'Family' }, email, msg: 'When will you start?' })

const ANSWERS: [name: string, status: number, bytes: string][] = [
  ['an asset', 200, get('/assets/app-1a2b3c.js')],
  ['a compressed asset', 200, get('/assets/app-1a2b3c.js', 'Accept-Encoding: br\r\n')],
  ['a file', 200, get('/favicon.svg')],
  ['a part of an asset', 206, get('/assets/app-1a2b3c.js', 'Range: bytes=0-3\r\n')],
  ['a subscription', 200, post('/api/subscribe', '{"email":"visitor@example.com"}')],
  ['an enquiry', 200, post('/api/contact-us', enquiry('visitor@example.com'))],
  ['another path', 302, get('/elsewhere')],
  ['a body that is not JSON', 400, post('/api/subscribe', '{')],
  ['no Host', 400, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['no HTTP', 400, 'nonsense\r\n\r\n'],
  ['another site', 403, post('/api/subscribe', '{}', `${JSON_TYPE}Sec-Fetch-Site: cross-site\r\n`)],
  ['a wrong XSRF token', 403, post('/api/subscribe', '{}', `${JSON_TYPE}Cookie: XSRF-TOKEN=a\r\n`)],
  ['no such asset', 404, get('/assets/none.js')],
  ['no such call', 404, get('/api/none')],
  ['a path that is none', 404, get('/api/%zz')],
  ['another method of a call', 405, get('/api/subscribe')],
  ['a preflight', 405, get('/api/subscribe', 'Origin: http://evil.example\r\n', 'OPTIONS')],
  ['another method of the page', 405, post('/', '')],
  ['another file than the one asked for', 412, get('/assets/app-1a2b3c.js', 'If-Match: "x"\r\n')],
  ['a long body', 413, post('/api/subscribe', 'a'.repeat(70_000))],
  ['a body of another type', 415, post('/api/subscribe', '{}', 'Content-Type: text/plain\r\n')],
  ['a part that is none', 416, get('/assets/app-1a2b3c.js', 'Range: bytes=9999-\r\n')],
  ['an expectation', 405, post('/', '', 'Expect: the-unexpected\r\n')],
  ['a wrong field', 422, post('/api/subscribe', '{}')],
  ['calls without end', 429, post('/api/contact-us', enquiry('plain'))],
  ['a long header', 431, get('/', `X: ${'a'.repeat(20_000)}\r\n`)],
]

/** What never became a request came over nobody knows what, unless PUBLIC_ORIGIN tells. */
const NO_REQUEST = ['no HTTP', 'a long header', 'a path that is none']

type Site = {
  readonly access: Partial<AccessPolicy>
  readonly sent: string
  readonly more: object
  readonly bare: object
}

const SITES: Record<string, Site> = {
  http: { access: {}, sent: '', more: {}, bare: {} },
  'https that PUBLIC_ORIGIN names': {
    access: { publicOrigin: 'https://www.example.com' },
    sent: '',
    more: HSTS,
    bare: HSTS,
  },
  'https that a trusted proxy tells of': {
    access: { trustProxy: ['127.0.0.1'] },
    sent: 'X-Forwarded-Proto: https\r\n',
    more: HSTS,
    bare: {},
  },
}

const rateLimits = { subscribe: { minute: 100, hour: 100 }, contactUs: { minute: 1, hour: 100 } }

const servers = new Map<Site, TestApp & { port: number }>()
beforeAll(async () => {
  for (const site of Object.values(SITES)) {
    const server = await buildTestApp({ access: { ...site.access, rateLimits } })
    const origin = await server.listen()
    servers.set(site, { ...server, port: Number(new URL(origin).port) })
  }
})
afterAll(async () => {
  for (const server of servers.values()) await server.close()
})

async function send(site: Site, bytes: string) {
  const socket = connect(servers.get(site)?.port ?? 0, '127.0.0.1')
  socket.write(bytes.replace('\r\n', `\r\n${site.sent}`))
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(': ')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
  })
  expect(new Set(headers.map(([name]) => name)).size, 'each header stands there once').toBe(lines.length)
  const watched = Object.fromEntries(headers.filter(([name]) => WATCHED.test(name)))
  return { status: Number(status.split(' ')[1]), headers: watched, body }
}

describe.each(Object.entries(SITES))('over %s', (_, site) => {
  test('the page carries the table, with its own policy', async () => {
    const expected = { ...TABLE, 'content-security-policy': "default-src 'none'", ...site.more }
    for (const bytes of [get('/'), get('/?x'), get('/', '', 'HEAD')]) {
      const { status, headers } = await send(site, bytes)
      expect([status, headers]).toEqual([200, expected])
    }
  })

  test.each(ANSWERS)('%s (%i) carries the table and nothing of the inside', async (name, expected, bytes) => {
    const { status, headers, body } = await send(site, bytes)
    const more = NO_REQUEST.includes(name) ? site.bare : site.more
    expect([status, headers]).toEqual([expected, { ...TABLE, ...more }])
    expect(body).not.toMatch(/ at .+:\d+|node_modules|\.ts\b|Error:/)
  })
})

test('a request that stays half (408) carries the table too', async () => {
  const half = async (site: Site) => {
    const { status, headers } = await send(site, 'GET / HTTP/1.1\r\nHost: localhost\r\n')
    expect([status, headers]).toEqual([408, { ...TABLE, ...site.bare }])
  }
  await Promise.all(Object.values(SITES).map(half))
})
