import { afterEach, expect, test } from 'vitest'
import { browserCookies } from '../../src/adapters/browser.ts'
import { clearCookie, readCookie, setCookie } from '../../src/domain/cookies.ts'

const NAME = 'a test; with=signs'

afterEach(() => clearCookie(browserCookies, NAME))

test("the browser's cookies give back what was set, until it is cleared", () => {
  setCookie(browserCookies, NAME, 'a=b; c, "d" 100% ü')
  expect(readCookie(browserCookies.read(), NAME)).toBe('a=b; c, "d" 100% ü')
  expect(readCookie(browserCookies.read(), 'a test')).toBeNull()
  clearCookie(browserCookies, NAME)
  expect(readCookie(browserCookies.read(), NAME)).toBeNull()
})

test('they belong to the path that they are given, and are cleared by it', () => {
  setCookie(browserCookies, NAME, 'elsewhere', { path: '/elsewhere' })
  expect(readCookie(browserCookies.read(), NAME)).toBeNull()
  clearCookie(browserCookies, NAME, '/elsewhere')
  setCookie(browserCookies, NAME, 'everywhere', { path: '/' })
  expect(readCookie(browserCookies.read(), NAME)).toBe('everywhere')
  clearCookie(browserCookies, NAME, '/')
  expect(readCookie(browserCookies.read(), NAME)).toBeNull()
})
