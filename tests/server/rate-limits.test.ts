import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { limitRates } from '../../server/http/rate-limits.ts'
import { readSettings } from '../../server/settings.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

// The timers are faked before the server starts, because its timers end each minute and hour of the limits.
vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval'] })

const PROXY = '192.0.2.1'
const server = await buildTestApp({
  RATE_LIMIT: true,
  RATE_LIMIT_SUBSCRIBE: { minute: 2, hour: 3 },
  RATE_LIMIT_CONTACT_US: { minute: 1, hour: 1 },
  TRUST_PROXY: [PROXY],
})
afterAll(server.close)
afterAll(() => void vi.useRealTimers())

const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000)

// Each test begins with a new hour.
beforeEach(() => pass(3600 - (performance.now() % 3_600_000) / 1000))

/** A call with a wrong token and without a body: 403 if the limits let it through. */
const call = (path = '/api/subscribe', remoteAddress = '203.0.113.1', headers = {}) =>
  server.app.inject({ method: 'POST', url: path, remoteAddress, headers: { cookie: 'XSRF-TOKEN=a', ...headers } })

/** Makes five calls. Returns how many of them the limits allow. */
async function countAllowed(headers = {}) {
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) statuses.push((await call('/api/subscribe', '203.0.113.1', headers)).statusCode)
  return statuses.filter((status) => status === 403).length
}

test('an address has a limit per minute and per hour; calls over it do not count', async () => {
  expect(await countAllowed()).toBe(2)
  pass(60)
  expect(await countAllowed()).toBe(1)
  pass(3600)
  expect(await countAllowed()).toBe(2)
})

test('calls of another site do not count', async () => {
  await countAllowed({ 'sec-fetch-site': 'cross-site' })
  expect(await countAllowed()).toBe(2)
})

test('a refused client learns in how many seconds its next call is accepted', async () => {
  await countAllowed()
  pass(12.5)
  expect((await call()).headers).toMatchObject({ 'retry-after': '48' })
  pass(47.5)
  await countAllowed()
  expect((await call()).headers).toMatchObject({ 'retry-after': '3540' })
})

test('a limit holds when the clock of the machine is changed', async () => {
  await countAllowed()
  for (const hours of [-2, 4]) {
    vi.setSystemTime(Date.now() + hours * 3_600_000)
    expect((await call()).headers).toMatchObject({ 'retry-after': '60' })
  }
})

test('after 100,000 other addresses a limit starts again, so that the memory is bounded', async () => {
  const guard = limitRates({ ...readSettings({}), RATE_LIMIT_SUBSCRIBE: { minute: 1, hour: 1 } })
  const request = { url: '/api/subscribe', headers: {}, routeOptions: { schema: { operationId: 'subscribe' } } }
  const reply: object = new Proxy({ request }, { get: (of, name) => (name === 'request' ? of.request : () => reply) })
  const isRefused = (ip: string) =>
    guard({ ...request, ip } as unknown as FastifyRequest, reply as FastifyReply) !== undefined
  expect([isRefused('203.0.113.1'), isRefused('203.0.113.1')]).toEqual([false, true])
  for (let i = 0; i < 100_000; i++) isRefused(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  expect(isRefused('203.0.113.1')).toBe(false)
})

const callDirectly = (address: string) => call('/api/contact-us', address)
const callThrough = (proxy: string) => (forwarded: string) =>
  call('/api/contact-us', proxy, { 'x-forwarded-for': forwarded })

test.each([
  ['addresses of a /56', 1, callDirectly, ['2001:db8:1:2::1', '2001:db8:1:ff:ffff::9']],
  ['addresses of two /56', 2, callDirectly, ['2001:db8:1:200::1', '2001:db8:1:100::1']],
  ['an IPv4 address and its form in IPv6', 1, callDirectly, ['::ffff:203.0.113.3', '203.0.113.3']],
  ['headers of a proxy that is not trusted', 1, callThrough('203.0.113.6'), ['198.51.100.1', '198.51.100.2']],
  ['two addresses behind a trusted proxy', 2, callThrough(PROXY), ['198.51.100.6', '198.51.100.7']],
  ['made-up first addresses', 1, callThrough(PROXY), ['198.51.100.4', 'junk, 198.51.100.4']],
  ['ports of IPv4', 1, callThrough(PROXY), ['198.51.100.8:1', '198.51.100.8']],
  ['ports of IPv6', 1, callThrough(PROXY), ['[2001:db8:2::1]:1', '[2001:db8:2::2]:2', '2001:db8:2::3']],
])('%s count as this number of clients: %i', async (_, clients, callFrom, addresses) => {
  const statuses: number[] = []
  for (const address of addresses) statuses.push((await callFrom(address)).statusCode)
  expect(statuses.filter((status) => status === 403)).toHaveLength(clients)
})
