import { afterAll, expect, test } from 'vitest'
import { type Answer, type Call, type Handler, problem, runCheck, serveFaulty } from '../support/contract/check.ts'
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
const writes = (changed: number, pattern: RegExp, text: string) =>
  answers(({ status, body }) => status === changed && { body: body.replace(pattern, text) })

const sets = (changed: number, name: string, value: (old: string) => string) =>
  answers(({ status, headers }) => status === changed && { headers: { ...headers, [name]: value(`${headers[name]}`) } })

const refuses =
  (status: number, isRefused: (call: Call) => boolean): Handler =>
  (call, next) =>
    isRefused(call) ? problem(status) : next(call)

const storesBeforeItChecks: Handler = async (call, next) => {
  if (call.url.endsWith('subscribe') && call.headers['content-type'] === 'text/plain')
    await next({ ...call, headers: { 'content-type': 'application/json' } })
  return next(call)
}
const used = new Set<string>()
const usesUpKeys: Handler = async (call, next) => {
  const key = `${call.headers['idempotency-key']}`
  const answer = used.has(key) ? problem(422) : await next(call)
  if (answer.status !== 200) used.add(key)
  return answer
}
const losesAll: Handler = async (call, next) => {
  for (const table of ['subscribers', 'enquiries'] as const)
    if (call.url === '/api/more') await server.database.run((db) => db.deleteFrom(table).execute())
  return next(call)
}

/** The rule that fails and a part of its message, and the backend with this fault. */
const FAULTS: Readonly<Record<string, Handler>> = {
  'subscribe > first call: .*Expected 200, got 200 with .*false': writes(200, /"success":true/, '"success":false'),
  'subscribe > first call: .*body/email_exists must be': writes(200, /true}|false}/, '"yes"}'),
  'subscribe > refusals: .*Cache-Control is private': sets(413, 'cache-control', () => 'private'),
  'subscribe > refusals: .*Content-Type is text/html': sets(404, 'content-type', () => 'text/html'),
  'subscribe > refusals: .*status': writes(400, /"status":400/, '"status":500'),
  'subscribe > refusals: .*Expected 415, got 400': refuses(400, ({ headers }) =>
    /text/.test(`${headers['content-type']}`),
  ),
  'contactUs > refusals: .*name .*/msg': writes(422, /("errors":\[{[^}]*}),.*]/, '$1]'),
  'subscribe > refusals: .*repeats': writes(422, /"detail":"/, '$&plain text '),
  'subscribe > refusals: .*internals': writes(405, /"detail":"/, '$&/srv/app/x '),
  'subscribe > own origin': refuses(403, ({ headers }) => 'origin' in headers),
  'subscribe > request type': reads(/^content-type: application\/problem\+/, 'content-type: application/'),
  'subscribe > 64 KiB': refuses(413, ({ body }) => body.length > 32_768),
  'contactUs > 64 KiB': refuses(400, ({ body }) => `${body}`.includes('港')),
  'subscribe > strict JSON': reads(/^\ufeff/, ''),
  'subscribe > fields': reads(/,"Email":"a"/, ''),
  'subscribe > addresses': reads(/("email":"[^"]*)\\n"/, '$1"'),
  'contactUs > texts': refuses(422, ({ body }) => `${body}`.includes('</script>')),
  'contactUs > texts: .*ud83d': refuses(400, ({ body }) => `${body}`.includes('\\ud83d')),
  'subscribe > paths and methods: .*no whole answer': refuses(0, ({ method }) => method === 'DELETE'),
  'subscribe > paths and methods: .*Expected 404': (call, next) => next({ ...call, url: call.url.replace(/\/$/, '') }),
  'contactUs > key format': reads(/^idempotency-key: no$/, `idempotency-key: ${crypto.randomUUID()}`),
  'subscribe > right tokens': refuses(403, ({ headers }) => `${headers.cookie}`.includes('%zz')),
  'subscribe > wrong tokens: .*Expected 403': sets(
    403,
    'set-cookie',
    () => 'XSRF-TOKEN=the-same-for-everybody; Path=/',
  ),
  'subscribe > wrong tokens: .*HttpOnly': sets(403, 'set-cookie', (old) => `${old}; HttpOnly`),
  'subscribe > refusals: .*Expected 405, got 400': refuses(
    400,
    ({ method, headers }) => method === 'HEAD' && headers.connection === 'keep-alive',
  ),
  'subscribe > refused calls': storesBeforeItChecks,
  'subscribe > one address': answers(
    ({ body }, call) => /@EX/.test(`${call.body}`) && { body: body.replace('true}', 'false}') },
  ),
  'contactUs > same key': refuses(422, ({ body }) => `${body}`.includes('\\u00fc')),
  'contactUs > other fields': reads(/^(idempotency-key: .*)[A-F]/, '$10'),
  'contactUs > free keys': usesUpKeys,
  'subscribe > crashes': losesAll,
}

test.for(Object.entries(FAULTS))('the check shows %s', async ([shown, handler]) => {
  const url = await serveFaulty(server.app, handler)
  const [rule = ''] = shown.split(':')
  const { failed } = await runCheck([url, '--restart', 'true'], RegExp(rule))
  expect(failed[0]).toMatch(RegExp(`^${shown}`, 's'))
})
