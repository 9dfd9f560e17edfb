import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { clearCookie, readCookie, setCookie } from '../../src/domain/cookies.ts'
import type { CookieJar } from '../../src/domain/ports.ts'

/** The cookie that is set, in the spelling of `document.cookie`. */
function written(set: (jar: CookieJar) => void): string {
  const write = vi.fn((_cookie: string) => {})
  set({ read: () => '', write })
  return write.mock.calls.join()
}

const EPOCH = 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'

it.each<[string, (jar: CookieJar) => void, string]>([
  ['lives for 30 minutes', (jar) => setCookie(jar, 'a', 'b'), 'a=b; Max-Age=1800; SameSite=Lax'],
  ['or as many as are given', (jar) => setCookie(jar, 'a', 'b', { minutes: 0.5 }), 'a=b; Max-Age=30; SameSite=Lax'],
  ['is cleared', (jar) => clearCookie(jar, 'a'), `a=; ${EPOCH}; SameSite=Lax`],
  ['is cleared at its path', (jar) => clearCookie(jar, 'a', '/here'), `a=; ${EPOCH}; Path=/here; SameSite=Lax`],
])('a cookie %s', (_, set, cookie) => {
  expect(written(set)).toBe(cookie)
})

it('what is written is read again, whatever name and value are', () => {
  const anything = fc.string({ unit: fc.oneof(fc.constantFrom(...' ;=%,"é名😀\u0000'), fc.string({ maxLength: 2 })) })
  fc.assert(
    fc.property(anything, anything, (name, value) => {
      const [pair] = written((jar) => setCookie(jar, name, value)).split('; ')
      expect(readCookie(`other=1; ${pair}; another=2`, name)).toBe(value)
    }),
  )
})

it.each<[string, string, string | null]>([
  ['an empty jar has none', '', null],
  ['it stands behind a semicolon without a space', 'b=2;a=1', '1'],
  ['its name is the start of another', 'ab=2; a=1', '1'],
  ['its name is the end of another', 'ba=2', null],
  ['its name stands in a value', 'b=a=2', null],
  ['names differ in case', 'A=1', null],
  ['of two of a name, the first counts: it has the closer path', 'a=1; a=2', '1'],
  ['its value is empty', 'a=; b=2', ''],
  ['its value holds an equals sign', 'a=b=c==', 'b=c=='],
  ['its value has a malformed escape', 'a=100%', '100%'],
  ['its value has an escape that is no UTF-8', 'a=%FF', '%FF'],
  ['another value has a malformed escape', 'b=%E0%A4%A; a=%3D', '='],
])('reading a cookie by name: %s', (_, cookies, value) => {
  expect(readCookie(cookies, 'a')).toBe(value)
})
