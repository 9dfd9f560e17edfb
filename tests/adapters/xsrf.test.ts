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

async function setUp(read: () => string) {
  const { origin, port, received } = await localServer(says('{"done":true}'))
  const client = createApiClient<TestPaths>({ origin, cookies: { read, write() {} } })
  return { client, origin, port, received, tokens: () => received.map(({ headers }) => headers['x-xsrf-token']) }
}

describe('the XSRF header', () => {
  it('repeats the cookie on every method but GET and HEAD', async () => {
    const { client, received, tokens } = await setUp(() => 'other=1; XSRF-TOKEN=token')
    for (const method of ALL) await verb(client, method)('/thing')
    expect(received.map(({ method }) => method)).toEqual(ALL)
    expect(tokens()).toEqual([...CHANGING.map(() => 'token'), ...READING.map(() => undefined)])
  })

  it('is read anew for every call, and empty where the cookie is', async () => {
    const cookies = ['XSRF-TOKEN=1', 'MY-XSRF-TOKEN=2', 'XSRF-TOKEN=']
    const { client, tokens } = await setUp(() => cookies.shift() ?? '')
    for (const _ of [1, 2, 3]) await client.POST('/thing')
    expect(tokens()).toEqual(['1', undefined, ''])
  })

  it("stays the caller's where he set it, beside other headers", async () => {
    const { client, received } = await setUp(() => 'XSRF-TOKEN=token')
    await client.POST('/thing', { headers: { 'x-xsrf-token': 'own', 'X-Extra': 'one' } })
    expect(received).toMatchObject([{ headers: { 'x-xsrf-token': 'own', 'x-extra': 'one' } }])
  })
})

describe('another origin never gets the token', () => {
  async function setUpTwo() {
    const [own, other] = [await setUp(() => 'XSRF-TOKEN=token'), await setUp(() => '')]
    return { ...own, other }
  }

  it('on another port, or under another name of the same host', async () => {
    const { client, port, tokens, other } = await setUpTwo()
    for (const method of CHANGING) await verb(client, method)('/thing', { baseUrl: other.origin })
    expect(other.tokens()).toEqual(CHANGING.map(() => undefined))
    await client.POST('/thing', { baseUrl: `http://localhost:${port}` })
    expect(tokens()).toEqual([undefined])
  })

  it('as //host, which a browser takes for another host', async () => {
    const { client, origin, received, other } = await setUpTwo()
    await client.POST('/thing', { baseUrl: `//127.0.0.1:${other.port}`, Request: pageRequest(origin) })
    expect(received).toEqual([])
    expect(other.tokens()).toEqual([undefined])
  })

  it('by a path that begins with //', async () => {
    const { client, received, other } = await setUpTwo()
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
