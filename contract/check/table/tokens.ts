import type { Answer, Operation } from '../../operations.ts'
import { type Check, type CheckContext, rowsOf } from '../check.ts'
import type { Call } from '../client.ts'
import { request } from '../requests.ts'

type Token = Call['headers']
const token = (cookie: string, header: string | null): Token => ({ cookie, 'x-xsrf-token': header })

const BOTH = 'XSRF-TOKEN=one; XSRF-TOKEN=two'
/** Another cookie, of a value that some libraries can't read. */
const BESIDE = 'other={"a":"b, c"}; XSRF-TOKEN=one'
/** What the cookie has, and what a header may have that fits it. */
const FITTING = {
  ...{ '"one"': '"one"', 'a%2Fb': 'a/b', 'a%2fb': 'a/b', 'a%20b%25': 'a b%', 'a+b': 'a+b', 'a%252Fb': 'a%2Fb' },
  // Compared as they are.
  ...{ '%zz': '%zz', '%E9': '%E9', 'a=b==': 'a=b==' },
}
const RIGHT: readonly Token[] = [
  ...['xsrf-token=one', 'XSRF-TOKEN=', 'XSRF-TOKEN-2=two; other', 'X-XSRF-TOKEN=two'].map((cookie) =>
    token(cookie, null),
  ),
  ...Object.entries(FITTING).map(([value, header]) => token(`XSRF-TOKEN=${value}`, header)),
  ...['other=1; XSRF-TOKEN=one', BESIDE, BOTH].map((cookie) => token(cookie, 'one')),
  ...['XSRF-TOKEN=; XSRF-TOKEN=two', BOTH].map((cookie) => token(cookie, 'two')),
]
/** A server may have a lower limit for all headers together. */
const LONGEST = token(`XSRF-TOKEN=${'a'.repeat(4096)}`, 'a'.repeat(4096))
/** What the cookie has, and what does not fit it, though some take it for the same. */
const UNFIT: readonly (readonly [value: string, ...headers: (string | null)[]])[] = [
  ['one', 'ONE', 'on', 'ones', 'xone', '', null, 'one,one', '"one"', 'one%20', 'oneone', 'eno'],
  ['one; XSRF-TOKEN=two', 'three', 'one; two', 'onetwo'],
  ['a'.repeat(200), `${'a'.repeat(199)}b`],
  ['a%2Fb', 'a%2Fb'],
  ['a%252Fb', 'a/b'],
  ['a+b', 'a b'],
  ['%zz', 'zz'],
  ['; XSRF-TOKEN=two', 'three'],
  ['a=b==', 'a=b'],
  ['one%20', 'one'],
  ['one%00two', 'one'],
  ['0e12', '0e34'],
  ['a', 'b'],
]
const WRONG: readonly Token[] = [
  ...UNFIT.flatMap(([value, ...headers]) => headers.map((header) => token(`XSRF-TOKEN=${value}`, header))),
  token(BESIDE, 'two'),
  { ...token('XSRF-TOKEN=one', null), 'x-csrf-token': 'one' },
]
const VISITORS = 6

const RANDOM =
  'A fresh value is random, of 16 characters or more: no visitor gets that of another, and none comes back.'
const ATTRIBUTES =
  'A backend may set the cookie `XSRF-TOKEN`, with `Path=/` and without `HttpOnly`, since the page has to read it.'

const REQUIRED: readonly [isRight: (line: string) => boolean, expected: string][] = [
  [(line) => /; *path=\/ *(;|$)/i.test(line) && !/; *path=\/? *[^\s;/]/i.test(line), 'XSRF-TOKEN with Path=/'],
  [(line) => !/; *httponly/i.test(line), 'XSRF-TOKEN without HttpOnly'],
  [(line) => !/; *domain=/i.test(line), 'XSRF-TOKEN without Domain'],
  [(line) => /; *samesite=(strict|lax) *(;|$)/i.test(line) || !/; *samesite/i.test(line), 'SameSite=Strict or Lax'],
  [(line) => !/; *max-age=(0|-)/i.test(line), 'XSRF-TOKEN that lasts'],
  [(line) => /^XSRF-TOKEN=[^;]{16}/.test(line), 'XSRF-TOKEN with 16 characters or more'],
]

const cookieValue = (line: string) => /=([^;]*)/.exec(line)?.[1] ?? ''

/** How the cookie and the header have to fit, and what a fresh cookie is like. */
export function tokenChecks(operation: Operation, operations: readonly Operation[]): Check[] {
  const post = (headers: Token = {}) => request(operation, { headers })
  return [
    ...rowsOf(operation, operation.successOutcome)(
      "An empty cookie counts as no cookie. A value that can't be URI-decoded is compared as it is, any other only once it is decoded.",
      {
        async 'a cookie that is empty, doubled or can’t be decoded counts as the contract says'({ each }) {
          await each(200, ...RIGHT.map(post))
          await each([200, 431], post(LONGEST))
        },
      },
    ),
    ...rowsOf(operation, 'forbidden')(
      'A backend that uses the scheme answers 403 to a request whose cookie and header differ, and sets a fresh cookie with that answer.',
      {
        async 'a token that is wrong or missing is refused, and a fresh one works'(context) {
          if (!(await usesTokens(context, operation, operations))) return
          const see = noneTwice(context, 'a fresh value')
          see(cookieValue(context.cookies.token() ?? ''))
          for (const wrong of [{ 'x-xsrf-token': 'a-wrong-token' }, { 'x-xsrf-token': null }, ...WRONG])
            see(...freshValues(context, await context.each(403, post(wrong))))
          await context.each(200, post())
        },
        async 'no visitor gets the token of another'(context) {
          if (!(await usesTokens(context, operation, operations))) return
          const see = noneTwice(context, 'another value for each visitor')
          const differs = post(token('XSRF-TOKEN=one', 'two'))
          const answers = await context.overOneConnection([403, ...Array(VISITORS).fill(differs)])
          const [mine = 'mine', theirs = 'theirs'] = answers.flatMap((answer) => see(...freshValues(context, answer)))
          see(...freshValues(context, await context.each(403, post(token(`XSRF-TOKEN=${mine}`, theirs)))))
          for (let visitor = 0; visitor < 2; visitor++) {
            context.cookies.forget()
            await context.each(200, post({ cookie: null, 'x-xsrf-token': null }))
            const given = context.cookies.token()
            if (given !== undefined) see(cookieValue(given))
          }
        },
      },
    ),
  ]
}

/** Takes values of which none may come twice, and returns them. */
function noneTwice(context: CheckContext, expected: string) {
  const seen: string[] = []
  return (...values: string[]) => {
    for (const value of values) context.assert(!seen.includes(value), expected, `${value} again`, RANDOM)
    seen.push(...values)
    return values
  }
}

/** A backend uses the scheme everywhere or nowhere: it sets the cookie, or refuses a wrong token. */
async function usesTokens(context: CheckContext, operation: Operation, operations: readonly Operation[]) {
  await context.each(200, request(operation))
  const given = context.cookies.token()
  expectReadable(context, given ? [given] : [])
  if (given) return true
  for (const one of operations)
    for (const header of ['two', 'three', null]) {
      const { answer } = await context.exchange(request(one, { headers: token('XSRF-TOKEN=one', header) }))
      if (answer.status === 403) return true
    }
  context.skip('this backend does not use the cookie XSRF-TOKEN')
  return false
}

/** A browser has to take each cookie that comes, and the page to read it. */
function expectReadable(context: CheckContext, lines: readonly string[]) {
  for (const line of lines)
    for (const [isRight, expected] of REQUIRED) context.assert(isRight(line), expected, line, ATTRIBUTES)
  for (const why of context.cookies.dropped())
    context.assert(false, 'a cookie that browsers keep', `dropped ${why}`, ATTRIBUTES)
}

/** The values of the cookies that come with a 403. */
function freshValues(context: CheckContext, { status, headers }: Answer): string[] {
  if (status !== 403) return []
  const lines = [headers['set-cookie'] ?? []].flat().filter((line) => line.startsWith('XSRF-TOKEN='))
  context.assert(lines.length > 0, 'a fresh cookie XSRF-TOKEN', 'none')
  expectReadable(context, lines)
  return lines.map(cookieValue)
}
