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
  'A fresh value is random, of 16 characters or more: no visitor gets the value of another, and no old value comes back.'

/** Patterns of wrong Set-Cookie lines, each with the right form and the rule of the contract. */
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

/** All values that answers have set until now. */
const seenValues = new Set<string>()

/** How an answer's cookie breaks the contract: the page can't read or send it, or another visitor has its value. */
export function cookieDifferences({ headers: { cookie, 'x-xsrf-token': token } }: Call, answer: Answer): Difference[] {
  const lines = tokensIn(answer)
  const isMissing = answer.status === 403 && cookie && token && lines.length === 0
  const wrong = lines.flatMap((actual) => {
    const value = cookieValue(actual)
    const isOwn = answer.status !== 403 && `${cookie}`.includes(value)
    const isUsed = seenValues.has(value) && !isOwn
    seenValues.add(value)
    const isSendable = /^[\t\x20-\x7e\x80-\xff]+$/.test(decodePercents(value))
    return [
      ...WRONG.flatMap(([pattern, expected, rule]) => (pattern.test(actual) ? [{ expected, actual, rule }] : [])),
      ...(isUsed ? [{ expected: 'a value that no answer has set before', actual, rule: RANDOM }] : []),
      ...(isSendable ? [] : [{ expected: 'a decoded value for a header', actual, rule: HEADER }]),
    ]
  })
  return [...(isMissing ? [{ expected: 'a fresh cookie XSRF-TOKEN', actual: 'none', rule: FRESH }] : []), ...wrong]
}
