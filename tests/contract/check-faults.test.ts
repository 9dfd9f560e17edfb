import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { CODES, type Code, DEPENDENT } from '../../check/advice.ts'
import { answers, type Call, type Handler, problem, reads, runCheck, serveFaulty } from '../support/contract/check.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const server = await buildTestApp()
afterAll(server.close)

/** Reads a body as if one text stood in the place of another. */
const readsAs = (pattern: string | RegExp, replacement: string) =>
  reads(({ body }) => (isUtf8(body) ? { body: Buffer.from(`${body}`.replace(pattern, replacement)) } : {}))
const readsHeader = (name: string, pattern: RegExp, replacement: string) =>
  reads(({ headers }) =>
    name in headers ? { headers: { ...headers, [name]: `${headers[name]}`.replace(pattern, replacement) } } : {},
  )
const writes = (status: number, pattern: string | RegExp, replacement: string) =>
  answers((answer) => (answer.status === status ? { body: answer.body.replace(pattern, replacement) } : {}))
const writesHeader = (status: number, name: string, pattern: RegExp, replacement: string) =>
  answers((answer) => {
    const lines = [answer.headers[name] ?? []].flat().map((line) => line.replace(pattern, replacement))
    return answer.status === status ? { headers: { ...answer.headers, [name]: lines } } : {}
  })
const refuses =
  (status: number, isRefused: (call: Call) => boolean): Handler =>
  (call, next) =>
    isRefused(call) ? problem(status) : next(call)

const repeatsMessage = answers(({ status, body }, call) => {
  const [, message] = /"msg":"([^"]{8,})/.exec(`${call.body}`) ?? []
  return status === 422 && message ? { body: body.replace('"detail":"', `"detail":"${message} `) } : {}
})
const storesBeforeItChecks: Handler = async (call, next) => {
  if (call.url.endsWith('subscribe') && call.headers['content-type'] === 'text/plain')
    await next({ ...call, headers: { 'content-type': 'application/json' } })
  return next(call)
}
const timesOf = new Map<string, number>()
const forgetsOnce = answers(({ body }, { email }) => {
  const times = (timesOf.get(email) ?? 0) + 1
  timesOf.set(email, times)
  return times === 5 ? { body: body.replace('exists":true', 'exists":false') } : {}
})
const losesEnquiries: Handler = async (call, next) => {
  if (call.url === '/api') await server.database.run((db) => db.deleteFrom('enquiries').execute())
  return next(call)
}
const seen = new Set<string>()
const refusesRepeats: Handler = (call, next) => {
  const enquiry = call.url.endsWith('contact-us') && call.key === '' ? `${call.body}` : ''
  if (enquiry && seen.has(enquiry)) return problem(422)
  seen.add(enquiry)
  return next(call)
}
const usedKeys = new Set<string>()
const usesKeysUp: Handler = async (call, next) => {
  if (usedKeys.has(call.key)) return problem(422)
  const answer = await next(call)
  if (call.key && answer.status === 415) usedKeys.add(call.key)
  return answer
}

/** For each code of a fault, a backend that has it. */
const FAULTY: Readonly<Record<Code, Handler>> = {
  'no-answer': refuses(0, ({ method }) => method === 'DELETE'),
  'rate-limits': () => problem(429, { 'retry-after': '9999' }),
  'answer-headers': writesHeader(413, 'cache-control', /.*/, 'private'),
  'answer-type': writesHeader(404, 'content-type', /.*/, 'text/html'),
  'answer-body': writes(400, '"status":400', '"status":500'),
  statuses: answers(({ status, body }) => (status === 415 ? { status: 400, body: body.replace('415', '400') } : {})),
  'fields-at-fault': writes(422, /("errors":\[{[^}]*}),.*]/, '$1]'),
  'sent-values': repeatsMessage,
  internals: writes(405, '"detail":"', '"detail":"/srv/app/x '),
  'the-cookie': writesHeader(403, 'set-cookie', /$/, '; HttpOnly'),
  'first-call': writes(200, '"success":true', '"success":false'),
  'own-origin': refuses(403, ({ headers }) => headers.origin === 'http://backend.internal:8080'),
  'request-type': readsHeader('content-type', /problem\+/, ''),
  'query-string': refuses(404, ({ url }) => url.includes('?')),
  '64-kib': refuses(400, ({ chunks }) => chunks.length > 1 && !chunks.every((chunk) => isUtf8(chunk))),
  'strict-json': readsAs(/^\ufeff/, ''),
  fields: readsAs(/,"Email":"a"/, ''),
  addresses: readsAs(/("email":"[^"]*)\\n"/, '$1"'),
  lengths: refuses(500, ({ body }) => /"😀{100}"/u.test(`${body}`)),
  'text-to-the-letter': refuses(422, ({ body }) => `${body}`.includes('</script>')),
  'white-space': readsAs(/\u3000/g, ''),
  'paths-and-methods': reads(({ url }) => ({ url: url.replace(/\/$/, '') })),
  'key-format': readsHeader('idempotency-key', /^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  'the-token': readsHeader('x-xsrf-token', /^ONE$/, 'one'),
  'fresh-tokens': writesHeader(403, 'set-cookie', /=[^;]+/, '=the-same-for-everybody'),
  'keep-alive': refuses(400, ({ method, headers }) => method === 'HEAD' && headers.connection === 'keep-alive'),
  'refused-calls': storesBeforeItChecks,
  races: forgetsOnce,
  'one-address': answers(({ body }, { email }) => (/@EX/.test(email) ? { body: body.replace('true}', 'false}') } : {})),
  'same-key': readsAs('"hello"', '"Hello"'),
  'no-key': refusesRepeats,
  'free-keys': usesKeysUp,
  crashes: losesEnquiries,
}

// Each of these ends the check, as ten causes do.
const ENDINGS: readonly Code[] = ['first-call', 'rate-limits']
const dependent = CODES.filter((code) => code in DEPENDENT)
const independent = CODES.filter((code) => !ENDINGS.includes(code) && !dependent.includes(code))
/** Any call may show these: some rules do. The other faults are shown by the tests of their own rules. */
const ofAnyAnswer = independent.slice(0, independent.indexOf('own-origin'))
const SOME_RULES = 'request-type|64-kib|strict-json|fields|paths-and-methods|the-token'
const halves = (codes: readonly Code[]) => [0, 1].map((rest) => codes.filter((_, place) => place % 2 === rest))
const GROUPS = [
  ...ENDINGS.map((code) => [code]),
  ofAnyAnswer,
  ...halves(independent.slice(ofAnyAnswer.length)),
  ...halves(dependent),
]

test.for(GROUPS)('each fault is shown once, with what to do: %s, …', async (...[codes]) => {
  const url = await serveFaulty(server.app, ...codes.map((code) => FAULTY[code]))
  const rules = codes === ofAnyAnswer ? SOME_RULES : `first-call|${codes.join('|')}`
  const { failed } = await runCheck([url, '--restart', 'true'], new RegExp(`> (${rules})( \\||$)`))
  const shown = failed.map((message) => /\nto do: .+\nsee: docs\/.+#(.+)\nsent: /.exec(message)?.[1])
  expect(shown.sort()).toEqual([...codes].sort())
})

test.each([
  ['a Domain', /$/, '; Domain=example.com'],
  ['SameSite=None', /SameSite=\w+/, 'SameSite=None'],
  ['no Path', / Path=\/;?/, ''],
  ['a value that is too short', /=[^;]+/, '=123456789012345'],
])('a cookie with %s is a fault', async (_, pattern, replacement) => {
  const url = await serveFaulty(server.app, writesHeader(200, 'set-cookie', pattern, replacement))
  const { failed } = await runCheck([url], /subscribe > first-call$/)
  expect(failed).toEqual([expect.stringContaining('#the-cookie')])
})

test('after ten causes the check stops', async () => {
  const handlers = [...independent, ...dependent].map((code) => FAULTY[code])
  const { failed, notes } = await runCheck([await serveFaulty(server.app, ...handlers)])
  expect(failed).toHaveLength(10)
  expect(notes).toContain('what comes after these faults')
})

test('the guide has a heading for each code', () => {
  const headings = readFileSync('docs/implementing-the-contract.md', 'utf8').matchAll(/^#+ (.*)$/gm)
  const places = new Set([...headings].map(([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-')))
  expect(CODES.filter((code) => !places.has(code))).toEqual([])
})
