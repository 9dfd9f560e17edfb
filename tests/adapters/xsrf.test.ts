import type { Client } from 'openapi-fetch'
import { describe, expect, it } from 'vitest'
import { createApiClient } from '../../src/adapters/http-backend.ts'
import { localServer, says } from './local-server.ts'

const CHANGING = ['PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'] as const
const READING = ['GET', 'HEAD'] as const
const ALL = [...CHANGING, ...READING]
type Operation = { responses: { 200: { content: { 'application/json': { done: boolean } } } } }
type TestPaths = { '/thing': Record<Lowercase<(typeof ALL)[number]>, Operation> }

/** Every operation of the test's paths is of one type, so any verb can stand for another. */
const verb = (client: Client<TestPaths>, method: (typeof ALL)[number]): Client<TestPaths>['POST'] => client[method]

async function setUp(cookies: string | (() => string)) {
  const { origin, port, received } = await localServer(says('{"done":true}'))
  const read = typeof cookies === 'string' ? () => cookies : cookies
  const client = createApiClient<TestPaths>({ origin, cookies: { read, write() {} } })
  return { client, origin, port, received, tokens: () => received.map(({ headers }) => headers['x-xsrf-token']) }
}

describe('the XSRF header', () => {
  it('repeats the cookie on every method but GET and HEAD', async () => {
    const { client, received, tokens } = await setUp('other=1; XSRF-TOKEN=token')
    for (const method of ALL) await verb(client, method)('/thing')
    expect(received.map(({ method }) => method)).toEqual(ALL)
    expect(tokens()).toEqual([...CHANGING.map(() => 'token'), ...READING.map(() => undefined)])
  })

  it.each([
    ['is URI-decoded', 'XSRF-TOKEN=a%2Bb%3D%3D%20c', 'a+b== c'],
    ['is as it is where its escapes are malformed', 'XSRF-TOKEN=100%', '100%'],
    ['is empty where the cookie is', 'XSRF-TOKEN=', ''],
    ['is absent without the cookie', 'XSRF-TOKEN2=a; MY-XSRF-TOKEN=b', undefined],
  ])('%s', async (_, cookies, token) => {
    const { client, tokens } = await setUp(cookies)
    await client.POST('/thing')
    expect(tokens()).toEqual([token])
  })

  it('is read anew for every call', async () => {
    let count = 0
    const { client, tokens } = await setUp(() => `XSRF-TOKEN=${++count}`)
    await client.POST('/thing')
    await client.POST('/thing')
    expect(tokens()).toEqual(['1', '2'])
  })

  it("stays the caller's where he set it, beside other headers", async () => {
    const { client, received } = await setUp('XSRF-TOKEN=token')
    await client.POST('/thing', { headers: { 'x-xsrf-token': 'own', 'X-Extra': 'one' } })
    expect(received).toMatchObject([{ headers: { 'x-xsrf-token': 'own', 'x-extra': 'one' } }])
  })
})

describe('another origin never gets the token', () => {
  const cookies = 'XSRF-TOKEN=token'

  it('on another port, or under another name of the same host', async () => {
    const { client, received, port, tokens } = await setUp(cookies)
    const other = await setUp('')
    for (const method of CHANGING) await verb(client, method)('/thing', { baseUrl: other.origin })
    expect(received).toEqual([])
    expect(other.tokens()).toEqual(CHANGING.map(() => undefined))
    await client.POST('/thing', { baseUrl: `http://localhost:${port}` })
    expect(tokens()).toEqual([undefined])
  })

  it('as //host, which a browser takes for another host', async () => {
    const { client, origin, received } = await setUp(cookies)
    const other = await setUp('')
    await client.POST('/thing', { baseUrl: `//127.0.0.1:${other.port}`, Request: pageRequest(origin) })
    expect(received).toEqual([])
    expect(other.tokens()).toEqual([undefined])
  })

  it('by a path that begins with //', async () => {
    const { client, received } = await setUp(cookies)
    const other = await setUp('')
    await client.POST(`//127.0.0.1:${other.port}/thing` as '/thing')
    expect(other.received).toEqual([])
    expect(received).toMatchObject([{ path: `//127.0.0.1:${other.port}/thing` }])
  })
})

/** Takes a relative address as a page of `origin` does. */
const pageRequest = (origin: string) =>
  class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, origin) : input, init)
    }
  }
