import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpBackend } from '../../src/adapters/http-backend.ts'
import type { Enquiry } from '../../src/domain/enquiry.ts'
import type { Backend } from '../../src/domain/ports.ts'
import { createFakeTimers, type FakeTimers } from '../support/fake-timers.ts'
import { localServer, says } from './local-server.ts'

const enquiry: Enquiry = { first: 'Given', last: 'Family', email: 'visitor@example.com', message: 'When?' }

const CALLS: [name: string, call: (backend: Backend) => Promise<string>, taken: string][] = [
  ['subscribing', (backend) => backend.subscribe('visitor@example.com'), '{"success":true,"email_exists":false}'],
  ['sending an enquiry', (backend) => backend.sendEnquiry(enquiry), '{"success":true}'],
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

const backendAt = (origin: string, cookies = '') =>
  httpBackend({ origin, timers, cookies: { read: () => cookies, write() {} } })

async function setUp(answer: RequestListener, cookies?: string) {
  const server = await localServer(answer)
  return { ...server, backend: backendAt(server.origin, cookies) }
}

describe('the answer to a subscription', () => {
  it.each([
    ['subscribed', '{"success":true,"email_exists":false}'],
    ['already-subscribed', '{"success":true,"email_exists":true}'],
    ['declined', '{"success":false,"email_exists":false}'],
    ['declined', '{"success":false,"email_exists":true}'],
    ['declined', '{"success":false}'],
    ['subscribed', ' {"email_exists":false, "more": [1], "success":true}\n'],
  ])('is %s: %s', async (answer, body) => {
    const { backend } = await setUp(says(body))
    expect(await backend.subscribe('visitor@example.com')).toBe(answer)
  })

  it.each([
    '{}',
    '{"success":true}',
    '{"email_exists":false}',
    '{"success":true,"email_exists":null}',
    '{"success":true,"email_exists":"false"}',
    '{"success":true,"email_exists":0}',
    '{"success":"true","email_exists":false}',
    '{"success":1,"email_exists":false}',
    '{"success":null,"email_exists":false}',
    '{"success":false,"email_exists":"true"}',
    '{"success":false,"email_exists":null}',
    '{"data":{"success":true,"email_exists":false}}',
    '{"__proto__":{"success":true,"email_exists":false}}',
    '[{"success":true,"email_exists":false}]',
  ])('is failed: %s', async (body) => {
    const { backend } = await setUp(says(body))
    expect(await backend.subscribe('visitor@example.com')).toBe('failed')
  })
})

describe('the answer to an enquiry', () => {
  it.each([
    ['received', '{"success":true}'],
    ['received', '{"success":true,"more":null}'],
    ['declined', '{"success":false}'],
  ])('is %s: %s', async (answer, body) => {
    const { backend } = await setUp(says(body))
    expect(await backend.sendEnquiry(enquiry)).toBe(answer)
  })

  it.each([
    '{}',
    '{"success":null}',
    '{"success":"true"}',
    '{"success":"false"}',
    '{"success":1}',
    '{"success":[true]}',
    '{"Success":true}',
    '[{"success":true}]',
  ])('is failed: %s', async (body) => {
    const { backend } = await setUp(says(body))
    expect(await backend.sendEnquiry(enquiry)).toBe('failed')
  })
})

describe.each(CALLS)('%s fails, and never rejects,', (_, call, taken) => {
  const failsWith = async (answer: RequestListener) => {
    const { backend } = await setUp(answer)
    expect(await call(backend)).toBe('failed')
  }

  it.each([
    ['HTML', '<!doctype html><title>Welcome to the hotel</title>'],
    ['nothing', ''],
    ['white space', ' \n'],
    ['truncated JSON', taken.slice(0, -1)],
    ['JSON with something behind', `${taken}}`],
    ['null', 'null'],
    ['an array', '[]'],
    ['a string', '"success"'],
    ['a number', '1'],
    ['true', 'true'],
  ])('when the body of a 200 is %s', async (_, body) => {
    await failsWith(says(body, 200, { 'Content-Length': Buffer.byteLength(body) }))
    await failsWith(says(body, 200, { 'Transfer-Encoding': 'chunked' }))
  })

  it('when the answer is 204', async () => {
    await failsWith((_, response) => response.writeHead(204).end())
  })

  it.each([300, 304, 400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503, 504, 599])(
    'when the status is %i, whatever the body',
    async (status) => {
      await failsWith(says(taken, status))
      await failsWith(says('<h1>Sorry</h1>', status, { 'Content-Type': 'text/html' }))
      await failsWith(says('{"title":"Sorry"}', status, { 'Content-Type': 'application/problem+json' }))
      await failsWith(says('', status, { 'Content-Length': 0 }))
    },
  )

  it.each([301, 302, 303, 307, 308])('when a %i leads elsewhere, and goes nowhere', async (status) => {
    const { backend, received } = await setUp((request, response) =>
      request.url === '/elsewhere'
        ? response.end(taken)
        : response.writeHead(status, { Location: '/elsewhere' }).end('<h1>Moved</h1>'),
    )
    expect(await call(backend)).toBe('failed')
    expect(received).toHaveLength(1)
  })

  it('when the connection is refused', async () => {
    const { backend, stop } = await setUp(says(taken))
    await stop()
    expect(await call(backend)).toBe('failed')
  })

  it('when the connection drops before the answer', async () => {
    await failsWith((request) => request.socket.destroy())
  })

  it('when the connection drops within the headers', async () => {
    await failsWith(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Ty', () => socket.destroy())
    })
  })

  it('when the connection drops within a body of known length', async () => {
    await failsWith((_, response) => {
      response.writeHead(200, { 'Content-Length': taken.length + 1 })
      response.write(taken, () => response.destroy())
    })
  })

  it('when the connection drops within a chunked body, even after a whole answer', async () => {
    await failsWith((_, response) => {
      response.write(taken, () => response.destroy())
    })
  })

  it('when what answers is not HTTP', async () => {
    await failsWith(({ socket }) => socket.end('220 mail.example.com ESMTP\r\n'))
  })
})

describe.each(CALLS)('%s goes without the XSRF header', (_, call, taken) => {
  it.each(['%E6%96%87', 'a%0d%0ab', 'a%00'])('when the cookie holds what no header can: %s', async (value) => {
    const { backend, received } = await setUp(says(taken), `XSRF-TOKEN=${value}`)
    expect(await call(backend)).not.toBe('failed')
    expect(received).toHaveLength(1)
  })
})

describe.each(CALLS)('%s takes any status of 2xx', (_, call, taken) => {
  it.each([201, 202, 299])('such as %i', async (status) => {
    const { backend } = await setUp(says(taken, status))
    expect(await call(backend)).not.toBe('failed')
  })
})

describe.each(CALLS)('%s has ten seconds', (_, call, taken) => {
  /** An answer that the test goes on with by hand, and whether the page has let go of it. */
  function slowAnswer() {
    const arrived = Promise.withResolvers<Parameters<RequestListener>[1]>()
    const letGo = Promise.withResolvers<void>()
    const listener: RequestListener = (_, response) => {
      response.once('close', letGo.resolve)
      arrived.resolve(response)
    }
    return { listener, arrived: arrived.promise, letGo: letGo.promise }
  }

  it('to begin its answer: then it fails, and the connection is let go', async () => {
    const { listener, arrived, letGo } = slowAnswer()
    const { backend } = await setUp(listener)
    const answer = call(backend)
    await arrived
    timers.advance(10_000)
    expect(await answer).toBe('failed')
    await letGo
  })

  it('to end its answer: then it fails, and the connection is let go', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const { listener, arrived, letGo } = slowAnswer()
    const { backend } = await setUp(listener)
    const answer = call(backend)
    const response = await arrived
    response.write(taken)
    await vi.waitFor(() => expect(fetched.mock.settledResults[0]?.type).toBe('fulfilled'))
    timers.advance(10_000)
    expect(await answer).toBe('failed')
    await letGo
  })

  it('and not a millisecond less', async () => {
    const { listener, arrived } = slowAnswer()
    const { backend } = await setUp(listener)
    const answer = call(backend)
    const response = await arrived
    response.write(taken.slice(0, 5))
    timers.advance(9999)
    response.end(taken.slice(5))
    expect(await answer).not.toBe('failed')
  })

  it('each time it is tried', async () => {
    const first = slowAnswer()
    const listeners = [first.listener, says(taken)]
    const { backend } = await setUp((...exchange) => listeners.shift()?.(...exchange))
    const answer = call(backend)
    await first.arrived
    timers.advance(10_000)
    expect(await answer).toBe('failed')
    expect(await call(backend)).not.toBe('failed')
  })
})

describe('the request', () => {
  it('of a subscription is what the contract says', async () => {
    const { backend, received } = await setUp(says('{"success":true,"email_exists":false}'), 'XSRF-TOKEN=a%3Db')
    await backend.subscribe("Visitor+news.o'neil@Example.com")
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      method: 'POST',
      path: '/api/subscribe',
      headers: { 'content-type': 'application/json', 'x-xsrf-token': 'a=b' },
      body: `{"email":"Visitor+news.o'neil@Example.com"}`,
    })
    expect(received[0]?.headers).not.toHaveProperty('idempotency-key')
  })

  it('of an enquiry is what the contract says', async () => {
    const { backend, received } = await setUp(says('{"success":true}'), 'XSRF-TOKEN=a%3Db')
    const typed = { first: 'José', last: '李', email: 'visitor@example.com', message: 'One\n"two" 👍' }
    const withMore = { ...typed, middle: 'never sent' }
    await backend.sendEnquiry(withMore)
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      method: 'POST',
      path: '/api/contact-us',
      headers: { 'content-type': 'application/json', 'x-xsrf-token': 'a=b' },
    })
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      name: { first: 'José', last: '李' },
      email: 'visitor@example.com',
      msg: 'One\n"two" 👍',
    })
  })
})

describe('the Idempotency-Key of an enquiry', () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

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

  it('is a UUID', async () => {
    const { backend, keys } = await setUpWith('received')
    await backend.sendEnquiry(enquiry)
    expect(keys()).toEqual([expect.stringMatching(UUID)])
  })

  it('stays while the same message is tried again', async () => {
    const { backend, keys } = await setUpWith('dropped', 'unavailable', 'declined', 'received')
    for (let tries = 0; tries < 4; tries += 1) await backend.sendEnquiry({ ...enquiry })
    expect(keys()).toHaveLength(4)
    expect(new Set(keys()).size).toBe(1)
  })

  it.each(['first', 'last', 'email', 'message'] as const)('is new when the field %s changes', async (field) => {
    const { backend, keys } = await setUpWith('unavailable', 'received')
    await backend.sendEnquiry(enquiry)
    await backend.sendEnquiry({ ...enquiry, [field]: 'changed@example.com' })
    expect(new Set(keys()).size).toBe(2)
  })

  it('is new for the same message after a success', async () => {
    const { backend, keys } = await setUpWith('received', 'received')
    await backend.sendEnquiry(enquiry)
    await backend.sendEnquiry(enquiry)
    expect(new Set(keys()).size).toBe(2)
  })

  it('is absent where the browser makes no UUID, and the enquiry is sent', async () => {
    vi.stubGlobal('crypto', {})
    const { backend, keys } = await setUpWith('received')
    expect(await backend.sendEnquiry(enquiry)).toBe('received')
    expect(keys()).toEqual([undefined])
  })
})
