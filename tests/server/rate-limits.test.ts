import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AccessPolicy } from '../../server/http/access.ts'
import { createLimiter, MAX_ADDRESSES } from '../../server/http/rate-limits.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'

const LIMITS = { subscribe: { minute: 10, hour: 60 }, contactUs: { minute: 5, hour: 20 } }

let server: TestApp
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  server = await buildTestApp({ access: { rateLimits: LIMITS } })
})
afterEach(async () => {
  vi.useRealTimers()
  await server.close()
})

async function restartWith(access: Partial<AccessPolicy>) {
  await server.close()
  server = await buildTestApp({ access: { rateLimits: LIMITS, ...access } })
}

const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000)

/** A call that nothing but the limits looks at. */
const call = (remoteAddress = '192.0.2.1', url = '/api/subscribe', headers = {}) =>
  server.app.inject({ method: 'POST', url, remoteAddress, headers: { 'content-type': 'text/plain', ...headers } })

/** How many of `count` calls, one after the other, are let through. */
async function passing(count: number, ...of: Parameters<typeof call>) {
  let passed = 0
  for (let i = 0; i < count; i++) if ((await call(...of)).statusCode === 415) passed++
  return passed
}

/** Until when a call is refused, as the answer says. */
async function retryAfter() {
  const answer = await call()
  expectProblem(answer, 429)
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  return Number(answer.headers['retry-after'])
}

describe('an address', () => {
  test.each([
    ['/api/subscribe', 10, 60],
    ['/api/contact-us', 5, 20],
  ])('may call %s %i times a minute and %i times an hour', async (url, minute, hour) => {
    let taken = 0
    for (let at = 0; at < 60; at++) {
      const passed = await passing(minute + 3, '192.0.2.1', url)
      expect(passed).toBe(taken < hour ? minute : 0)
      taken += passed
      pass(60)
    }
    expect(taken).toBe(hour)
    expect(await passing(minute + 3, '192.0.2.1', url)).toBe(minute)
  })

  test('is told when its next call is taken, to the second', async () => {
    await passing(10)
    pass(12.5)
    expect(await retryAfter()).toBe(48)
    pass(47.4)
    expect(await retryAfter()).toBe(1)
    pass(0.1)
    expect(await passing(1)).toBe(1)
  })

  test('that used up its hour is told the rest of it', async () => {
    for (let minute = 0; minute < 5; minute++) {
      expect(await passing(10)).toBe(10)
      pass(60)
    }
    expect(await passing(10)).toBe(10)
    expect(await retryAfter()).toBe(55 * 60)
    pass(60)
    expect(await retryAfter()).toBe(54 * 60)
    pass(54 * 60 - 1)
    expect(await retryAfter()).toBe(1)
    pass(1)
    expect(await passing(1)).toBe(1)
  })

  test('is never told a time after which it is refused, and never kept out by what was refused', async () => {
    for (let minute = 0; minute < 6; minute++) {
      await passing(10)
      pass(60)
    }
    pass(54 * 60 - 20)
    expect(await passing(100)).toBe(0)
    pass(await retryAfter())
    expect(await passing(1)).toBe(1)
  })

  test('is let through again as soon as it waited, however often it called meanwhile', async () => {
    for (let minute = 0; minute < 5; minute++) {
      expect(await passing(100)).toBe(10)
      pass(60)
    }
  })

  test('calls each operation by a count of its own, and others do not use it up', async () => {
    expect(await passing(20)).toBe(10)
    expect(await passing(20, '192.0.2.1', '/api/contact-us')).toBe(5)
    expect(await passing(20, '192.0.2.2')).toBe(10)
  })

  test('is told 429 before anything else that is wrong with its call, and gets no cookie', async () => {
    await passing(10)
    const answer = await call('192.0.2.1', '/api/subscribe', { cookie: 'XSRF-TOKEN=a' })
    expectProblem(answer, 429)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(server.refusals).toEqual(['rate-limit'])
  })

  test('is not counted for calls that another site made in its browser', async () => {
    for (let i = 0; i < 20; i++) {
      expectProblem(await call('192.0.2.1', '/api/subscribe', { 'sec-fetch-site': 'cross-site' }), 403)
    }
    expect(await passing(20)).toBe(10)
  })

  test.each([-2, 2])('counts on when the clock of the machine is set by %i hours', async (hours) => {
    await passing(10)
    vi.setSystemTime(Date.now() + hours * 3_600_000)
    expect(await retryAfter()).toBe(60)
    pass(60)
    expect(await passing(20)).toBe(10)
  })

  test('may ask for the page as often as it likes', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => server.app.inject({ url: '/' })))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  })
})

describe('which addresses are one', () => {
  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['fe80::1%eth0', 'fe80::2%br-lan.1', true],
  ])('%s and %s: %s', async (one, other, same) => {
    expect(await passing(20, one)).toBe(10)
    expect(await passing(20, other)).toBe(same ? 0 : 10)
  })

  test('who comes by no proxy that is trusted can not choose', async () => {
    for (let i = 0; i < 10; i++) await call('192.0.2.1', '/api/subscribe', { 'x-forwarded-for': `198.51.100.${i}` })
    expect(await passing(1, '192.0.2.1', '/api/subscribe', { 'x-forwarded-for': '198.51.100.99' })).toBe(0)
  })

  test('behind trusted proxies it is who called the first of them, whatever else was made up', async () => {
    await restartWith({ trustProxy: ['192.0.2.0/24', '2001:db8::/32'] })
    const by = (proxy: string, passedOn: string) =>
      passing(20, proxy, '/api/subscribe', { 'x-forwarded-for': passedOn })
    expect(await by('192.0.2.1', '198.51.100.1')).toBe(10)
    expect(await by('192.0.2.2', '198.51.100.1')).toBe(0)
    expect(await by('192.0.2.1', '203.0.113.7, 198.51.100.1')).toBe(0)
    expect(await by('192.0.2.1', '198.51.100.1, 2001:db8::1')).toBe(0)
    expect(await by('192.0.2.1', '198.51.100.2')).toBe(10)
    expect(await by('192.0.2.1', 'nonsense, 198.51.100.2')).toBe(0)
    expect(await by('203.0.113.1', '198.51.100.3')).toBe(10)
    expect(await by('203.0.113.1', '198.51.100.4')).toBe(0)
  })
})

describe('behind a trusted proxy', () => {
  beforeEach(() => restartWith({ trustProxy: ['192.0.2.1'] }))

  async function passingOn(...clients: string[]) {
    let passed = 0
    for (const client of clients)
      passed += await passing(1, '192.0.2.1', '/api/subscribe', { 'x-forwarded-for': client })
    return passed
  }

  const numbers = Array.from({ length: 20 }, (_, i) => i + 1)

  test.each<[string, (i: number) => string, string]>([
    ['198.51.100.1', (i) => `198.51.100.1:${i}`, '198.51.100.2:1'],
    ['2001:db8::1', (i) => `[2001:db8::1]:${i}`, '[2001:db8:0:1::1]:1'],
    ['[2001:db8::1]', (i) => `2001:db8::${i}`, '[2001:db8:0:1::1]'],
  ])('a port makes nobody another client: %s', async (plain, withPort, other) => {
    expect(await passingOn(...numbers.map(withPort))).toBe(10)
    expect(await passingOn(plain)).toBe(0)
    expect(await passingOn(other)).toBe(1)
  })

  test('what is no address counts as the proxy', async () => {
    expect(await passingOn(...numbers.flatMap((i) => [`junk${i}`, `_hidden${i}`, `1.2.3.${i}.`]))).toBe(10)
    expect(await passingOn('')).toBe(0)
    expect(await passingOn('198.51.100.1')).toBe(1)
  })
})

test('without limits as many calls are taken as come', async () => {
  await restartWith({ rateLimits: null })
  expect(await passing(500)).toBe(500)
})

test(`of more than ${MAX_ADDRESSES} addresses the one that was quiet for longest is forgotten`, () => {
  const call = createLimiter({ minute: 1, hour: 1 })
  expect([call('quiet'), call('busy')]).toEqual([0, 0])
  const others = Array.from({ length: MAX_ADDRESSES - 1 }, (_, i) => [call(String(i)), call('busy')].join())
  expect(new Set(others)).toEqual(new Set(['0,3600']))
  expect(call('quiet')).toBe(0)
})
