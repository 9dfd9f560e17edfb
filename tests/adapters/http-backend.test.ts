import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApiClient, httpBackend } from '../../src/adapters/http-backend.ts'
import { addXsrfHeader } from '../../src/adapters/xsrf.ts'
import { ENQUIRY_FIELDS } from '../../src/domain/enquiry.ts'
import type { Backend } from '../../src/domain/ports.ts'
import { anEnquiry, subscriptionOf } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'

const SUBSCRIBED = '{"success":true,"email_exists":false}'
const CALLS = {
  subscribe: { call: (backend: Backend) => backend.subscribe('visitor@example.com'), taken: SUBSCRIBED },
  sendEnquiry: { call: (backend: Backend) => backend.sendEnquiry(anEnquiry()), taken: '{"success":true}' },
}

const cancel = vi.fn()
const after = vi.fn((_delay: number, _run: () => void) => cancel)

/** Lets the time of the last call be over. */
function endByTimeout() {
  const [delay, run] = after.mock.lastCall ?? []
  expect(delay).toBe(10_000)
  run?.()
}

afterEach(() => {
  vi.unstubAllGlobals()
  expect(cancel, 'timers left running').toHaveBeenCalledTimes(after.mock.calls.length)
  vi.restoreAllMocks()
  vi.clearAllMocks()
})

const jar = (cookies: string) => ({ read: () => cookies, write() {} })

async function setUp(answer: RequestListener, cookies = '') {
  const server = await localServer(answer)
  const backend = httpBackend({ origin: server.origin, timers: { after, every: after }, cookies: jar(cookies) })
  return { ...server, backend }
}

it.each<[string, keyof typeof CALLS, string]>([
  ['subscribed', 'subscribe', ' {"email_exists":false, "more": [1], "success":true}\n'],
  ['already-subscribed', 'subscribe', '{"success":true,"email_exists":true}'],
  ['declined', 'subscribe', '{"success":false,"email_exists":true}'],
  ['declined', 'subscribe', '{"success":false}'],
  ['failed', 'subscribe', '{"success":true}'],
  ['failed', 'subscribe', '{"success":true,"email_exists":"false"}'],
  ['failed', 'subscribe', '{"success":"true","email_exists":false}'],
  ['failed', 'subscribe', '{"success":false,"email_exists":null}'],
  ['received', 'sendEnquiry', '{"success":true,"more":null}'],
  ['declined', 'sendEnquiry', '{"success":false}'],
  ['failed', 'sendEnquiry', '{"success":"true"}'],
  ['failed', 'sendEnquiry', '{}'],
])('the answer is %s to %s: %s', async (answer, name, body) => {
  const { backend } = await setUp(says(body))
  expect(await CALLS[name].call(backend)).toBe(answer)
})

describe.each(Object.entries(CALLS))('%s', (_, { call, taken }) => {
  it.each(['AbortController', 'Request', 'fetch'])('has failed in a browser that lacks %s', async (api) => {
    vi.stubGlobal(api, undefined)
    expect(await call((await setUp(says(taken))).backend)).toBe('failed')
  })

  it.each<[string, RequestListener]>([
    ['the body of a 200 is HTML', says('<!doctype html><title>Welcome to the hotel</title>')],
    ['it is empty', says('')],
    ['it is cut off', says(taken.slice(0, -1))],
    ['it is null', says('null')],
    ['the status is a redirect', says(taken, 307, { Location: '/elsewhere' })],
    ['the status is 500', says(taken, 500)],
    ['the connection drops before the answer', ({ socket }) => socket.destroy()],
    ['it drops within the body', (_, response) => response.write(taken, () => response.destroy())],
  ])('has failed, and is not repeated, when %s', async (_, answer) => {
    const { backend, received } = await setUp(answer)
    expect(await call(backend)).toBe('failed')
    expect(received).toHaveLength(1)
  })

  it('has failed when the connection is refused', async () => {
    const { backend, stop } = await setUp(says(taken))
    await stop()
    expect(await call(backend)).toBe('failed')
  })

  it('takes any status of 2xx', async () => {
    expect(await call((await setUp(says(taken, 299))).backend)).not.toBe('failed')
  })

  it('carries the token of its cookie', async () => {
    const { backend, received } = await setUp(says(taken), 'XSRF-TOKEN=a%3Db')
    await call(backend)
    expect(received[0]?.headers['x-xsrf-token']).toBe('a=b')
  })

  it('has ten seconds to end its answer, and then lets the connection go', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const letGo = Promise.withResolvers<void>()
    const { backend } = await setUp((_, response) => response.once('close', letGo.resolve).write(taken))
    const answer = call(backend)
    await vi.waitFor(() => expect(fetched.mock.settledResults[0]?.type).toBe('fulfilled'))
    endByTimeout()
    expect(await answer).toBe('failed')
    await letGo.promise
  })

  it('has failed after ten seconds though its fetch heeds no abort', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => {}))
    const answer = call((await setUp(says(taken))).backend)
    endByTimeout()
    expect(await answer).toBe('failed')
  })
})

it('a subscription outlives the page, where the visitor leaves it', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  await CALLS.subscribe.call((await setUp(says(SUBSCRIBED))).backend)
  expect(fetched.mock.lastCall?.[0]).toMatchObject({ keepalive: true })
})

describe('the Idempotency-Key of an enquiry', () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

  it.each<[string, RequestListener]>([
    ['the connection drops', ({ socket }) => socket.destroy()],
    ['the status is 503', says('{}', 503)],
    ['the backend declines', says('{"success":false}')],
  ])('is a UUID, which stays at a further attempt when %s', async (_, answer) => {
    const { backend, received } = await setUp(answer)
    for (const _attempt of [1, 2]) await backend.sendEnquiry(anEnquiry())
    const [earlier, later] = received.map(({ headers }) => headers['idempotency-key'])
    expect(earlier).toMatch(UUID)
    expect(later).toBe(earlier)
  })

  it('is new after a success', async () => {
    const { backend, received } = await setUp(says('{"success":true}'))
    for (const _enquiry of [1, 2]) await backend.sendEnquiry(anEnquiry())
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
  })

  it.each(ENQUIRY_FIELDS)('is new when this field changes: %s', async (field) => {
    const { backend, received } = await setUp(says('{"success":false}'))
    for (const text of ['a@example.com', 'b@example.com']) await backend.sendEnquiry(anEnquiry({ [field]: text }))
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
  })

  it('is absent where the browser makes no UUID, and the enquiry is sent', async () => {
    vi.stubGlobal('crypto', {})
    const { backend, received } = await setUp(says('{"success":true}'))
    expect(await backend.sendEnquiry(anEnquiry())).toBe('received')
    expect(received[0]?.headers).not.toHaveProperty('idempotency-key')
  })
})

const ORIGIN = 'http://page.test'

it.each<[string, string | null, RequestInit & { url?: string; cookies?: string }]>([
  ['goes with POST', 'token', { method: 'POST' }],
  ['goes with DELETE', 'token', { method: 'DELETE' }],
  ['goes not with GET', null, { method: 'GET' }],
  ['goes not with HEAD', null, { method: 'HEAD' }],
  ['goes to no other port', null, { method: 'POST', url: `${ORIGIN}:81` }],
  ['goes to no other scheme', null, { method: 'POST', url: 'https://page.test' }],
  ["is the caller's where he set it", 'own', { method: 'POST', headers: { 'x-xsrf-token': 'own' } }],
  ['is absent without the cookie', null, { method: 'POST', cookies: 'MY-XSRF-TOKEN=token' }],
  ['is absent where no header can hold the value', null, { method: 'POST', cookies: 'XSRF-TOKEN=a%0d%0ab' }],
])('the XSRF token %s', (_, token, { url = ORIGIN, cookies = 'other=1; XSRF-TOKEN=token', ...init }) => {
  const request = new Request(url, init)
  addXsrfHeader(request, ORIGIN, jar(cookies))
  expect(request.headers.get('X-XSRF-TOKEN')).toBe(token)
})

it('the typed client keeps a path that begins with // on its own origin', async () => {
  const { origin, port, received } = await localServer(says('{}'))
  const path = `//localhost:${port}/thing`
  const client = createApiClient({ origin, cookies: jar('') })
  await client.POST(path as '/api/subscribe', { body: subscriptionOf(), headers: { 'X-Extra': 'one' } })
  expect(received[0]).toMatchObject({ path, headers: { host: `127.0.0.1:${port}`, 'x-extra': 'one' } })
})
