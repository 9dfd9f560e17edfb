import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clearCookie, readCookie, setCookie } from '../../src/domain/cookies.ts'
import type { CookieJar } from '../../src/domain/ports.ts'

/** The cookies that are set, in the spelling of `document.cookie`. */
function written(set: (jar: CookieJar) => void): string[] {
  const cookies: string[] = []
  set({ read: () => '', write: (cookie) => cookies.push(cookie) })
  return cookies
}

describe('setting a cookie', () => {
  it('gives it 30 minutes and the path of the page, if nothing else is said', () => {
    expect(written((jar) => setCookie(jar, 'name', 'value'))).toEqual(['name=value; Max-Age=1800; SameSite=Lax'])
  })

  it.each([
    [1, 60],
    [0.5, 30],
    [1440, 86_400],
    [0, 0],
  ])('gives it %d minutes', (minutes, seconds) => {
    expect(written((jar) => setCookie(jar, 'a', 'b', { minutes }))).toEqual([`a=b; Max-Age=${seconds}; SameSite=Lax`])
  })

  it('gives it a path', () => {
    expect(written((jar) => setCookie(jar, 'a', 'b', { path: '/' }))).toEqual([
      'a=b; Max-Age=1800; Path=/; SameSite=Lax',
    ])
  })

  it('escapes name and value, so that neither ends the pair', () => {
    expect(written((jar) => setCookie(jar, 'a=b', 'c; Path=/d é'))).toEqual([
      'a%3Db=c%3B%20Path%3D%2Fd%20%C3%A9; Max-Age=1800; SameSite=Lax',
    ])
  })

  it('writes what reading gives back, whatever name and value are', () => {
    const anything = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(anything, anything, (name, value) => {
        const [cookie = ''] = written((jar) => setCookie(jar, name, value))
        const [pair] = cookie.split('; ')
        expect(readCookie(`other=1; ${pair}; another=2`, name)).toBe(value)
      }),
    )
  })
})

describe('clearing a cookie', () => {
  it('sets an expiry in the past', () => {
    expect(written((jar) => clearCookie(jar, 'a'))).toEqual(['a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=Lax'])
  })

  it('takes the path that it was set with', () => {
    expect(written((jar) => clearCookie(jar, 'a', '/here'))).toEqual([
      'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/here; SameSite=Lax',
    ])
  })
})

describe('reading a cookie by name', () => {
  it.each<[string, string, string, string | null]>([
    ['an empty jar has none', '', 'a', null],
    ['it is the only one', 'a=1', 'a', '1'],
    ['it is the first', 'a=1; b=2', 'a', '1'],
    ['it is the last', 'b=2; a=1', 'a', '1'],
    ['it stands behind a semicolon without a space', 'b=2;a=1', 'a', '1'],
    ['its name is the start of another', 'ab=2; a=1', 'a', '1'],
    ['only another starts with its name', 'ab=2', 'a', null],
    ['its name is the end of another', 'ba=2; a=1', 'a', '1'],
    ['only another ends with its name', 'ba=2', 'a', null],
    ['its name stands in a value', 'b=a=2', 'a', null],
    ['names differ in case', 'A=1', 'a', null],
    ['of two of a name, the first counts: it has the closer path', 'a=1; a=2', 'a', '1'],
    ['its value is empty', 'a=; b=2', 'a', ''],
    ['its value holds an equals sign', 'a=b=c==', 'a', 'b=c=='],
    ['its value is URI-encoded', 'a=b%3D%20%C3%A9', 'a', 'b= é'],
    ['its value has a malformed escape', 'a=100%', 'a', '100%'],
    ['its value has an escape that is no UTF-8', 'a=%FF', 'a', '%FF'],
    ['another value has a malformed escape', 'b=%E0%A4%A; a=1', 'a', '1'],
    ['its name is URI-encoded', 'a%20b=1', 'a b', '1'],
    ['its name holds a sign of regular expressions', 'axb=2; a.b=1', 'a.b', '1'],
    ['a cookie without a name stands beside it', 'lonely; a=1', 'a', '1'],
  ])('%s', (_, cookies, name, value) => {
    expect(readCookie(cookies, name)).toBe(value)
  })
})
