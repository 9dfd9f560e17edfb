import type { Client } from 'openapi-fetch'
import { expect, it } from 'vitest'
import { createApiClient } from '../../src/adapters/http-backend.ts'
import { addXsrfHeader } from '../../src/adapters/xsrf.ts'
import { localServer, says } from '../support/local-server.ts'

const CHANGING = ['PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'] as const
const READING = ['GET', 'HEAD'] as const
const ALL = [...CHANGING, ...READING]
type Operation = { responses: { 200: { content: { 'application/json': { done: boolean } } } } }
type TestPaths = { '/thing': Record<Lowercase<(typeof ALL)[number]>, Operation> }

/** Every operation of the test's paths is of one type, so any verb can stand for another. */
const verb = (client: Client<TestPaths>, method: (typeof ALL)[number]): Client<TestPaths>['POST'] => client[method]

async function setUp() {
  const { origin, port, received } = await localServer(says('{"done":true}'))
  const cookies = { read: () => 'other=1; XSRF-TOKEN=token', write() {} }
  const tokens = () => received.map(({ headers }) => headers['x-xsrf-token'])
  return { client: createApiClient<TestPaths>({ origin, cookies }), origin, port, received, tokens }
}

it('the typed client repeats the token on every method but GET and HEAD, beside other headers', async () => {
  const { client, received, tokens } = await setUp()
  for (const method of ALL) await verb(client, method)('/thing', { headers: { 'X-Extra': 'one' } })
  expect(received.map(({ method, headers }) => [method, headers['x-extra']])).toEqual(ALL.map((it) => [it, 'one']))
  expect(tokens()).toEqual([...CHANGING.map(() => 'token'), ...READING.map(() => undefined)])
})

it('another origin never gets the token: not by a port, nor by a name of the same host, nor by a path that begins with //', async () => {
  const [{ client, origin, received, tokens }, other] = [await setUp(), await setUp()]
  for (const baseUrl of [other.origin, origin.replace('127.0.0.1', 'localhost')])
    for (const method of CHANGING) await verb(client, method)('/thing', { baseUrl })
  expect([...other.tokens(), ...tokens()]).toEqual([...CHANGING, ...CHANGING].map(() => undefined))
  await client.POST(`//localhost:${other.port}/thing` as '/thing')
  expect(other.received).toHaveLength(CHANGING.length)
  expect(received.at(-1)).toMatchObject({ path: `//localhost:${other.port}/thing` })
})

it.each<[string, string | null, Record<string, string>, string]>([
  ['is that of the cookie', 'token', {}, 'XSRF-TOKEN=token'],
  ["is the caller's where he set it", 'own', { 'x-xsrf-token': 'own' }, 'XSRF-TOKEN=token'],
  ['is empty where the cookie is', '', {}, 'XSRF-TOKEN='],
  ['is absent without the cookie', null, {}, 'MY-XSRF-TOKEN=token'],
  ['is absent where no header can hold the value', null, {}, 'XSRF-TOKEN=a%0d%0ab'],
])('the header %s', (_, token, headers, cookies) => {
  const request = new Request('http://page.test/thing', { method: 'POST', headers })
  addXsrfHeader(request, 'http://page.test', { read: () => cookies, write() {} })
  expect(request.headers.get('X-XSRF-TOKEN')).toBe(token)
})
