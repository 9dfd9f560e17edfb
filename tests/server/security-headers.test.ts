import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { Settings } from '../../server/settings.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

/** Headers that limit what a page may do, and headers that would reveal the software of the server. */
const WATCHED_HEADERS =
  /^(content-security-policy|cross-origin-|permissions-policy|referrer-policy|strict-transport|x-|server$|via$|access-control-|origin-agent|report)/

const ON_HTTP = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}
const ON_HTTPS = { ...ON_HTTP, 'strict-transport-security': 'max-age=63072000' }

const subscribe = (email: string, headers = {}): InjectOptions => ({
  method: 'POST',
  url: '/api/subscribe',
  payload: { email },
  headers,
})

/** One call for each part of the server that answers. */
const CALLS: readonly (readonly [status: number, call: InjectOptions])[] = [
  [200, { url: '/assets/app-1a2b3c.js', headers: { 'accept-encoding': 'br' } }],
  [416, { url: '/assets/app-1a2b3c.js', headers: { range: 'bytes=9999-' } }],
  [302, { url: '/elsewhere' }],
  [404, { url: '/api/%zz' }],
  [200, subscribe('visitor@example.com')],
  [403, subscribe('visitor@example.com', { 'sec-fetch-site': 'cross-site' })],
  [422, subscribe('')],
  [405, { method: 'OPTIONS', url: '/api/subscribe', headers: { origin: 'http://evil.example' } }],
]

const watchedIn = ({ headers }: LightMyRequestResponse) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => WATCHED_HEADERS.test(name)))

test.each<[protocol: string, access: Partial<Settings>, expected: object, attribute: string]>([
  ['http with a false header', {}, ON_HTTP, ''],
  ['http of PUBLIC_ORIGIN', { PUBLIC_ORIGIN: 'http://www.example.com', TRUST_PROXY: ['127.0.0.1'] }, ON_HTTP, ''],
  ['https of PUBLIC_ORIGIN', { PUBLIC_ORIGIN: 'https://www.example.com' }, ON_HTTPS, '; Secure'],
  ['https of a trusted proxy', { TRUST_PROXY: ['127.0.0.1'] }, ON_HTTPS, '; Secure'],
])('over %s each answer has its security headers and cookie', async (_, access, expected, attribute) => {
  const { app, close } = await buildTestApp({ access })
  onTestFinished(close)
  const send = ({ headers, ...call }: InjectOptions) =>
    app.inject({ ...call, headers: { 'x-forwarded-proto': 'https', ...headers } })
  for (const [status, call] of CALLS) {
    const answer = await send(call)
    expect.soft([answer.statusCode, watchedIn(answer)]).toEqual([status, expected])
  }
  expect(watchedIn(await send({ url: '/' }))).toEqual({
    ...expected,
    'content-security-policy': "default-src 'none'",
  })
  const { headers } = await send(subscribe('visitor@example.com'))
  expect(headers['set-cookie']).toMatch(new RegExp(`^XSRF-TOKEN=[\\w-]+; Path=/; SameSite=Strict${attribute}$`))
})
