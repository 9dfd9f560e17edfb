import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { httpBackend } from '../../src/adapters/http-backend.ts'
import type { Enquiry } from '../../src/domain/enquiry-fields.ts'
import type { Backend } from '../../src/domain/ports.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { answerWith, localServer } from '../support/local-server.ts'
import { until } from '../support/until.ts'

const CALLS = {
  subscribe: {
    call: (backend: Backend) => backend.subscribe('visitor@example.com'),
    success: '{"success":true,"email_exists":false}',
  },
  sendEnquiry: { call: (backend: Backend) => backend.sendEnquiry(anEnquiry()), success: '{"success":true}' },
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.clearAllMocks()
})

async function setUp(answer: RequestListener) {
  const server = await localServer(answer)
  const backend = httpBackend({
    origin: server.origin,
    cookies: { read: () => '', write() {} },
  })
  return { ...server, backend }
}

it.each<[body: string, answer: string, keyof typeof CALLS]>([
  [' {"success":true,"email_exists":false,"more":1}', 'subscribed', 'subscribe'],
  ['{"success":true,"email_exists":true}', 'already-subscribed', 'subscribe'],
  ['{"success":false}', 'declined', 'subscribe'],
  ['{"success":true}', 'failed', 'subscribe'],
  ['{"success":true,"more":null}', 'received', 'sendEnquiry'],
  ['{"success":false}', 'declined', 'sendEnquiry'],
  ['{"success":"true"}', 'failed', 'sendEnquiry'],
])('the answer %s means %s for %s', async (body, answer, name) => {
  const { backend } = await setUp(answerWith(body))
  expect(await CALLS[name].call(backend)).toBe(answer)
})

describe.each(Object.entries(CALLS))('a call of %s', (_, { call, success }) => {
  it.each<[string, RequestListener]>([
    ['the body of a 200 is HTML', answerWith('<!doctype html><title>Welcome to the hotel</title>')],
    ['the status is a redirect', answerWith(success, 307, { Location: '/elsewhere' })],
    ['the status is an error, with the body of a success', answerWith(success, 500)],
    ['the connection drops within the body', (_, response) => response.write(success, () => response.destroy())],
  ])('fails, and is not repeated, when %s', async (_, answer) => {
    const { backend, received } = await setUp(answer)
    expect(await call(backend)).toBe('failed')
    expect(received).toHaveLength(1)
  })

  it('fails, and is aborted, if its answer is not complete after ten seconds', async () => {
    const [late, aborted] = [new AbortController(), vi.fn()]
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
    const { backend, received } = await setUp((_, response) => void response.on('close', aborted).write(success))
    const answer = call(backend)
    await until(() => received.length)
    expect(timeout).toHaveBeenCalledWith(10_000)
    late.abort()
    expect(await answer).toBe('failed')
    await until(() => aborted.mock.calls.length)
  })

  it('fails after ten seconds even if the browser never ends the aborted call', async () => {
    const { backend } = await setUp(answerWith(success))
    vi.stubGlobal('fetch', () => new Promise(() => {}))
    vi.useFakeTimers()
    const answer = call(backend)
    vi.advanceTimersByTime(10_000)
    vi.useRealTimers()
    expect(await answer).toBe('failed')
  })
})

it('a subscription continues if the visitor leaves the page', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  const { call, success } = CALLS.subscribe
  await call((await setUp(answerWith(success))).backend)
  expect(fetched.mock.lastCall?.[0]).toMatchObject({ keepalive: true })
})

it.each<['the same key' | 'a new key', string, RequestListener, Partial<Enquiry>]>([
  ['the same key', 'if the backend declines', answerWith('{"success":false}'), {}],
  ['a new key', 'after a success', answerWith(CALLS.sendEnquiry.success), {}],
  ['a new key', 'if only one field changes', answerWith('{"success":false}'), { message: 'Why?' }],
])('a second enquiry has %s %s', async (key, _, answer, change) => {
  const { backend, received } = await setUp(answer)
  for (const fields of [{}, change]) await backend.sendEnquiry(anEnquiry(fields))
  const [earlierKey, laterKey] = received.map(({ headers }) => headers['idempotency-key'])
  expect(earlierKey).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(laterKey === earlierKey).toBe(key === 'the same key')
})

it('an enquiry is sent without a key if the browser can make no UUID', async () => {
  vi.stubGlobal('crypto', {})
  const { backend, received } = await setUp(answerWith(CALLS.sendEnquiry.success))
  expect(await backend.sendEnquiry(anEnquiry())).toBe('received')
  expect(received[0]?.headers).not.toHaveProperty('idempotency-key')
})
