import { decodePercents } from '../src/domain/percents.ts'
import type { Call } from './calls.ts'
import type { Answer } from './response.ts'
import type { Difference } from './schemas.ts'

/** The lines of an answer that set the cookie XSRF-TOKEN. */
export const tokensIn = ({ headers }: Answer): string[] =>
  [headers['set-cookie'] ?? []].flat().filter((line) => line.startsWith('XSRF-TOKEN='))
export const cookieValue = (line = ''): string => /=([^;]*)/.exec(line)?.[1] ?? ''

const COOKIE = 'with `Path=/` and without `HttpOnly`, since the page has to read it.'
const SITE = 'It has no `Domain`; its `SameSite` is `Strict` or `Lax`, or missing.'
const FRESH = 'sets a fresh cookie with that answer'
const RANDOM =
  'A fresh value is random, of 16 characters or more: no visitor gets that of another, and none comes back.'

/** What is wrong with a line of Set-Cookie, if a pattern fits the line or its decoded value. */
const WRONG: readonly (readonly [pattern: RegExp, expected: string, rule: string])[] = [
  [/^(?!.*; *path=\/ *(;|$))/i, 'XSRF-TOKEN with Path=/', COOKIE],
  [/; *httponly/i, 'XSRF-TOKEN without HttpOnly', COOKIE],
  [/; *domain=/i, 'XSRF-TOKEN without Domain', SITE],
  [/; *samesite=(?!(strict|lax) *(;|$))/i, 'SameSite=Strict or Lax, or none', SITE],
  [/; *max-age=(0|-)/i, 'XSRF-TOKEN that lasts', FRESH],
  [/^[^;]{4097}/, 'XSRF-TOKEN of 4,096 characters', 'Name and value have at most 4,096 characters together.'],
  [/^[^=]*=[^;]{0,15}(;|$)/, 'XSRF-TOKEN with 16 characters or more', RANDOM],
]
const HEADER = 'so the decoded value must be valid in a header'

/** The values that any visitor was given. */
const given = new Set<string>()

/** How the cookie of an answer differs from one that the page can read and send, and that is this visitor's own. */
export function cookieDifferences({ headers: { cookie, 'x-xsrf-token': token } }: Call, answer: Answer): Difference[] {
  const lines = tokensIn(answer)
  const isMissing = answer.status === 403 && cookie && token && lines.length === 0
  const wrong = lines.flatMap((actual) => {
    const value = cookieValue(actual)
    const isOwn = answer.status !== 403 && `${cookie}`.includes(value)
    const isUsed = given.has(value) && !isOwn
    given.add(value)
    const isSendable = /^[\t\x20-\x7e\x80-\xff]+$/.test(decodePercents(value))
    return [
      ...WRONG.flatMap(([pattern, expected, rule]) => (pattern.test(actual) ? [{ expected, actual, rule }] : [])),
      ...(isUsed ? [{ expected: 'a value that nobody was given', actual, rule: RANDOM }] : []),
      ...(isSendable ? [] : [{ expected: 'a decoded value for a header', actual, rule: HEADER }]),
    ]
  })
  return [...(isMissing ? [{ expected: 'a fresh cookie XSRF-TOKEN', actual: 'none', rule: FRESH }] : []), ...wrong]
}
