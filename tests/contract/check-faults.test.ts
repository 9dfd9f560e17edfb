import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { CODES, type Code, DEPENDENT } from '../../check/advice.ts'
import {
  type Answer,
  type Call,
  type Handler,
  type Headers,
  problem,
  runCheck,
  serveFaulty,
} from '../support/contract/check.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const server = await buildTestApp()
afterAll(server.close)

/** Replaces text in each header, which has its name before it. */
function changed(headers: Headers, pattern: RegExp, text: string): Headers {
  const change = (name: string, value: string) => `${name}: ${value}`.replace(pattern, text).slice(name.length + 2)
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(name, value)]))
}

/** A backend that reads each call as if another text stood in it. */
const reads =
  (pattern: RegExp, text: string): Handler =>
  ({ headers, body, ...call }, next) => {
    const read = isUtf8(body) ? Buffer.from(`${body}`.replace(pattern, text)) : body
    return next({ ...call, headers: changed(headers, pattern, text), body: read })
  }

const answers =
  (change: (answer: Answer, call: Call) => Partial<Answer>): Handler =>
  async (call, next) => {
    const answer = await next(call)
    return { ...answer, ...change(answer, call) }
  }

/** A backend that writes another text into the answers with a status. */
const writes = (changedStatus: number, pattern: RegExp, text: string) =>
  answers(({ status, headers, body }) =>
    status === changedStatus ? { headers: changed(headers, pattern, text), body: body.replace(pattern, text) } : {},
  )

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
const isRepeat = (text: string) => seen.size === seen.add(text).size
const usedKeys = new Set<string>()

/** For each code of a fault, a backend that has it. */
const FAULTY: Readonly<Record<Code, Handler>> = {
  'no-answer': refuses(0, ({ method }) => method === 'DELETE'),
  'rate-limits': () => problem(429, { 'retry-after': '9999' }),
  'answer-headers': writes(413, /^cache-control: .*/, 'cache-control: private'),
  'answer-type': writes(404, /^content-type: .*/, 'content-type: text/html'),
  'answer-body': writes(400, /"status":400/, '"status":500'),
  statuses: answers(({ status, body }) => (status === 415 ? { status: 400, body: body.replace('415', '400') } : {})),
  'fields-at-fault': writes(422, /("errors":\[{[^}]*}),.*]/, '$1]'),
  'sent-values': repeatsMessage,
  internals: writes(405, /"detail":"/, '$&/srv/app/x '),
  'the-cookie': writes(403, /^set-cookie: .*/, '$&; HttpOnly'),
  'first-call': writes(200, /"success":true/, '"success":false'),
  'own-origin': refuses(403, ({ headers }) => headers.origin === 'http://backend.internal:8080'),
  'request-type': reads(/^content-type: application\/problem\+/, 'content-type: application/'),
  'query-string': refuses(404, ({ url }) => url.includes('?')),
  '64-kib': refuses(400, ({ chunks }) => chunks.length > 1 && !chunks.every((chunk) => isUtf8(chunk))),
  'strict-json': reads(/^\ufeff/, ''),
  fields: reads(/,"Email":"a"/, ''),
  addresses: reads(/("email":"[^"]*)\\n"/, '$1"'),
  lengths: refuses(500, ({ body }) => /"😀{100}"/u.test(`${body}`)),
  'text-to-the-letter': refuses(422, ({ body }) => `${body}`.includes('</script>')),
  'white-space': reads(/\u3000/g, ''),
  'paths-and-methods': (call, next) => next({ ...call, url: call.url.replace(/\/$/, '') }),
  'key-format': reads(/^(idempotency-key: .{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  'the-token': reads(/^x-xsrf-token: ONE$/, 'x-xsrf-token: one'),
  'fresh-tokens': writes(403, /^set-cookie: XSRF-TOKEN=[^;]+/, 'set-cookie: XSRF-TOKEN=the-same-for-everybody'),
  'keep-alive': refuses(400, ({ method, headers }) => method === 'HEAD' && headers.connection === 'keep-alive'),
  'refused-calls': storesBeforeItChecks,
  races: forgetsOnce,
  'one-address': answers(({ body }, { email }) => (/@EX/.test(email) ? { body: body.replace('true}', 'false}') } : {})),
  'same-key': reads(/"hello"/, '"Hello"'),
  'no-key': refuses(422, ({ url, key, body }) => url.endsWith('contact-us') && key === '' && isRepeat(`${body}`)),
  // It remembers the key of a call that it then refuses.
  'free-keys': refuses(422, ({ key, headers }) =>
    headers['content-type'] === 'text/plain' ? !usedKeys.add(key) : key !== '' && usedKeys.has(key),
  ),
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
  ['no Path', / Path=\/;?/, ''],
  ['a value that is too short', /XSRF-TOKEN=[^;]+/, 'XSRF-TOKEN=123456789012345'],
])('a cookie with %s is a fault', async (_, pattern, replacement) => {
  const url = await serveFaulty(server.app, writes(200, pattern, replacement))
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
