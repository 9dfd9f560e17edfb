import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLimiter } from '../../server/http/rate-limits.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('an address', () => {
  let count: ReturnType<typeof createLimiter>
  beforeEach(() => {
    count = createLimiter({ minute: 10, hour: 60 })
  })

  const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000)

  /** How many of `calls`, a second apart, are allowed. */
  function allowed(calls: number, address = 'one') {
    let passed = 0
    for (let i = 0; i < calls; i++) {
      if (count(address) === 0) passed += 1
      pass(1)
    }
    return passed
  }

  test('has so many calls a minute and so many an hour; what was refused counts in neither', () => {
    for (let minute = 0; minute < 60; minute++) {
      expect(allowed(20)).toBe(minute < 6 ? 10 : 0)
      pass(40)
    }
    expect(allowed(20)).toBe(10)
    expect(allowed(20, 'other')).toBe(10)
  })

  test('is told when its next call is taken, to the second, or the rest of its hour once that is used up', () => {
    allowed(10)
    pass(2.5)
    expect(count('one')).toBe(48)
    for (let minute = 1; minute < 6; minute++) {
      pass(50)
      expect(allowed(10)).toBe(10)
    }
    expect(count('one')).toBe(3288)
    pass(3287.4)
    expect(count('one')).toBe(1)
    pass(0.1)
    expect(count('one')).toBe(0)
  })

  test.each([-2, 2])('counts on when the clock of the machine is set by %i hours', (hours) => {
    allowed(10)
    vi.setSystemTime(Date.now() + hours * 3_600_000)
    expect(count('one')).toBe(50)
  })

  test('that was quiet for longest is forgotten when there are too many', () => {
    count = createLimiter({ minute: 1, hour: 1 }, 3)
    for (const address of ['busy', 'quiet', 'third', 'busy', 'fourth']) count(address)
    expect(['busy', 'third', 'fourth', 'quiet'].map(count)).toEqual([3600, 3600, 3600, 0])
    count = createLimiter({ minute: 1, hour: 1 })
    for (let i = 0; i <= 100_000; i++) count(`${i}`)
    expect([count('1'), count('0')]).toEqual([3600, 0])
  })
})

const PROXY = '192.0.2.1'

const rateLimits = { subscribe: { minute: 2, hour: 60 }, contactUs: { minute: 1, hour: 20 } }
const server = await buildTestApp({ access: { rateLimits, trustProxy: [PROXY, '2001:db8:ffff::/48'] } })
afterAll(server.close)

/** A call that nothing but the limits looks at. */
const call = (remoteAddress: string, headers = {}, url = '/api/subscribe') =>
  server.app.inject({ method: 'POST', url, remoteAddress, headers: { 'content-type': 'text/plain', ...headers } })

test('each operation has its limit; who called too often hears when to come back, before all else that is wrong', async () => {
  const wrongToken = { cookie: 'XSRF-TOKEN=a' }
  const ofBoth = ['/api/subscribe', '/api/subscribe', '/api/subscribe', '/api/contact-us', '/api/contact-us']
  const answers = []
  for (const url of ofBoth) answers.push(await call('203.0.113.1', wrongToken, url))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 429, 403, 429])
  const last = answers.at(-1)
  if (last) expectProblem(last, 429)
  expect(last?.headers).toMatchObject({ 'retry-after': '60' })
})

test('neither the page counts nor what another site did in its browser', async () => {
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
  ['who comes by no proxy that is trusted can not choose', true, by('203.0.113.6'), ['198.51.100.1', '198.51.100.2']],
  ['two behind a trusted proxy', false, by(PROXY), ['198.51.100.6', '198.51.100.7']],
  ['whatever was made up', true, by(PROXY), ['198.51.100.4', '203.0.113.7, 198.51.100.4', 'junk, 198.51.100.4']],
  ['through two trusted proxies', true, by(PROXY), ['198.51.100.5', '198.51.100.5, 2001:db8:ffff::1']],
  ['any port', true, by(PROXY), ['198.51.100.8:1', '198.51.100.8:2', '198.51.100.8']],
  ['any port of IPv6', true, by(PROXY), ['[2001:db8:2::1]:1', '[2001:db8:2::2]:2', '2001:db8:2::3']],
  ['what is no address counts as the proxy', true, by(PROXY), ['junk', '_hidden', '1.2.3.4.']],
])('addresses that count as one client: %s: %s', async (_, isSame, from, addresses) => {
  const statuses: number[] = []
  for (const address of addresses) statuses.push((await from(address)).statusCode)
  expect(statuses).toEqual([415, ...addresses.slice(1).map(() => (isSame ? 429 : 415))])
})
