import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { AccessPolicy } from '../../server/http/access.ts'
import { FIELD_TEXTS } from '../../server/http/field-errors.ts'
import { contract } from '../support/contract/contract.ts'
import { subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'

// The contract check holds this server to every rule of the contract; here is what goes beyond.
const server = await buildTestApp()
afterAll(server.close)

type Headers = Record<string, string>

async function startWith(access: Partial<AccessPolicy>) {
  const { app, logLines, post, close } = await buildTestApp({ access })
  onTestFinished(close)
  const subscribe = (headers: Headers) => post('/api/subscribe', subscriptionOf(), headers)
  return { app, logLines, subscribe }
}

const ORIGIN = 'https://www.example.com'
const PROXY = { trustProxy: ['127.0.0.0/8'] }
const OTHER_PROXY = { trustProxy: ['192.0.2.1'] }
const PASSED_ON = { origin: ORIGIN, host: 'inner', 'x-forwarded-host': 'www.example.com' }

test.each<[string, Partial<AccessPolicy>, ours: Headers, others: Headers[]]>([
  [
    'the Host',
    {},
    { origin: ORIGIN, host: 'WWW.Example.com' },
    [
      { 'sec-fetch-site': 'cross-site', origin: ORIGIN },
      { origin: `${ORIGIN}.evil.example` },
      { origin: '' },
      PASSED_ON,
    ],
  ],
  [
    'PUBLIC_ORIGIN',
    { publicOrigin: ORIGIN },
    { origin: ORIGIN, host: 'inner' },
    [{ origin: 'https://inner', host: 'inner' }],
  ],
  ['a Host that a trusted proxy passes on', PROXY, PASSED_ON, [{ ...PASSED_ON, 'x-forwarded-host': 'evil.example' }]],
])(
  'a call is of the page itself if its Origin is that of %s; any other hears what to do',
  async (_, access, ours, others) => {
    const { subscribe } = await startWith(access)
    expect((await subscribe(ours)).statusCode).toBe(200)
    for (const headers of others) {
      const answer = await subscribe({ host: 'www.example.com', ...headers })
      expect(expectProblem(answer, 403).detail).toContain('PUBLIC_ORIGIN')
    }
  },
)

test('a client address in a header is warned of once, unless a trusted proxy sent it', async () => {
  async function warningsOf(access: Partial<AccessPolicy>) {
    const { app, logLines, subscribe } = await startWith(access)
    app.log.level = 'warn'
    for (const address of ['198.51.100.1', '198.51.100.2']) await subscribe({ 'x-forwarded-for': address })
    return logLines.filter((line) => line.includes('TRUST_PROXY'))
  }
  expect(await warningsOf(PROXY)).toEqual([])
  expect(await warningsOf(OTHER_PROXY)).toEqual([expect.stringContaining('"header":"x-forwarded-for"')])
})

test('of names that were sent a 422 holds 20, each of 100 characters at most', async () => {
  const unknown = Array.from({ length: 50 }, (_, i) => [`${i}`.padEnd(300, '😀'), 1])
  const { errors } = expectProblem(await server.post('/api/subscribe', Object.fromEntries(unknown)), 422)
  expect(errors).toHaveLength(20)
  expect(errors).toContainEqual({ pointer: `/7${'😀'.repeat(99)}`, detail: 'is not a field of the contract' })
})

test('each field of the contract has a text', () => {
  const pointers = contract.flatMap(({ objects, fields }) => [...objects, ...fields.map(({ pointer }) => pointer)])
  expect(new Set(pointers)).toEqual(new Set(FIELD_TEXTS.keys()))
})

test('it is ready once it has written a row, once a second at most', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  async function check(path: string, status: string) {
    const answer = await server.app.inject(path)
    expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([200, { status }, 'no-store'])
    return (await server.rows('readiness')).map((row) => row.checked_at)
  }
  expect(await check('/healthz', 'alive')).toEqual([])
  const before = await check('/readyz', 'ready')
  expect([before.length, await server.rows('subscribers')]).toEqual([1, []])
  vi.advanceTimersByTime(999)
  expect(await check('/readyz', 'ready')).toEqual(before)
  vi.advanceTimersByTime(1)
  expect(await check('/readyz', 'ready')).not.toEqual(before)
})

test('a body with a content encoding is told which one is taken', async () => {
  const { statusCode, headers } = await server.post('/api/subscribe', subscriptionOf(), { 'content-encoding': 'gzip' })
  expect([statusCode, headers['accept-encoding']]).toEqual([415, 'identity'])
})
