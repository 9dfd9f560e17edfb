import type { Client } from 'openapi-fetch'
import { describe, expect, it } from 'vitest'
import { createApiClient } from '../../src/adapters/http-backend.ts'
import { localServer, says } from './local-server.ts'

type Operation = {
  requestBody?: { content: { 'application/json': { text: string } } }
  responses: { 200: { content: { 'application/json': { done: boolean } } } }
}

type TestPaths = {
  '/thing': Record<'get' | 'head' | 'options' | 'put' | 'post' | 'patch' | 'delete', Operation>
}

const CHANGING = ['PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'] as const
const READING = ['GET', 'HEAD'] as const
const ALL = [...CHANGING, ...READING]

/** Every operation of the test's paths is of one type, so any verb can stand for another. */
const verb = (client: Client<TestPaths>, method: (typeof ALL)[number]): Client<TestPaths>['POST'] => client[method]

const done = says('{"done":true}')

const clientOf = (origin: string, cookies: string) =>
  createApiClient<TestPaths>({ origin, cookies: { read: () => cookies, write() {} } })

async function setUp(cookies: string) {
  const { origin, port, received } = await localServer(done)
  const tokens = () => received.map(({ headers }) => headers['x-xsrf-token'])
  return { client: clientOf(origin, cookies), origin, port, received, tokens }
}

describe('the XSRF header', () => {
  it.each(CHANGING)('repeats the cookie on %s', async (method) => {
    const { client, received, tokens } = await setUp('other=1; XSRF-TOKEN=token')
    await verb(client, method)('/thing')
    expect(received).toMatchObject([{ method, path: '/thing' }])
    expect(tokens()).toEqual(['token'])
  })

  it.each(READING)('is not on %s', async (method) => {
    const { client, received, tokens } = await setUp('XSRF-TOKEN=token')
    await verb(client, method)('/thing')
    expect(received).toMatchObject([{ method, path: '/thing' }])
    expect(tokens()).toEqual([undefined])
  })

  it.each(ALL)('is not on %s without the cookie', async (method) => {
    const { client, tokens } = await setUp('XSRF-TOKEN2=a; MY-XSRF-TOKEN=b')
    await verb(client, method)('/thing')
    expect(tokens()).toEqual([undefined])
  })

  it.each([
    ['URI-decoded', 'XSRF-TOKEN=a%2Bb%3D%3D%20c', 'a+b== c'],
    ['as it is where its escapes are malformed', 'XSRF-TOKEN=100%', '100%'],
    ['with its equals signs', 'XSRF-TOKEN=abc==', 'abc=='],
    ['empty where it is empty', 'XSRF-TOKEN=', ''],
  ])('gives the cookie %s', async (_, cookies, token) => {
    const { client, tokens } = await setUp(cookies)
    await client.POST('/thing')
    expect(tokens()).toEqual([token])
  })

  it('is read anew for every call', async () => {
    const { origin, received } = await localServer(done)
    let token = 'first'
    const client = createApiClient<TestPaths>({ origin, cookies: { read: () => `XSRF-TOKEN=${token}`, write() {} } })
    await client.POST('/thing')
    token = 'second'
    await client.POST('/thing')
    expect(received.map(({ headers }) => headers['x-xsrf-token'])).toEqual(['first', 'second'])
  })

  it.each(['X-XSRF-TOKEN', 'x-xsrf-token'])("stays the caller's where he set %s", async (name) => {
    const { client, tokens } = await setUp('XSRF-TOKEN=token')
    for (const method of ALL) await verb(client, method)('/thing', { headers: { [name]: 'own' } })
    expect(tokens()).toEqual(ALL.map(() => 'own'))
  })
})

describe('another origin never gets the token', () => {
  const cookies = 'XSRF-TOKEN=token'

  it.each(ALL)('on another port, by %s', async (method) => {
    const { client, received } = await setUp(cookies)
    const other = await localServer(done)
    await verb(client, method)('/thing', { baseUrl: other.origin })
    expect(received).toEqual([])
    expect(other.received).toMatchObject([{ method }])
    expect(other.received[0]?.headers).not.toHaveProperty('x-xsrf-token')
  })

  it('under another name of the same host', async () => {
    const { client, port, tokens } = await setUp(cookies)
    await client.POST('/thing', { baseUrl: `http://localhost:${port}` })
    expect(tokens()).toEqual([undefined])
  })

  it('as //host, which a browser takes for another host', async () => {
    const { client, origin, received } = await setUp(cookies)
    const other = await localServer(done)
    await client.POST('/thing', { baseUrl: `//127.0.0.1:${other.port}`, Request: pageRequest(origin) })
    expect(received).toEqual([])
    expect(other.received).toHaveLength(1)
    expect(other.received[0]?.headers).not.toHaveProperty('x-xsrf-token')
  })

  it('by a path that begins with //', async () => {
    const { client, received } = await setUp(cookies)
    const other = await localServer(done)
    await client.POST(`//127.0.0.1:${other.port}/thing` as '/thing')
    expect(other.received).toEqual([])
    expect(received).toMatchObject([{ path: `//127.0.0.1:${other.port}/thing` }])
  })

  it.each([301, 302, 303, 307, 308])('by a redirect with status %i', async (status) => {
    const other = await localServer(done)
    const own = await localServer(says('', status, { Location: `${other.origin}/thing` }))
    await expect(clientOf(own.origin, cookies).POST('/thing', { body: { text: 'secret' } })).rejects.toThrow()
    expect(own.received).toHaveLength(1)
    expect(other.received).toEqual([])
  })
})

describe('the client', () => {
  it.each(ALL)('passes extra headers through on %s, beside the token', async (method) => {
    const { client, received } = await setUp('XSRF-TOKEN=token')
    await verb(client, method)('/thing', { headers: { 'X-Extra': 'one', Accept: 'application/json' } })
    expect(received[0]?.headers).toMatchObject({ 'x-extra': 'one', accept: 'application/json' })
  })

  it.each(['PUT', 'POST', 'DELETE'] as const)('sends the body of %s as JSON and gives the answer', async (method) => {
    const { client, received } = await setUp('XSRF-TOKEN=token')
    const { data, response } = await verb(client, method)('/thing', { body: { text: 'é' } })
    expect(data).toEqual({ done: true })
    expect(response.status).toBe(200)
    expect(received).toMatchObject([{ body: '{"text":"é"}', headers: { 'content-type': 'application/json' } }])
  })

  it('sends no body and no content type where the call has none', async () => {
    const { client, received } = await setUp('')
    await client.GET('/thing')
    expect(received).toMatchObject([{ body: '' }])
    expect(received[0]?.headers).not.toHaveProperty('content-type')
  })
})

/** Takes a relative address as a page of `origin` does. */
const pageRequest = (origin: string) =>
  class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, origin) : input, init)
    }
  }
