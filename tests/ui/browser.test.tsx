import { expect, test } from 'vitest'
import { browserCookies } from '../../src/adapters/browser.ts'
import { clearCookie, readCookie, setCookie } from '../../src/domain/cookies.ts'

const NAME = 'a test; with=signs'
const VALUE = 'a=b; c, "d" 100% ü'
const read = () => readCookie(browserCookies.read(), NAME)

test("the browser's cookies give back what was set on their path, until it is cleared there", () => {
  for (const [path, seen] of Object.entries({ '': VALUE, '/': VALUE, '/elsewhere': null })) {
    setCookie(browserCookies, NAME, VALUE, { path })
    expect(read()).toBe(seen)
    clearCookie(browserCookies, NAME, path)
    expect(read()).toBeNull()
  }
})
