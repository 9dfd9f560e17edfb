import { expect, it } from 'vitest'
import { addXsrfHeader } from '../../src/adapters/xsrf.ts'

const ORIGIN = 'http://page.test'

it.each<[string, string | null, RequestInit & { url?: string; cookies?: string }]>([
  ['goes with POST', 'token', { method: 'POST' }],
  ['goes not with GET', null, { method: 'GET' }],
  ['goes not with HEAD', null, { method: 'HEAD' }],
  ['goes to no other port', null, { method: 'POST', url: `${ORIGIN}:81` }],
  ['goes to no other scheme', null, { method: 'POST', url: 'https://page.test' }],
  ["is the caller's own where the call has one", 'own', { method: 'POST', headers: { 'x-xsrf-token': 'own' } }],
  ['is absent without the cookie', null, { method: 'POST', cookies: 'MY-XSRF-TOKEN=token' }],
  ['is absent where no header can hold the value', null, { method: 'POST', cookies: 'XSRF-TOKEN=a%0d%0ab' }],
])('the XSRF token %s', (_, token, { url = ORIGIN, cookies = 'other=1; XSRF-TOKEN=token', ...init }) => {
  const request = new Request(url, init)
  addXsrfHeader(request, ORIGIN, { read: () => cookies, write() {} })
  expect(request.headers.get('X-XSRF-TOKEN')).toBe(token)
})
