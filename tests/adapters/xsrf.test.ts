import { expect, it } from 'vitest'
import { addXsrfHeader, createApiClient } from '../../src/adapters/http-backend.ts'
import { subscriptionOf } from '../support/enquiries.ts'
import { answerWith, localServer } from '../support/local-server.ts'

const ORIGIN = 'http://page.test'

it.each<[string, string | null, RequestInit & { url?: string; cookies?: string }]>([
  ['goes with POST, decoded', 'a=b', { method: 'POST', cookies: 'other=1; XSRF-TOKEN=a%3Db' }],
  ['does not go with GET', null, { method: 'GET' }],
  ['does not go with HEAD', null, { method: 'HEAD' }],
  ['goes to no other port', null, { method: 'POST', url: `${ORIGIN}:81` }],
  ['is not replaced if the call has its own token', 'own', { method: 'POST', headers: { 'x-xsrf-token': 'own' } }],
  ['is absent without the cookie', null, { method: 'POST', cookies: 'MY-XSRF-TOKEN=token' }],
  ['is absent if no header can contain the value', null, { method: 'POST', cookies: 'XSRF-TOKEN=a%0d%0ab' }],
])('the XSRF token %s', (_, token, { url = ORIGIN, cookies = 'other=1; XSRF-TOKEN=token', ...init }) => {
  const request = new Request(url, init)
  addXsrfHeader(request, ORIGIN, { read: () => cookies, write() {} })
  expect(request.headers.get('X-XSRF-TOKEN')).toBe(token)
})

it('the typed client keeps a path that begins with // on its own origin', async () => {
  const { origin, port, received } = await localServer(answerWith('{}'))
  const client = createApiClient({ origin, cookies: { read: () => '', write() {} } })
  const path = `//localhost:${port}/thing`
  await client.POST(path as '/api/subscribe', { body: subscriptionOf() })
  expect(received[0]).toMatchObject({ path, headers: { host: `127.0.0.1:${port}` } })
})
