import { expect, it } from 'vitest'
import { createApiClient } from '../../src/adapters/http-backend.ts'
import { addXsrfHeader } from '../../src/adapters/xsrf.ts'
import { localServer, says } from '../support/local-server.ts'

const ORIGIN = 'http://page.test'
const jar = (cookies: string) => ({ read: () => cookies, write() {} })

/** The token of a call that the page would make with this cookie. */
function tokenOf(request: Request, cookies = 'other=1; XSRF-TOKEN=token') {
  addXsrfHeader(request, ORIGIN, jar(cookies))
  return request.headers.get('X-XSRF-TOKEN')
}

it.each([
  ...['PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => [method, 'token'] as const),
  ...['GET', 'HEAD'].map((method) => [method, null] as const),
])('by the method %s the token that goes is %s, and none to another origin', (method, token) => {
  expect(tokenOf(new Request(`${ORIGIN}/thing`, { method }))).toBe(token)
  for (const other of ['http://page.test:81', 'https://page.test', 'http://other.page.test'])
    expect(tokenOf(new Request(`${other}/thing`, { method }))).toBeNull()
})

it.each<[string, string | null, Record<string, string>, string]>([
  ["is the caller's where he set it", 'own', { 'x-xsrf-token': 'own' }, 'XSRF-TOKEN=token'],
  ['is empty where the cookie is', '', {}, 'XSRF-TOKEN='],
  ['is absent without the cookie', null, {}, 'MY-XSRF-TOKEN=token'],
  ['is absent where no header can hold the value', null, {}, 'XSRF-TOKEN=a%0d%0ab'],
])('the header %s', (_, token, headers, cookies) => {
  expect(tokenOf(new Request(ORIGIN, { method: 'POST', headers }), cookies)).toBe(token)
})

it('the typed client keeps a path that begins with // on its own origin, and takes further headers', async () => {
  const { origin, port, received } = await localServer(says('{}'))
  const client = createApiClient({ origin, cookies: jar('XSRF-TOKEN=token') })
  const path = `//localhost:${port}/thing`
  await client.POST(path as '/api/subscribe', { body: { email: 'a@b.co' }, headers: { 'X-Extra': 'one' } })
  expect(received[0]).toMatchObject({ path, headers: { host: `127.0.0.1:${port}`, 'x-extra': 'one' } })
})
