import { expect, it, vi } from 'vitest'
import { authCookieName, clearCookie, readCookie, setCookie } from '../../src/domain/cookies.ts'
import type { CookieJar } from '../../src/domain/ports.ts'

it.each<[string, (jar: CookieJar) => void, string]>([
  ['lives for 30 minutes', (jar) => setCookie(jar, 'a', 'b'), 'a=b; Max-Age=1800; SameSite=Lax'],
  ['lives for the given minutes', (jar) => setCookie(jar, 'a', 'b', { minutes: 0.5 }), 'a=b; Max-Age=30; SameSite=Lax'],
  ['is encoded', (jar) => setCookie(jar, 'ä', ';=%'), '%C3%A4=%3B%3D%25; Max-Age=1800; SameSite=Lax'],
  ['is cleared at its path', (jar) => clearCookie(jar, 'a', '/here'), 'a=; Max-Age=-60; Path=/here; SameSite=Lax'],
])('a cookie %s', (_, set, cookie) => {
  const write = vi.fn()
  set({ read: () => '', write })
  expect(write.mock.calls).toEqual([[cookie]])
})

it.each<[string, string, string | null]>([
  ['other cookies surround the cookie, with and without a space', 'b=2;ä=1;%C3%A4=%3B%3D%25; c=3', ';=%'],
  ['other names begin or end with its name', '%C3%A4b=2; b%C3%A4=3; b=%C3%A4=4', null],
  ['its value contains an equals sign', '%C3%A4=b=c==', 'b=c=='],
  ['its value and another value have a malformed escape', 'b=%E0%A4%A; %C3%A4=100%', '100%'],
])('reading a cookie by its name works if %s', (_, cookies, value) => {
  expect(readCookie(cookies, 'ä')).toBe(value)
})

it.each([
  ['GWW', 'GWW_AUTH_COOKIE'],
  ["Köln's Aqua Nord", 'Koln_s_Aqua_Nord_AUTH_COOKIE'],
])('the auth cookie of the provider %s is called %s', (provider, name) => {
  expect(authCookieName(provider)).toBe(name)
})
