import { expect, test } from 'vitest'
import { browserCookies } from '../../src/adapters/browser.ts'
import { clearCookie, readCookie, setCookie } from '../../src/domain/cookies.ts'

const NAME = 'a test; with=signs'
const VALUE = 'a=b; c, "d" 100% ü'
const read = () => readCookie(browserCookies.read(), NAME)

test("the browser's cookies give back what was set on their path, until it is cleared there", () => {
  setCookie(browserCookies, NAME, VALUE)
  expect(read()).toBe(VALUE)
  expect(readCookie(browserCookies.read(), 'a test')).toBeNull()
  clearCookie(browserCookies, NAME)
  setCookie(browserCookies, NAME, 'elsewhere', { path: '/elsewhere' })
  expect(read()).toBeNull()
  clearCookie(browserCookies, NAME, '/elsewhere')
  setCookie(browserCookies, NAME, 'everywhere', { path: '/' })
  expect(read()).toBe('everywhere')
  clearCookie(browserCookies, NAME, '/')
  expect(read()).toBeNull()
})
