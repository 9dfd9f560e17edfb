import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { CODES, type Code } from '../../check/advice.ts'
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
/** No fault: the check has to read such answers too. */
const writesSpaces = answers(({ body }) => ({ body: body.replaceAll('":', '" : ') }))
/** Takes a key in capitals for another key. */
const readsCapitals = reads(/^(idempotency-key: .*)[A-F]/, '$10')
const losesEnquiries: Handler = async (call, next) => {
  if (call.url === '/api') await server.database.run((db) => db.deleteFrom('enquiries').execute())
  return next(call)
}

/** These rules show the faults of any answer, and of a restart. */
const SOME_RULES = 'request-type|64-kib|strict-json|fields|paths-and-methods|the-token|crashes'

type Faulty = { readonly [Name in Code]?: Handler }

/** Backends with a fault each, by its code. Of rules of the same kind one is here. */
const FAULTS: Readonly<Record<string, Faulty>> = {
  'of the first call': { 'first-call': writes(200, /"success":true/, '"success":false') },
  'of limits': { 'rate-limits': () => problem(429, { 'retry-after': '9999' }) },
  'of any answer or a restart': {
    'no-answer': refuses(0, ({ method }) => method === 'DELETE'),
    'answer-headers': writes(413, /^cache-control: .*/, 'cache-control: private'),
    'answer-type': writes(404, /^content-type: .*/, 'content-type: text/html'),
    'answer-body': writes(400, /"status":400/, '"status":500'),
    statuses: answers(({ status, body }) => (status === 415 ? { status: 400, body: body.replace('415', '400') } : {})),
    'fields-at-fault': writes(422, /("errors":\[{[^}]*}),.*]/, '$1]'),
    'sent-values': writes(422, /"detail":"/, '$&When will you serve the old harbour? '),
    internals: writes(405, /"detail":"/, '$&/srv/app/x '),
    'the-cookie': writes(403, /^set-cookie: .*/, '$&; HttpOnly'),
    crashes: losesEnquiries,
  },
  'of one call': {
    'request-type': reads(/^content-type: application\/problem\+/, 'content-type: application/'),
    'strict-json': reads(/^\ufeff/, ''),
    fields: reads(/,"Email":"a"/, ''),
    addresses: reads(/("email":"[^"]*)\\n"/, '$1"'),
    'text-to-the-letter': refuses(422, ({ body }) => `${body}`.includes('</script>')),
    'paths-and-methods': (call, next) => next({ ...call, url: call.url.replace(/\/$/, '') }),
    'the-token': reads(/^x-xsrf-token: ONE$/, 'x-xsrf-token: one'),
  },
  'of several calls': {
    'fresh-tokens': writes(403, /^set-cookie: XSRF-TOKEN=[^;]+/, 'set-cookie: XSRF-TOKEN=the-same-for-everybody'),
    'keep-alive': refuses(400, ({ method, headers }) => method === 'HEAD' && headers.connection === 'keep-alive'),
    'refused-calls': storesBeforeItChecks,
    races: forgetsOnce,
    'one-address': answers(({ body }, { email }) => ({
      body: /@EX/.test(email) ? body.replace('true}', 'false}') : body,
    })),
    'same-key': (call, next) => (`${call.body}`.includes('"hello"') ? readsCapitals(call, next) : next(call)),
  },
}

test.for(Object.entries(FAULTS))('each fault %s is shown once, with what to do', async ([, faulty]) => {
  const codes = Object.keys(faulty)
  const url = await serveFaulty(server.app, ...Object.values(faulty), writesSpaces)
  const rules = 'the-cookie' in faulty ? SOME_RULES : ['first-call', ...codes].join('|')
  const { failed } = await runCheck([url, '--restart', 'true'], new RegExp(`> (${rules})( \\||$)`))
  const shown = failed.map((message) => /\nto do: .+\nsee: docs\/.+#(.+)\nsent: /.exec(message)?.[1])
  expect(shown.sort()).toEqual(codes.sort())
})

test('the guide has a heading for each code', () => {
  const headings = readFileSync('docs/implementing-the-contract.md', 'utf8').matchAll(/^#+ (.*)$/gm)
  const places = new Set([...headings].map(([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-')))
  expect(CODES.filter((code) => !places.has(code))).toEqual([])
})
