import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { report } from '../../contract/check/report.ts'
import { startRun } from '../../contract/check/run.ts'
import { tableOf } from '../../contract/check/table/index.ts'
import { contract } from '../support/contract/contract.ts'
import * as serve from '../support/contract/serve-faulty.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const { changes, counter, problem, refuses, repeats, says, serveFaulty, withHeaders } = serve
type Answer = serve.Answer
type Call = serve.Call
type Handler = serve.Handler

async function check(host: string, only = '', restart = '') {
  const run = startRun(new URL(host), { only, restart })
  await run.ended
  const violations = run.results.flatMap(({ violations }) => violations)
  return { ...run, violations, said: report(host, run), verdicts: new Set(run.results.map(({ verdict }) => verdict)) }
}

const server = await buildTestApp()
afterAll(() => server.close())

// On SQLite the bundled check finds the same.
test('the reference backend on PostgreSQL keeps every promise that can be seen from outside, and stores only marked addresses', async () => {
  const backend = await buildTestApp({ database: 'postgres' })
  const { results, violations, verdicts } = await check(await backend.listen())
  const rows = [...(await backend.rows('subscribers')), ...(await backend.rows('enquiries'))]
  await backend.close()
  expect(violations).toEqual([])
  expect(verdicts).toEqual(new Set(['passed']))
  const others = ['declined', 'too-many-requests', 'server-error', 'unavailable']
  const outcomes = contract.flatMap(({ outcomes }) => [...outcomes.keys()])
  expect(new Set([...results.map(({ outcome }) => outcome), ...others])).toEqual(new Set(outcomes))
  expect(rows.length).toBeGreaterThan(100)
  const isMarked = (email: string) => /^contract\+[0-9a-f]{8}\.\d[^@]*@([a-z0-9-]+\.)*example\.(com|c|1)$/i.test(email)
  expect(rows.filter(({ email }) => !isMarked(email))).toEqual([])
})

test('a backend may keep to itself who is listed, and the report says so', async () => {
  const backend = await buildTestApp({ access: { revealExisting: false } })
  const { violations, said } = await check(await backend.listen())
  await backend.close()
  expect(violations).toEqual([])
  expect(said).toMatch(/\d+ passed, \d skipped;.*Not checked:\n- email_exists is always false: /s)
})

/** In all that the contract leaves open it differs from the reference backend. */
const OTHER_WAY: Handler = async (call, right) => {
  if (!call.url.startsWith('/api')) return right(call)
  if (/"email".*"(email|\\u0065mail)"/.test(call.text)) return problem(400)
  const { 'sec-fetch-site': _site, origin: _origin, cookie: _token, ...headers } = call.headers
  const answer = await right({ ...call, headers })
  const value = JSON.parse(answer.body || '{}')
  // A page of the domain that the check writes from.
  const type = 'https://api.example.com/errors/invalid'
  const more = answer.status < 400 ? {} : { type, instance: call.url.replace(/\?.*/, ''), timestamp: '2026-01-01' }
  const all = { ...value, ...more, ...('email_exists' in value && { email_exists: false }) }
  return {
    status: answer.status,
    headers: { ...answer.headers, 'set-cookie': [], connection: 'close', 'cache-control': 'private, no-store' },
    body: answer.body && JSON.stringify(all, null, 2).replaceAll('":', '" :'),
  }
}

test('a backend that does otherwise what the contract leaves open is right', async () => {
  const { violations, verdicts } = await check(await serveFaulty(server.app, OTHER_WAY))
  expect(violations).toEqual([])
  expect(verdicts).toEqual(new Set(['passed', 'skipped']))
})

const JSON_TYPE = 'application/json'
const TAKEN: Answer = {
  status: 200,
  headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
  body: '{"success":true,"email_exists":false}',
}
const takes = (isTaken: (call: Call, status: number) => boolean) =>
  changes(({ status }, call) => (isTaken(call, status) ? TAKEN : {}))
const sends =
  (change: (call: Call) => Partial<Call>): Handler =>
  (call, right) =>
    right({ ...call, ...change(call) })
const writes = (from: string | RegExp, to: string) =>
  sends(({ text }) => ({ body: Buffer.from(text.replaceAll(from, to)) }))
const sets = (from: string | RegExp, to: string) =>
  withHeaders(({ 'set-cookie': line }) => (line ? { 'set-cookie': `${line}`.replace(from, to) } : {}))

const isHuge = ({ body }: Call) => body.length > 65_536
const [nthNone, nthText, nthKey] = [counter(), counter(), counter()]
const [nthEmail, nthOfEmail, nthEmailToo] = [counter(), counter(), counter()]
const isFirstNone = ({ text }: Call) => text.includes('"none"') && nthNone(text) === 1
const isRepeated = ({ key }: Call) => key !== '' && nthKey(key) > 1

const nthPing = counter()
const drops = (socket: Socket) => socket.destroy()
const FORGETS = takes((_, status) => status === 422)

/** By the start of the title of the row that catches them: backends that keep the contract except for one fault. */
const FAULTS: readonly (readonly [title: string, ...handlers: Handler[]])[] = [
  ['a valid body', says('"success":true', '"success":false'), says(/(?=.*_e)/, '\ufeff')],
  ['a call as browsers send it', refuses(({ headers }) => 'origin' in headers, 403)],
  ['the type may be in any case', refuses(({ type }) => type !== JSON_TYPE, 415)],
  ['a query string', refuses(({ url }) => url.includes('?'), 404)],
  ['a body of 65,536', refuses(({ body }) => body.length > 60_000, 413)],
  ['odd addresses', refuses(({ email }) => email.includes('#'))],
  ['texts at their bounds', refuses(({ text }) => /"first":"[^"]{101}/.test(text))],
  ['texts in many scripts', writes('👍', '\\u0000')],
  ['one connection', refuses(({ headers }) => headers.connection === 'keep-alive')],
  ['one connection', (call, right) => (isFirstNone(call) ? (socket) => socket.destroy() : right(call))],
  ['a token that equals', refuses(({ headers }) => /a\+b/.test(`${headers.cookie}`), 403)],
  ['an equal enquiry', refuses(({ text, key }) => key !== '' && text.includes('\n'))],
  ['10 equal enquiries', refuses(isRepeated, 409)],
  ['a key of any UUID', refuses(({ key }) => /^.{14}[^4]/.test(key))],
  ['without a key', refuses(({ key, text }) => key === '' && nthText(text) > 1)],
  ['a refused enquiry', refuses(isRepeated)],
  ['of 10 equal calls', says('exists":true', 'exists":false', ({ email }) => nthOfEmail(email) > 2)],
  ['addresses that differ only', says('exists":true', 'exists":false', ({ email }) => /[A-Z]/.test(email))],
  ['addresses that differ in', writes('a.b@', 'ab@')],
  ['a refused call', says('exists":false', 'exists":true', ({ email }) => nthEmail(email) > 1)],
  ['an enquiry does not', says('exists":false', 'exists":true', ({ email }) => nthEmailToo(email) > 1)],
  ['an Idempotency-Key', refuses(({ key }) => key === 'no UUID')],
  // The last names ten at most.
  ['each field at fault', says('/a~1b~0c', '/a/b~c'), says(/(rs":\[(?:{[^}]*},){9}{[^}]*}),.*]/, '$1]')],
  ['a missing field', says('"/name/last"', '"/name"', ({ text }) => text.includes('"name":{}'))],
  ['a missing field', says('"errors":[', '"errors":[{"pointer":"/name/middle","detail":"is missing"},')],
  ['almost valid addresses', takes(({ email }) => /@b{64}\./.test(email))],
  ['texts beyond', takes(({ msg }) => [...msg].length > 5000)],
  ['white space around', writes('\ufeff', '')],
  ['control characters', takes(({ text }) => text.includes('\u2028'))],
  // The last takes a list of one address.
  ['other types', says('"/name"', '"/name/first"'), writes(/"email":\["([^"]+)"\]/g, '"email":"$1"')],
  ['an unknown field', writes('"mſg":', '"msg":')],
  ['of two fields', writes(/,"email":5}$/g, '}')],
  ['a key that is not', takes(({ key }) => key.includes(', '))],
  ['another enquiry', says('"header":"Idempotency-Key"', '"pointer":""'), takes(({ key }) => /[A-F]/.test(key))],
  ['enquiries that differ', writes('\\r\\n', '\\n')],
  ['of two enquiries', takes((_, status) => status === 422)],
  ['a body that is not JSON', takes(({ text }) => text === 'NaN'), says('"status":400', '"status":500')],
  ['a byte order mark', writes(/[\ufeff\ufffd]/g, '')],
  ['deep nesting', refuses(({ text }) => text.includes('[[[['), 500)],
  ['a body of 65,537', takes((call) => isHuge(call) && 'transfer-encoding' in call.headers)],
  ['a body of 65,537', takes((call) => isHuge(call) && call.text.length <= 65_536)],
  ['another type', takes(({ type }) => type.includes('utf-16')), repeats(({ headers }) => headers['content-encoding'])],
  ['other methods', withHeaders(() => ({ allow: [] }))],
  ['other methods', sends(({ method, headers }) => ({ method: headers['x-http-method-override'] ?? method }))],
  ['other methods', sends(({ method, url }) => ({ method: /_method=(\w+)/.exec(url)?.[1] ?? method }))],
  ['other paths', refuses(({ method }) => method === 'DELETE', 405), repeats(({ url }) => url)],
  ['a token that is wrong', takes((_, status) => status === 403)],
  ['the fresh cookie', sets('XSRF', 'OTHER'), sets(/=[^;]+/, '=the-same-for-everybody')],
  // It is down for a moment, and forgets the keys.
  [
    'what was acknowledged',
    (call, right) => (call.url === '/' && nthPing('') % 3 === 0 ? drops : FORGETS(call, right)),
  ],
]

const folded = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const DOCUMENT = folded(readFileSync('openapi.yaml', 'utf8')).replaceAll("''", "'")
const isQuoted = ({ rule = '' }) => DOCUMENT.includes(folded(rule))

const FAULTY = FAULTS.flatMap(([title, ...handlers]) => handlers.map((handler) => ({ title, handler })))
test.each(FAULTY)('a faulty backend is caught, by a rule of the contract: $title …', async ({ title, handler }) => {
  const restart = title.startsWith('what was') ? 'true' : ''
  const { results, violations, stopReason } = await check(await serveFaulty(server.app, handler), title, restart)
  expect(stopReason()).toBeNull()
  const failed = results.filter(({ verdict }) => verdict === 'failed').map((result) => result.title)
  expect(failed).toContainEqual(expect.stringMatching(`^${title}`))
  expect(violations.flatMap(({ differences }) => differences).filter((difference) => !isQuoted(difference))).toEqual([])
})

test('of a fresh cookie that has several faults, each is told', async () => {
  const wrong = sets(/=.*/, '=a%0a; Path=/api; HttpOnly; Domain=a.example; SameSite=None; Max-Age=0')
  const { violations } = await check(await serveFaulty(server.app, wrong), 'the fresh cookie')
  const told = violations.flatMap(({ differences }) => differences.map(({ expected }) => expected))
  const attributes = ['XSRF-TOKEN with Path=/', 'XSRF-TOKEN without HttpOnly', 'XSRF-TOKEN without Domain']
  const value = ['XSRF-TOKEN with 16 characters or more', 'a decoded value that is valid in a header', 'a fresh value']
  const others = ['SameSite=Strict or Lax, or none', 'XSRF-TOKEN that lasts']
  expect(new Set(told)).toEqual(new Set([...attributes, ...others, ...value]))
})

test('every row quotes the contract, and catches a faulty backend', () => {
  const rows = tableOf(contract, 'http://x', 'true')
  expect(rows.filter((row) => !isQuoted(row))).toEqual([])
  const starts = [...new Set(FAULTS.map(([title]) => title))]
  const caught = starts.flatMap((start) =>
    [...new Set(rows.map(({ title }) => title))].filter((title) => title.startsWith(start)),
  )
  expect(caught.toSorted()).toEqual([...new Set(rows.map(({ title }) => title))].toSorted())
})
