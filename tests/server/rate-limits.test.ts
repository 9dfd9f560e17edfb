import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'

// Before the server starts, whose timers end the windows.
vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] })

describe('an address', () => {
  let call: () => Promise<{ readonly statusCode: number; readonly headers: Record<string, unknown> }>
  beforeEach(async () => {
    const rateLimits = { subscribe: { minute: 2, hour: 3 }, contactUs: { minute: 1, hour: 1 } }
    const { app, close } = await buildTestApp({ access: { rateLimits } })
    onTestFinished(close)
    call = () => app.inject({ method: 'POST', url: '/api/subscribe', headers: { 'content-type': 'text/plain' } })
  })

  /** How many of so many calls are not refused with 429. */
  async function allowed(calls: number) {
    const statuses: number[] = []
    for (let i = 0; i < calls; i++) statuses.push((await call()).statusCode)
    return statuses.filter((status) => status !== 429).length
  }

  const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000)

  test('has so many calls in a minute', async () => {
    expect(await allowed(5)).toBe(2)
  })

  test('has so many calls in an hour, in which refused calls do not count', async () => {
    await allowed(5)
    pass(60)
    expect(await allowed(5)).toBe(1)
    pass(3600)
    expect(await allowed(5)).toBe(2)
  })

  test('hears in how many seconds its next call is taken', async () => {
    await allowed(2)
    pass(12.5)
    expect((await call()).headers).toMatchObject({ 'retry-after': '48' })
    pass(47.5)
    expect(await allowed(2)).toBe(1)
    expect((await call()).headers).toMatchObject({ 'retry-after': '3540' })
  })

  test.each([-2, 2])('counts on when the clock of the machine is set by %i hours', async (hours) => {
    await allowed(2)
    vi.setSystemTime(Date.now() + hours * 3_600_000)
    expect((await call()).headers).toMatchObject({ 'retry-after': '60' })
  })
})

const PROXY = '192.0.2.1'

const rateLimits = { subscribe: { minute: 2, hour: 60 }, contactUs: { minute: 1, hour: 20 } }
const server = await buildTestApp({ access: { rateLimits, trustProxy: [PROXY, '2001:db8:ffff::/48'] } })
afterAll(server.close)

/** A call that nothing but the limits looks at. */
const call = (remoteAddress: string, headers = {}, url = '/api/subscribe') =>
  server.app.inject({ method: 'POST', url, remoteAddress, headers: { 'content-type': 'text/plain', ...headers } })

test('each operation has its limit, which is checked before the token and the body', async () => {
  const wrongToken = { cookie: 'XSRF-TOKEN=a' }
  const ofBoth = ['/api/subscribe', '/api/subscribe', '/api/subscribe', '/api/contact-us', '/api/contact-us']
  const answers = []
  for (const url of ofBoth) answers.push(await call('203.0.113.1', wrongToken, url))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 429, 403, 429])
  const last = answers.at(-1)
  if (last) expectProblem(last, 429)
  expect(last?.headers).toMatchObject({ 'retry-after': '60' })
})

test('neither the page counts nor a call of another site', async () => {
  for (let i = 0; i < 3; i++) {
    expect((await server.app.inject({ url: '/', remoteAddress: '203.0.113.2' })).statusCode).toBe(200)
    expectProblem(await call('203.0.113.2', { 'sec-fetch-site': 'cross-site' }), 403)
  }
  expect((await call('203.0.113.2')).statusCode).toBe(415)
})

const by = (proxy: string) => (passedOn: string) => call(proxy, { 'x-forwarded-for': passedOn }, '/api/contact-us')
const directly = (address: string) => call(address, {}, '/api/contact-us')

// What is counted here may come once a minute.
test.each([
  ['a /64', true, directly, ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9']],
  ['two of /64', false, directly, ['2001:db8:1:4::1', '2001:db8:1:3::1']],
  ['IPv4 as IPv6', true, directly, ['::ffff:203.0.113.3', '203.0.113.3']],
  ['a header of a proxy that is not trusted', true, by('203.0.113.6'), ['198.51.100.1', '198.51.100.2']],
  ['two behind a trusted proxy', false, by(PROXY), ['198.51.100.6', '198.51.100.7']],
  ['a made-up first address', true, by(PROXY), ['198.51.100.4', '203.0.113.7, 198.51.100.4', 'junk, 198.51.100.4']],
  ['through two trusted proxies', true, by(PROXY), ['198.51.100.5', '198.51.100.5, 2001:db8:ffff::1']],
  ['any port', true, by(PROXY), ['198.51.100.8:1', '198.51.100.8:2', '198.51.100.8']],
  ['any port of IPv6', true, by(PROXY), ['[2001:db8:2::1]:1', '[2001:db8:2::2]:2', '2001:db8:2::3']],
  ['what is no address, as the proxy', true, by(PROXY), ['junk', '_hidden', '1.2.3.4.']],
])('addresses that count as one client: %s: %s', async (_, isSame, from, addresses) => {
  const statuses: number[] = []
  for (const address of addresses) statuses.push((await from(address)).statusCode)
  expect(statuses).toEqual([415, ...addresses.slice(1).map(() => (isSame ? 429 : 415))])
})
