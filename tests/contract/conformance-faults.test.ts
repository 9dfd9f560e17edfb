import { isUtf8 } from 'node:buffer'
import { afterAll, expect, test } from 'vitest'
import {
  type Answer,
  type Call,
  type Handler,
  problem,
  runCheck,
  serveFaulty,
} from '../support/contract/conformance.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const server = await buildTestApp()
afterAll(server.close)

/** A backend that reads each call as if another text stood in its headers and its body. */
const reads =
  (pattern: RegExp, text: string): Handler =>
  ({ headers, body, ...call }, next) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`.replace(pattern, text))
    const changed = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s)))
    const read = `${body}`.replace(pattern, text)
    return next({ ...call, headers: changed, body: pattern.test(`${body}`) ? Buffer.from(read) : body })
  }

/** A backend that changes its answers. */
const answers =
  (change: (answer: Answer, call: Call) => Partial<Answer> | false): Handler =>
  async (call, next) => {
    const answer = await next(call)
    return { ...answer, ...change(answer, call) }
  }

/** A backend that writes another text into the bodies with a status. */
const writes = (status: number, pattern: RegExp, text: string) =>
  answers((answer) => answer.status === status && { body: answer.body.replace(pattern, text) })

const sets = (status: number, name: string, value: (old: string) => string) =>
  answers(
    (answer) =>
      answer.status === status && { headers: { ...answer.headers, [name]: value(`${answer.headers[name]}`) } },
  )

const refuses =
  (status: number, isRefused: (call: Call) => boolean): Handler =>
  (call, next) =>
    isRefused(call) ? problem(status) : next(call)

const has = (text: string) => (call: Call) => `${call.body}`.includes(text)
const refusesBrowsers = refuses(403, ({ headers }) => 'origin' in headers)
/** A backend that refuses a type of a body because of its parameters. */
const refusesType = (parameters: RegExp) => refuses(415, ({ headers }) => parameters.test(`${headers['content-type']}`))
const isText = ({ headers }: Call) => headers['content-type'] === 'text/plain'
/** Whether the client keeps the connection of a call open. */
const isReused = ({ headers }: Call) => headers.connection === 'keep-alive'
const isReusedHead = (call: Call) => call.method === 'HEAD' && isReused(call)

const storesBeforeItChecks: Handler = async (call, next) => {
  if (isText(call)) await next({ ...call, headers: { 'content-type': 'application/json' } })
  return next(call)
}

/** A backend that does not read a body. So its parser refuses the next call on the connection. */
const leavesBodyUnread: Handler = (call, next) =>
  call.method === 'PUT' && isReused(call)
    ? { status: 501, headers: { 'content-type': 'text/html' }, body: '<p>Unsupported\nmethod' }
    : next(call)

/** A backend that answers some calls as if their address were new. */
const forgets = (isForgotten: (call: Call) => boolean) =>
  answers(({ body }, call) => isForgotten(call) && { body: body.replace('exists":true', 'exists":false') })

/** Whether a call is the fifth with its body. */
function isFifth() {
  const times = new Map<string, number>()
  return ({ body }: Call) => {
    const count = (times.get(`${body}`) ?? 0) + 1
    times.set(`${body}`, count)
    return count === 5
  }
}

/** A backend that also keeps the key of a refused call, and refuses the next call with this key. */
function keepsKeysOfRefusedCalls(): Handler {
  const used = new Set<string>()
  return async (call, next) => {
    const key = `${call.headers['idempotency-key']}`
    const answer = used.has(key) ? problem(422) : await next(call)
    if (answer.status !== 200) used.add(key)
    return answer
  }
}

/** A backend that accepts two enquiries with one key. */
const acceptsBoth = answers(({ status, headers }) => {
  const type = { 'content-type': 'application/json' }
  return status === 422 && { status: 200, headers: { ...headers, ...type }, body: '{"success":true}' }
})

/**
 * A backend that loses the rows of a table at a restart. After a restart, the check calls /api/more until it gets an
 * answer: then this backend deletes the rows.
 */
const loses =
  (table: 'subscribers' | 'enquiries'): Handler =>
  async (call, next) => {
    if (call.url === '/api/more') await server.database.run((db) => db.deleteFrom(table).execute())
    return next(call)
  }

/** A rule of an operation, what a failure of it shows, and a backend with the fault. */
type Fault = readonly [operation: 'subscribe' | 'contactUs', rule: string, shown: RegExp, backend: Handler]

const FAULTS: readonly Fault[] = [
  ['subscribe', 'first-call', /Expected 200, got 200 with .*false/, writes(200, /"success":true/, '"success":false')],
  ['subscribe', 'refusals', /Cache-Control is no-cache/, sets(413, 'cache-control', () => 'no-cache')],
  ['subscribe', 'refusals', /Allow is missing/, answers(({ headers: { allow: _, ...headers } }) => ({ headers }))],
  ['subscribe', 'refusals', /Content-Type is text\/html/, sets(404, 'content-type', () => 'text/html')],
  ['subscribe', 'refusals', /The `status` in the body/, writes(400, /"status":400/, '"status":500')],
  ['subscribe', 'refusals', /Expected 415, got 400/, refuses(400, isText)],
  ['subscribe', 'refusals', /repeats a value/, writes(422, /"detail":"/, '$&plain text ')],
  ['subscribe', 'refusals', /shows internals/, writes(405, /"detail":"/, '$&/srv/app/x ')],
  ['contactUs', 'refusals', /must name exactly .*\/msg/, writes(422, /("errors":\[{[^}]*}),.*]/, '$1]')],
  ['subscribe', 'refusals', /must name exactly .*each once/, writes(422, /"errors":\[({.*?})/, '$&,$1')],
  ['subscribe', 'refusals', /Expected 405, got 400/, refuses(400, isReusedHead)],
  [
    'subscribe',
    'refusals',
    /got ECONNRESET\.\nOn a new connection.*Connection: close.*\nThe call before:\ncurl .*more.*\nThe call:\ncurl .*PUT.*$/,
    refuses(0, (call) => call.method === 'PUT' && isReused(call)),
  ],
  ['subscribe', 'refusals', /got 501 text\/html <p>Unsupported method\.\nOn a new connection/, leavesBodyUnread],
  ['subscribe', 'own-origin', /Expected 200/, refusesBrowsers],
  ['subscribe', 'request-type', /Expected 415/, reads(/^(content-type: application\/)problem\+/, '$1')],
  ['subscribe', 'request-type', /Expected 200, got 415/, refusesType(/v=1$/)],
  ['subscribe', 'request-type', /Expected 200, got 415/, refusesType(/=x"/)],
  ['subscribe', 'size', /Expected 200/, refuses(413, ({ body }) => body.length > 32_768)],
  ['contactUs', 'size', /Expected 200/, refuses(400, ({ chunks }) => !chunks.every(isUtf8))],
  ['subscribe', 'strict-json', /Expected 400/, reads(/^\ufeff/, '')],
  ['subscribe', 'fields', /Expected 422/, reads(/,"Email":"a"/, '')],
  ['contactUs', 'fields', /pointer must NOT have more than 300 characters/, writes(422, /(more){25}/, '$&$&$&$&')],
  ['subscribe', 'fields', /must NOT have more than 20 items/, writes(422, /{"pointer":"\/more19"[^}]*}/, '$&,$&')],
  ['subscribe', 'fields', /must name exactly '\/a~1b~0c', .* but names '\/a\/b~c'/, writes(422, /a~1b~0c/, 'a/b~c')],
  ['subscribe', 'addresses', /Expected 422/, reads(/("email":"[^"]*)\\n"/, '$1"')],
  ['contactUs', 'texts', /Expected 200/, refuses(400, has('\\ud83d'))],
  [
    'subscribe',
    'paths',
    /no complete answer: ECONNRESET\. The connection broke.*backend\.\ncurl/,
    refuses(0, ({ method }) => method === 'DELETE'),
  ],
  ['subscribe', 'paths', /Expected 404/, (call, next) => next({ ...call, url: call.url.replace(/\/$/, '') })],
  ['subscribe', 'paths', /Expected 405, got 501/, refuses(501, ({ method }) => method === 'REPORT')],
  [
    'contactUs',
    'key-format',
    /Expected 422.*(-H 'idempotency-key: [^']+' ){2}/s,
    reads(/^(idempotency-key: [^,]*),.*$/, '$1'),
  ],
  ['contactUs', 'key-format', /Expected 422/, reads(/^(idempotency-key): no$/, `$1: ${crypto.randomUUID()}`)],
  ['subscribe', 'right-tokens', /Expected 200/, refuses(403, ({ headers }) => `${headers.cookie}`.includes('%zz'))],
  ['subscribe', 'right-tokens', /Expected 200/, refuses(403, ({ headers }) => `${headers.cookie}`.includes('%41%zz'))],
  ['subscribe', 'wrong-tokens', /Expected 403/, reads(/^x-xsrf-token: ONE$/, 'x-xsrf-token: one')],
  ['subscribe', 'wrong-tokens', /Expected 403/, sets(403, 'set-cookie', () => 'XSRF-TOKEN=one-for-everybody; Path=/')],
  ['subscribe', 'wrong-tokens', /16 random characters/, sets(403, 'set-cookie', () => 'XSRF-TOKEN=short; Path=/')],
  ['subscribe', 'wrong-tokens', /HttpOnly/, sets(403, 'set-cookie', (old) => `${old}; HttpOnly`)],
  ['subscribe', 'wrong-tokens', /SameSite=None/, sets(403, 'set-cookie', (old) => `${old}; SameSite=None; Secure`)],
  ['subscribe', 'refused-calls', /Expected 200 with email_exists false/, storesBeforeItChecks],
  [
    'subscribe',
    'one-address',
    /Expected 200 with email_exists true.*\nThe call before:\ncurl .*@Example.com.*\nThe call:\ncurl .*@EXAMPLE.COM/,
    forgets((call) => has('@EX')(call)),
  ],
  ['subscribe', 'one-address', /An address was not stored/, forgets(has('5@'))],
  [
    'subscribe',
    'one-address',
    /Of 10 calls .*unique key.*\nfor _ in \$\(seq 10\); do curl .* & done; wait$/,
    forgets(isFifth()),
  ],
  ['subscribe', 'one-address', /required property 'email_exists'/, writes(200, /,"email_exists":true/, '')],
  ['subscribe', 'crashes', /Expected 200 with email_exists true/, loses('subscribers')],
  ['contactUs', 'same-key', /Expected 200/, refuses(422, has('\\u00fc'))],
  [
    'contactUs',
    'other-fields',
    /Expected 422.*\nThe call before:\ncurl .*\nThe call:\ncurl/,
    reads(/^(idempotency-key: .*)[A-F]/, '$10'),
  ],
  [
    'contactUs',
    'refused-calls',
    /Expected 200.*\nThe call before:\ncurl .*\nThe call:\ncurl/,
    keepsKeysOfRefusedCalls(),
  ],
  ['contactUs', 'races', /Of 2 calls sent together.*\ncurl .* &\ncurl .* & wait$/, acceptsBoth],
  ['contactUs', 'crashes', /Expected 422/, loses('enquiries')],
]

test.for(FAULTS)('%s > %s: the check shows %s', async ([operation, rule, shown, backend]) => {
  const url = await serveFaulty(server.app, backend)
  const { failed } = await runCheck([url, '--restart', 'true'], RegExp(`^${operation} > ${rule}:`))
  expect(failed).toEqual([expect.stringMatching(shown)])
})

test('the check reports that the command of --restart failed', async () => {
  const url = await serveFaulty(server.app, (call, next) => next(call))
  const { failed } = await runCheck([url, '--restart', 'false'], /^subscribe > crashes:/)
  expect(failed).toEqual([expect.stringContaining('Try it alone: false')])
})

test('the check goes on after a failed rule that no other rule needs', async () => {
  const url = await serveFaulty(server.app, refusesBrowsers)
  const { passed, failed } = await runCheck([url], /^subscribe > (own-origin|request-type):/)
  expect(failed).toEqual([expect.stringContaining('own-origin')])
  expect(passed).toEqual([expect.stringContaining('request-type')])
})

test('our server keeps each rule, and each rule has a faulty backend in this file', async () => {
  const url = await serveFaulty(server.app, (call, next) => next(call))
  const { passed, failed } = await runCheck([url, '--restart', 'true'])
  expect(failed).toEqual([])
  const ids = new Set(passed.flatMap((title) => / > ([\w-]+): /.exec(title)?.[1] ?? []))
  expect([...new Set(FAULTS.map(([, rule]) => rule))].sort()).toEqual([...ids].sort())
})
