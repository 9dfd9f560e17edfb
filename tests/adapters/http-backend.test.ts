import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApiClient, httpBackend } from '../../src/adapters/http-backend.ts'
import { addXsrfHeader } from '../../src/adapters/xsrf.ts'
import { ENQUIRY_FIELDS } from '../../src/domain/enquiry.ts'
import type { Backend } from '../../src/domain/ports.ts'
import { anEnquiry, subscriptionOf } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'

const SUBSCRIBED = '{"success":true,"email_exists":false}'
const RECEIVED = '{"success":true}'
const CALLS = {
  subscribe: { call: (backend: Backend) => backend.subscribe('visitor@example.com'), taken: SUBSCRIBED },
  sendEnquiry: { call: (backend: Backend) => backend.sendEnquiry(anEnquiry()), taken: RECEIVED },
}

const cancel = vi.fn()
const after = vi.fn((_delay: number, _run: () => void) => cancel)

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

async function setUp(answer: RequestListener, cookies = '') {
  const server = await localServer(answer)
  const timers = { after, every: after }
  const options = { origin: server.origin, timers, cookies: { read: () => cookies, write() {} } }
  return { ...server, backend: httpBackend(options) }
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
  it.each(['AbortController', 'Request', 'URL', 'JSON', 'fetch'])(
    'has failed in a browser that lacks %s',
    async (api) => {
      vi.stubGlobal(api, undefined)
      expect(await call((await setUp(says(taken))).backend)).toBe('failed')
    },
  )

  it.each<[string, RequestListener]>([
    ['the body of a 200 is HTML', says('<!doctype html><title>Welcome to the hotel</title>')],
    ['it is empty', says('')],
    ['it is cut off', says(taken.slice(0, -1))],
    ['it is null', says('null')],
    ['the status is a redirect', says(taken, 307, { Location: '/elsewhere' })],
    ['the status is 500', says(taken, 500)],
    ['the connection drops before the answer', ({ socket }) => socket.destroy()],
    ['it drops within the body', (_, response) => response.write(taken, () => response.destroy())],
  ])('fails, never rejects and is not repeated when %s', async (_, answer) => {
    const { backend, received } = await setUp(answer)
    expect(await call(backend)).toBe('failed')
    expect(received).toHaveLength(1)
  })

  it('fails when the connection is refused', async () => {
    const { backend, stop } = await setUp(says(taken))
    await stop()
    expect(await call(backend)).toBe('failed')
  })

  it('carries the token of its cookie, and takes any status of 2xx', async () => {
    const { backend, received } = await setUp(says(taken, 299), 'XSRF-TOKEN=a%3Db')
    expect(await call(backend)).not.toBe('failed')
    expect(received[0]?.headers['x-xsrf-token']).toBe('a=b')
  })

  it('has ten seconds to end its answer: then the connection is let go', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const letGo = Promise.withResolvers<void>()
    const { backend } = await setUp((_, response) => response.once('close', letGo.resolve).write(taken))
    const answer = call(backend)
    await vi.waitFor(() => expect(fetched.mock.settledResults[0]?.type).toBe('fulfilled'))
    endByTimeout()
    expect(await answer).toBe('failed')
    await letGo.promise
  })

  it('fails after ten seconds though its fetch heeds no abort', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => {}))
    const { backend } = await setUp(says(taken))
    const answer = call(backend)
    endByTimeout()
    expect(await answer).toBe('failed')
  })
})

it('a subscription outlives the page, where the visitor leaves it', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  const { backend } = await setUp(says(SUBSCRIBED))
  await CALLS.subscribe.call(backend)
  expect(fetched.mock.lastCall?.[0]).toMatchObject({ keepalive: true })
})

describe('the Idempotency-Key of an enquiry', () => {
  /** Answers in this order. */
  async function setUpWith(...answers: ('received' | 'declined' | 'dropped' | 'unavailable')[]) {
    const { backend, received } = await setUp((request, response) => {
      const answer = answers.shift()
      if (answer === 'dropped') request.socket.destroy()
      else if (answer === 'unavailable') response.writeHead(503).end()
      else response.end(JSON.stringify({ success: answer === 'received' }))
    })
    return { backend, keys: () => received.map(({ headers }) => headers['idempotency-key']) }
  }

  it('is a UUID, and stays while the same message is tried again, until it is received', async () => {
    const { backend, keys } = await setUpWith('dropped', 'unavailable', 'declined', 'received', 'received')
    for (let tries = 0; tries < 5; tries += 1) await backend.sendEnquiry(anEnquiry())
    const [first, ...others] = keys()
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect(others.map((key) => key === first)).toEqual([true, true, true, false])
  })

  it('is new when a field changes', async () => {
    const { backend, keys } = await setUpWith()
    for (const field of ENQUIRY_FIELDS) await backend.sendEnquiry(anEnquiry({ [field]: 'changed@example.com' }))
    expect(new Set(keys()).size).toBe(ENQUIRY_FIELDS.length)
  })

  it('is absent where the browser makes no UUID, and the enquiry is sent', async () => {
    vi.stubGlobal('crypto', {})
    const { backend, keys } = await setUpWith('received')
    expect(await backend.sendEnquiry(anEnquiry())).toBe('received')
    expect(keys()).toEqual([undefined])
  })
})

const ORIGIN = 'http://page.test'
const jar = (cookies: string) => ({ read: () => cookies, write() {} })

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

it('the typed client keeps a path that begins with // on its own origin, and takes further headers', async () => {
  const { origin, port, received } = await localServer(says('{}'))
  const client = createApiClient({ origin, cookies: jar('') })
  const path = `//localhost:${port}/thing`
  await client.POST(path as '/api/subscribe', { body: subscriptionOf('a@b.co'), headers: { 'X-Extra': 'one' } })
  expect(received[0]).toMatchObject({ path, headers: { host: `127.0.0.1:${port}`, 'x-extra': 'one' } })
})
