import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpBackend } from '../../src/adapters/http-backend.ts'
import { ENQUIRY_FIELDS } from '../../src/domain/enquiry.ts'
import type { Backend } from '../../src/domain/ports.ts'
import { createFakeTimers, type FakeTimers } from '../support/fake-timers.ts'
import { ENQUIRY } from '../support/visitors.ts'
import { localServer, says } from './local-server.ts'

const subscribe = (backend: Backend) => backend.subscribe("Visitor+o'neil@Example.com")
const sendEnquiry = (backend: Backend) => backend.sendEnquiry(ENQUIRY)
const SUBSCRIBED = '{"success":true,"email_exists":false}'
const RECEIVED = '{"success":true}'
const CALLS: [name: string, call: (backend: Backend) => Promise<string>, taken: string][] = [
  ['subscribing', subscribe, SUBSCRIBED],
  ['sending an enquiry', sendEnquiry, RECEIVED],
]

let timers: FakeTimers

beforeEach(() => {
  timers = createFakeTimers()
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  expect(timers.pending(), 'timers left running').toBe(0)
})

async function setUp(answer: RequestListener, cookies = '') {
  const server = await localServer(answer)
  const options = { origin: server.origin, timers, cookies: { read: () => cookies, write() {} } }
  return { ...server, backend: httpBackend(options) }
}

it.each([
  ['subscribed', SUBSCRIBED],
  ['subscribed', ' {"email_exists":false, "more": [1], "success":true}\n'],
  ['already-subscribed', '{"success":true,"email_exists":true}'],
  ['declined', '{"success":false,"email_exists":true}'],
  ['declined', '{"success":false}'],
  ['failed', '{}'],
  ['failed', '{"success":true}'],
  ['failed', '{"success":true,"email_exists":"false"}'],
  ['failed', '{"success":"true","email_exists":false}'],
  ['failed', '{"success":false,"email_exists":null}'],
  ['failed', `[${SUBSCRIBED}]`],
])('the answer to a subscription is %s: %s', async (answer, body) => {
  const { backend } = await setUp(says(body))
  expect(await subscribe(backend)).toBe(answer)
})

it.each([
  ['received', '{"success":true,"more":null}'],
  ['declined', '{"success":false}'],
  ['failed', '{}'],
  ['failed', '{"success":null}'],
  ['failed', '{"success":"true"}'],
  ['failed', `[${RECEIVED}]`],
])('the answer to an enquiry is %s: %s', async (answer, body) => {
  const { backend } = await setUp(says(body))
  expect(await sendEnquiry(backend)).toBe(answer)
})

describe.each(CALLS)('%s', (_, call, taken) => {
  it.each(['<!doctype html><title>Welcome to the hotel</title>', '', taken.slice(0, -1), `${taken}}`, 'null', '1'])(
    'fails, and never rejects, when the body of a 200 is %j',
    async (body) => {
      const { backend } = await setUp(says(body))
      expect(await call(backend)).toBe('failed')
    },
  )

  it.each([300, 304, 400, 422, 500, 503, 599])('fails when the status is %i, whatever the body', async (status) => {
    const { backend } = await setUp(says(taken, status))
    expect(await call(backend)).toBe('failed')
  })

  it.each([302, 307])('fails when a %i leads elsewhere, and takes nothing there', async (status) => {
    const { backend, received } = await setUp((request, response) =>
      request.url === '/elsewhere' ? response.end(taken) : response.writeHead(status, { Location: '/elsewhere' }).end(),
    )
    expect(await call(backend)).toBe('failed')
    expect(received).toHaveLength(1)
  })

  it.each<[string, RequestListener]>([
    ['drops before the answer', ({ socket }) => socket.destroy()],
    ['drops within the headers', ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-Ty', () => socket.destroy())],
    [
      'drops within a body of known length',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': taken.length + 1 })
        response.write(taken, () => response.destroy())
      },
    ],
    ['drops after a whole answer in chunks', (_, response) => response.write(taken, () => response.destroy())],
    ['speaks no HTTP', ({ socket }) => socket.end('220 mail.example.com ESMTP\r\n')],
  ])('fails when the connection %s', async (_, answer) => {
    const { backend } = await setUp(answer)
    expect(await call(backend)).toBe('failed')
  })

  it('fails when the connection is refused', async () => {
    const { backend, stop } = await setUp(says(taken))
    await stop()
    expect(await call(backend)).toBe('failed')
  })

  it('goes without the XSRF header when the cookie holds what no header can, and takes any status of 2xx', async () => {
    const { backend, received } = await setUp(says(taken, 299), 'XSRF-TOKEN=a%0d%0ab')
    expect(await call(backend)).not.toBe('failed')
    expect(received[0]?.headers).not.toHaveProperty('x-xsrf-token')
  })

  /** An answer that the test goes on with by hand, and whether the page has let go of it. */
  async function setUpSlowly() {
    const arrived = Promise.withResolvers<Parameters<RequestListener>[1]>()
    const letGo = Promise.withResolvers<void>()
    const { backend } = await setUp((_, response) => {
      response.once('close', letGo.resolve)
      arrived.resolve(response)
    })
    return { answer: call(backend), arrived: arrived.promise, letGo: letGo.promise }
  }

  it.each(['begin', 'end'])('has ten seconds to %s its answer: then the connection is let go', async (what) => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const { answer, arrived, letGo } = await setUpSlowly()
    const response = await arrived
    if (what === 'end') {
      response.write(taken)
      await vi.waitFor(() => expect(fetched.mock.settledResults[0]?.type).toBe('fulfilled'))
    }
    timers.advance(10_000)
    expect(timers.pending()).toBe(0)
    expect(await answer).toBe('failed')
    await letGo
  })

  it('has not a millisecond less', async () => {
    const { answer, arrived } = await setUpSlowly()
    const response = await arrived
    response.write(taken.slice(0, 5))
    timers.advance(9999)
    response.end(taken.slice(5))
    expect(await answer).not.toBe('failed')
  })
})

it('the requests are what the contract says', async () => {
  const { backend, received } = await setUp(says(SUBSCRIBED), 'XSRF-TOKEN=a%3Db')
  await subscribe(backend)
  const withMore = { first: 'José', last: '李', email: 'a@b.co', message: 'One\n"two" 👍', middle: 'never sent' }
  await backend.sendEnquiry(withMore)
  const headers = { 'content-type': 'application/json', 'x-xsrf-token': 'a=b' }
  expect(received).toMatchObject([
    { method: 'POST', path: '/api/subscribe', headers },
    { method: 'POST', path: '/api/contact-us', headers },
  ])
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([
    { email: "Visitor+o'neil@Example.com" },
    { name: { first: 'José', last: '李' }, email: 'a@b.co', msg: 'One\n"two" 👍' },
  ])
  expect(received.map(({ headers }) => 'idempotency-key' in headers)).toEqual([false, true])
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
    for (let tries = 0; tries < 5; tries += 1) await backend.sendEnquiry({ ...ENQUIRY })
    const [first, ...others] = keys()
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect(others.map((key) => key === first)).toEqual([true, true, true, false])
  })

  it.each(ENQUIRY_FIELDS)('is new when the field %s changes', async (field) => {
    const { backend, keys } = await setUpWith('unavailable', 'received')
    await backend.sendEnquiry(ENQUIRY)
    await backend.sendEnquiry({ ...ENQUIRY, [field]: 'changed@example.com' })
    expect(new Set(keys()).size).toBe(2)
  })

  it('is absent where the browser makes no UUID, and the enquiry is sent', async () => {
    vi.stubGlobal('crypto', {})
    const { backend, keys } = await setUpWith('received')
    expect(await backend.sendEnquiry(ENQUIRY)).toBe('received')
    expect(keys()).toEqual([undefined])
  })
})
