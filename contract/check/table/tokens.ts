import type { Operation } from '../../operations.ts'
import type { Context, Evaluated, Row } from '../context.ts'
import { request } from '../requests.ts'

/** A cookie header, and the header of the token; null is none. */
type Token = readonly [cookie: string, header: string | null]

const RIGHT: readonly Token[] = [
  ['XSRF-TOKEN=', null],
  ['XSRF-TOKEN-2=two; xsrf-token=one', null], // Finds a name that is looked for in any case, or by its start.
  ['other={"a":"b, c"}; XSRF-TOKEN=one', 'one'], // Finds a library that can't read the cookie beside it.
  ['XSRF-TOKEN=one; XSRF-TOKEN=two', 'one'],
  ['XSRF-TOKEN=one; XSRF-TOKEN=two', 'two'],
  ['XSRF-TOKEN=; XSRF-TOKEN=two', 'two'],
  ['XSRF-TOKEN=a%2Fb', 'a/b'],
  ['XSRF-TOKEN=a+b', 'a+b'], // Finds a plus that is decoded as in forms.
  ['XSRF-TOKEN=a%252Fb', 'a%2Fb'], // Finds a value that is decoded twice.
  ['XSRF-TOKEN=%zz', '%zz'], // This value can't be decoded, and counts as it is.
  ['XSRF-TOKEN=a=b==', 'a=b=='], // Finds a cookie that is split at each equals sign.
]
/** Tokens that differ from their cookies, though a backend with the mistake beside them takes them for the same. */
const WRONG: readonly Token[] = [
  ['XSRF-TOKEN=one', 'two'],
  ['XSRF-TOKEN=one', null],
  ['XSRF-TOKEN=one', 'ONE'],
  ['XSRF-TOKEN=one', 'on'], // Finds a comparison of only so many characters as the header has.
  ['XSRF-TOKEN=one', 'ones'], // Finds a comparison of only so many characters as the cookie has.
  ['XSRF-TOKEN=; XSRF-TOKEN=two', 'three'], // Finds a backend that reads only the first cookie, which counts as none.
  ['other={"a":"b, c"}; XSRF-TOKEN=one', 'two'],
  ['XSRF-TOKEN=a%2Fb', 'a%2Fb'], // Finds a value that is not decoded.
  ['XSRF-TOKEN=a%252Fb', 'a/b'], // Finds a value that is decoded twice.
  ['XSRF-TOKEN=0e12', '0e34'], // Finds a comparison as numbers.
]

const RANDOM =
  'A fresh value is random, of 16 characters or more: no visitor gets that of another, and none comes back.'
const COOKIE =
  'A backend may set the cookie `XSRF-TOKEN`, with `Path=/` and without `HttpOnly`, since the page has to read it.'
const FRESH = 'sets a fresh cookie with that answer'
const HEADER = 'so the decoded value must be valid in a header'
const SITE = 'It has no `Domain`; its `SameSite` is `Strict` or `Lax`, or missing.'

const SENDABLE = /^[\t\x20-\x7e\x80-\xff]+$/

/** What a line of Set-Cookie has to be like. */
const REQUIRED: readonly (readonly [isRight: (line: string) => boolean, expected: string, rule: string])[] = [
  [(line) => /; *path=\/ *(;|$)/i.test(line), 'XSRF-TOKEN with Path=/', COOKIE],
  [(line) => !/; *httponly/i.test(line), 'XSRF-TOKEN without HttpOnly', COOKIE],
  [(line) => !/; *domain=/i.test(line), 'XSRF-TOKEN without Domain', SITE],
  [(line) => !/; *samesite=(?!(strict|lax) *(;|$))/i.test(line), 'SameSite=Strict or Lax, or none', SITE],
  [(line) => !/; *max-age=(0|-)/i.test(line), 'XSRF-TOKEN that lasts', FRESH],
  [(line) => cookieValue(line).length >= 16, 'XSRF-TOKEN with 16 characters or more', RANDOM],
  [(line) => SENDABLE.test(decoded(cookieValue(line))), 'a decoded value that is valid in a header', HEADER],
]

/** The rows of how the cookie and the header have to fit, and of what a fresh cookie is like. */
export function tokenRows(operation: Operation): Row[] {
  const post = ([cookie, header]: Token) => request(operation, { headers: { cookie, 'x-xsrf-token': header } })
  return [
    {
      rule: 'The page then repeats its value, URI-decoded, in the header `X-XSRF-TOKEN` of every call that changes something',
      title: 'a token that equals its cookie is accepted, and a cookie that is empty needs none',
      outcome: operation.successOutcome,
      run: ({ each }) => each(200, ...RIGHT.map(post)),
    },
    {
      rule: 'A backend that uses the scheme answers 403 to a request whose cookie and header differ',
      title: 'a token that is wrong or missing is refused',
      outcome: 'forbidden',
      async run(context) {
        if (await usesTokens(context, operation)) await context.each(403, ...WRONG.map(post))
      },
    },
    {
      rule: FRESH,
      title: 'the fresh cookie can be read by the page, is nobody else’s, and works',
      outcome: 'forbidden',
      async run(context) {
        if (!(await usesTokens(context, operation))) return
        const values: string[] = []
        for (const wrong of ['two', 'three', 'four']) {
          const answer = await context.each(403, post([`XSRF-TOKEN=${values.at(-1) ?? 'one'}`, wrong]))
          const lines = tokensOf(answer)
          const isGiven = answer.status !== 403 || lines.length > 0
          context.assert(isGiven, { expected: 'a fresh cookie XSRF-TOKEN', actual: 'none', header: 'set-cookie' })
          for (const line of lines) values.push(expectReadable(context, line, values))
        }
        const [mine, theirs] = values.map(decoded)
        if (!mine || !theirs || !SENDABLE.test(mine + theirs)) return
        await context.each(200, post([`XSRF-TOKEN=${values[0]}`, mine]))
        if (mine !== theirs) await context.each(403, post([`XSRF-TOKEN=${values[0]}`, theirs]))
        for (let visitor = 0; visitor < 2; visitor++)
          for (const line of tokensOf(await context.each(200, request(operation))))
            values.push(expectReadable(context, line, values))
      },
    },
  ]
}

const tokensOf = ({ headers }: Evaluated) =>
  [headers['set-cookie'] ?? []].flat().filter((line) => line.startsWith('XSRF-TOKEN='))
const cookieValue = (line: string) => /=([^;]*)/.exec(line)?.[1] ?? ''

/** A value as the page decodes it. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** A backend uses the scheme everywhere or nowhere: it sets the cookie, or refuses a wrong token. */
async function usesTokens(context: Context, operation: Operation): Promise<boolean> {
  const first = await context.each(200, request(operation))
  const headers = { cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two' }
  const { answer } = await context.exchange(request(operation, { headers }))
  if (tokensOf(first).length > 0 || answer.status === 403) return true
  context.skip('this backend does not use the cookie XSRF-TOKEN')
  return false
}

/**
 * Checks that a browser takes the cookie, that the page can read it, and that its value, which is returned, is fresh.
 */
function expectReadable(context: Context, line: string, before: readonly string[]): string {
  const value = cookieValue(line)
  for (const [isRight, expected, rule] of REQUIRED)
    context.assert(isRight(line), { expected, actual: line, rule, header: 'set-cookie' })
  const again = { expected: 'a fresh value', actual: `${value} again`, rule: RANDOM, header: 'set-cookie' }
  context.assert(!before.includes(value), again)
  return value
}
