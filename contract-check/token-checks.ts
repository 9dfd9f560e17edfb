import type { Answer, Operation } from '../contract/operations.ts'
import type { Call } from './client.ts'
import { type CheckContext, type Planned, sequence } from './context.ts'
import { bodyOf, request } from './requests.ts'

type Token = Call['headers']
const token = (cookie: string, header: string | null): Token => ({ cookie, 'x-xsrf-token': header })
const BOTH = 'XSRF-TOKEN=one; XSRF-TOKEN=two'
/** Another cookie, of a value that some libraries can't read. */
const BESIDE = 'other={"a":"b, c"}; XSRF-TOKEN=one'
const VISITORS = 12
/** A server may have a lower limit for all headers together. */
const LONGEST = token(`XSRF-TOKEN=${'a'.repeat(4096)}`, 'a'.repeat(4096))

/** What the cookie has, and what a header may have that fits it. */
const FITTING = {
  '"one"': '"one"',
  'a%2Fb': 'a/b',
  'a%2fb': 'a/b',
  'a%20b%25': 'a b%',
  'a+b': 'a+b',
  'a%252Fb': 'a%2Fb',
}
/** What is compared as it is. */
const AS_IS = ['%zz', '%E9', 'a=b==']
const RIGHT: readonly Token[] = [
  ...['xsrf-token=one', 'XSRF-TOKEN=', 'XSRF-TOKEN-2=two; other', 'X-XSRF-TOKEN=two'].map((cookie) =>
    token(cookie, null),
  ),
  ...Object.entries(FITTING).map(([value, header]) => token(`XSRF-TOKEN=${value}`, header)),
  ...AS_IS.map((value) => token(`XSRF-TOKEN=${value}`, value)),
  ...['other=1; XSRF-TOKEN=one', BESIDE, BOTH].map((cookie) => token(cookie, 'one')),
  ...['XSRF-TOKEN=; XSRF-TOKEN=two', BOTH].map((cookie) => token(cookie, 'two')),
]
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

const RULES = {
  counts:
    "An empty cookie counts as no cookie. A value that can't be URI-decoded is compared as it is, any other only once it is decoded.",
  differs:
    'A backend that uses the scheme answers 403 to a request whose cookie and header differ, and sets a fresh cookie with that answer.',
  random: 'A fresh value is random, of 16 characters or more: no visitor gets that of another, and none comes back.',
  attributes:
    'A backend may set the cookie `XSRF-TOKEN`, with `Path=/` and without `HttpOnly`, since the page has to read it.',
} as const

const ATTRIBUTES: readonly [isRight: (line: string) => boolean, expected: string][] = [
  [(line) => /; *path=\/ *(;|$)/i.test(line) && !/; *path=\/? *[^\s;/]/i.test(line), 'XSRF-TOKEN with Path=/'],
  [(line) => !/; *httponly/i.test(line), 'XSRF-TOKEN without HttpOnly'],
  [(line) => !/; *domain=/i.test(line), 'XSRF-TOKEN without Domain'],
  [(line) => /; *samesite=(strict|lax) *(;|$)/i.test(line) || !/; *samesite/i.test(line), 'SameSite=Strict or Lax'],
  [(line) => !/; *max-age=(0|-)/i.test(line), 'XSRF-TOKEN that lasts'],
  [(line) => /^XSRF-TOKEN=[^;]{16}/.test(line), 'XSRF-TOKEN with 16 characters or more'],
]

const cookieValue = (line: string) => /=([^;]*)/.exec(line)?.[1] ?? ''

/** How the cookie and the header have to fit, and what a fresh cookie is like. */
export function tokenChecks(operation: Operation, operations: readonly Operation[]): Planned[] {
  const { successOutcome } = operation
  const postTo = (operation: Operation, token: Token = {}) =>
    request('POST', operation.path, JSON.stringify(bodyOf(operation)), token)
  const post = (token?: Token) => postTo(operation, token)

  /** A browser has to take each cookie that comes, and the page to read it. */
  function expectReadable(context: CheckContext, lines: readonly string[]) {
    for (const line of lines)
      for (const [isRight, expected] of ATTRIBUTES) context.assert(isRight(line), expected, line, RULES.attributes)
    for (const why of context.cookies.dropped())
      context.assert(false, 'a cookie that browsers keep', `dropped ${why}`, RULES.attributes)
  }

  /** The fresh cookies of a 403. */
  function freshValues(context: CheckContext, { status, headers }: Answer): string[] {
    const lines = [headers['set-cookie'] ?? []].flat().filter((line) => line.startsWith('XSRF-TOKEN='))
    if (status !== 403) return []
    context.assert(lines.length > 0, 'a fresh cookie XSRF-TOKEN', 'none')
    expectReadable(context, lines)
    return lines.map(cookieValue)
  }

  const refused = async (context: CheckContext, wrong: Token) =>
    freshValues(context, await context.expect(post(wrong), 403))

  /** A backend uses the scheme everywhere or nowhere: it sets the cookie, or refuses a wrong token. */
  async function usesTokens(context: CheckContext): Promise<boolean> {
    await context.expect(post(), 200)
    const first = context.cookies.token()
    expectReadable(context, first ? [first] : [])
    if (first) return true
    for (const one of operations)
      for (const wrong of ['two', 'three', null]) {
        const { answer } = await context.send(postTo(one, token('XSRF-TOKEN=one', wrong)))
        if (answer.status === 403) return true
      }
    context.skip('this backend does not use the cookie XSRF-TOKEN')
    return false
  }

  async function forbids(context: CheckContext) {
    if (!(await usesTokens(context))) return
    const seen = [cookieValue(context.cookies.token() ?? '')]
    for (const wrong of ['a-wrong-token', null]) {
      const values = await refused(context, { 'x-xsrf-token': wrong })
      for (const value of values) context.assert(!seen.includes(value), 'a fresh value', `${value} again`, RULES.random)
      seen.push(...values)
    }
    for (const wrong of WRONG) if (!context.isLost()) await refused(context, wrong)
    await context.expect(post(), 200)
  }

  async function isRandom(context: CheckContext) {
    if (!(await usesTokens(context))) return
    const seen: string[] = []
    const differs = post(token('XSRF-TOKEN=one', 'two'))
    const overOneConnection = await context.expectSequence([[403, ...Array(VISITORS).fill(differs)]])
    context.begin()
    for (const answer of [...overOneConnection, await context.expect(differs, 403)]) {
      const values = freshValues(context, answer)
      for (const value of values)
        context.assert(!seen.includes(value), 'another value for each visitor', value, RULES.random)
      seen.push(...values)
    }
    const [mine = 'mine', theirs = 'theirs'] = seen
    await refused(context, token(`XSRF-TOKEN=${mine}`, theirs))
    for (const visitor of ['a first', 'a second']) {
      context.cookies.forget()
      await context.expect(post({ cookie: null, 'x-xsrf-token': null }), 200)
      const given = context.cookies.token()
      if (given === undefined) return
      const value = cookieValue(given)
      context.assert(!seen.includes(value), `another value for ${visitor} visitor`, value, RULES.random)
      seen.push(value)
    }
  }

  const outcome = 'forbidden'
  return [
    {
      outcome: successOutcome,
      title: 'a cookie that is empty, doubled or can’t be decoded counts as the contract says',
      rule: RULES.counts,
      run: sequence([200, ...RIGHT.map((token) => post(token))], [[200, 431], post(LONGEST)]),
    },
    {
      outcome,
      title: 'a token that is wrong or missing is refused, and a fresh one works',
      rule: RULES.differs,
      run: forbids,
    },
    { outcome, title: 'no visitor gets the token of another', rule: RULES.differs, run: isRandom },
  ]
}
