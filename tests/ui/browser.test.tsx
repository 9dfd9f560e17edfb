import { afterEach, describe, expect, test } from 'vitest'
import { cdp } from 'vitest/browser'
import { browserCookies, browserTimers } from '../../src/adapters/browser.ts'
import { clearCookie, readCookie, setCookie } from '../../src/domain/cookies.ts'

const NAME = 'a test; with=signs'

afterEach(() => clearCookie(browserCookies, NAME))

/** What the browser keeps of the cookie, beyond what a page may read. */
async function kept() {
  const { cookies } = await cdp().send('Network.getCookies', { urls: [location.href] })
  return cookies.find(({ name }) => name === encodeURIComponent(NAME))
}

/** Holds the cookie that `set` sets to so many minutes, to the second, however long all that takes. */
async function expectToLive(minutes: number, set: () => void) {
  const before = Date.now()
  set()
  const ends = Number((await kept())?.expires) * 1000
  expect(ends - minutes * 60_000).toBeGreaterThan(before - 1000)
  expect(ends - minutes * 60_000).toBeLessThan(Date.now() + 1000)
}

describe("the browser's cookies", () => {
  test('give back what was set', () => {
    setCookie(browserCookies, NAME, 'a=b; c, "d" 100% ü')
    expect(readCookie(browserCookies, NAME)).toBe('a=b; c, "d" 100% ü')
  })

  test('know nothing of a name that was not set', () => {
    setCookie(browserCookies, NAME, 'here')
    expect(readCookie(browserCookies, 'a test')).toBeNull()
  })

  test('forget what is cleared', () => {
    setCookie(browserCookies, NAME, 'here')
    clearCookie(browserCookies, NAME)
    expect(readCookie(browserCookies, NAME)).toBeNull()
  })

  test('live for 30 minutes unless told otherwise', () =>
    expectToLive(30, () => setCookie(browserCookies, NAME, 'here')))

  test('live for the minutes that they are given', () =>
    expectToLive(5, () => setCookie(browserCookies, NAME, 'here', { minutes: 5 })))

  test('belong to the path that they are given, and are cleared by it', async () => {
    setCookie(browserCookies, NAME, 'everywhere', { path: '/' })
    expect((await kept())?.path).toBe('/')
    clearCookie(browserCookies, NAME, '/')
    expect(await kept()).toBeUndefined()
  })

  test('are not seen on another path', () => {
    setCookie(browserCookies, NAME, 'elsewhere', { path: '/elsewhere' })
    expect(readCookie(browserCookies, NAME)).toBeNull()
    clearCookie(browserCookies, NAME, '/elsewhere')
  })
})

describe("the browser's timers", () => {
  test('run once after a delay, and again and again at an interval, until they are stopped', async () => {
    const ran: string[] = []
    browserTimers.after(1, () => ran.push('stopped'))()
    browserTimers.after(1, () => ran.push('once'))
    const stop = browserTimers.every(1, () => ran.push('again'))
    await expect.poll(() => ran.filter((one) => one === 'again').length).toBeGreaterThan(2)
    stop()
    const until = ran.length
    await new Promise<void>((resolve) => browserTimers.after(20, resolve))
    expect(ran).toHaveLength(until)
    expect(ran.filter((one) => one === 'once')).toHaveLength(1)
    expect(ran).not.toContain('stopped')
  })
})
