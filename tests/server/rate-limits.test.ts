import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'

// Before the server starts, whose timers end the windows.
vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] })

const PROXY = '192.0.2.1'
const rateLimits = { subscribe: { minute: 2, hour: 3 }, contactUs: { minute: 1, hour: 1 } }
const server = await buildTestApp({ access: { rateLimits, trustProxy: [PROXY, '2001:db8:ffff::/48'] } })
afterAll(server.close)
afterAll(() => void vi.useRealTimers())

const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000)

// Each test begins with a new hour.
beforeEach(() => pass(3600 - (performance.now() % 3_600_000) / 1000))

/** A call with a wrong token and without a body: 403 if the limits let it through. */
const call = (path = '/api/subscribe', remoteAddress = '203.0.113.1', headers = {}) =>
  server.app.inject({ method: 'POST', url: path, remoteAddress, headers: { cookie: 'XSRF-TOKEN=a', ...headers } })

/** How many of five calls are let through. */
async function allowed() {
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) statuses.push((await call()).statusCode)
  return statuses.filter((status) => status === 403).length
}

test('an address has so many calls a minute and an hour; refused ones do not count', async () => {
  expect(await allowed()).toBe(2)
  pass(60)
  expect(await allowed()).toBe(1)
  pass(3600)
  expect(await allowed()).toBe(2)
})

test('an address hears in how many seconds its next call is taken', async () => {
  await allowed()
  pass(12.5)
  const answer = await call()
  expectProblem(answer, 429)
  expect(answer.headers).toMatchObject({ 'retry-after': '48' })
  pass(47.5)
  await allowed()
  expect((await call()).headers).toMatchObject({ 'retry-after': '3540' })
})

test('a limit holds when the clock of the machine is set', async () => {
  await allowed()
  for (const hours of [-2, 4]) {
    vi.setSystemTime(Date.now() + hours * 3_600_000)
    expect((await call()).headers).toMatchObject({ 'retry-after': '60' })
  }
})

const direct = (address: string) => call('/api/contact-us', address)
const by = (proxy: string) => (forwarded: string) => call('/api/contact-us', proxy, { 'x-forwarded-for': forwarded })

test.each([
  ['addresses of a /64', 1, direct, ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9']],
  ['addresses of two /64', 2, direct, ['2001:db8:1:4::1', '2001:db8:1:3::1']],
  ['an IPv4 address and its form in IPv6', 1, direct, ['::ffff:203.0.113.3', '203.0.113.3']],
  ['headers of a proxy that is not trusted', 1, by('203.0.113.6'), ['198.51.100.1', '198.51.100.2']],
  ['two addresses behind a trusted proxy', 2, by(PROXY), ['198.51.100.6', '198.51.100.7']],
  ['made-up first addresses', 1, by(PROXY), ['198.51.100.4', '203.0.113.7, 198.51.100.4', 'junk, 198.51.100.4']],
  ['ways through one and two trusted proxies', 1, by(PROXY), ['198.51.100.5', '198.51.100.5, 2001:db8:ffff::1']],
  ['ports of IPv4', 1, by(PROXY), ['198.51.100.8:1', '198.51.100.8:2', '198.51.100.8']],
  ['ports of IPv6', 1, by(PROXY), ['[2001:db8:2::1]:1', '[2001:db8:2::2]:2', '2001:db8:2::3']],
  ['texts that are no address, of one proxy', 1, by(PROXY), ['junk', '1.2.3.4.']],
])('%s count as so many clients: %i', async (_, clients, from, addresses) => {
  const statuses: number[] = []
  for (const address of addresses) statuses.push((await from(address)).statusCode)
  expect(statuses.filter((status) => status === 403)).toHaveLength(clients)
})
