import type { RequestListener } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { cookieDifferences } from '../../contract/cookies.ts'
import { changes, type Handler, problem, serveFaulty } from '../support/contract/faulty-backend.ts'
import { runCheck } from '../support/contract/run-check.ts'
import { localServer, says } from '../support/local-server.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const server = await buildTestApp({ access: { revealExisting: false } })
afterAll(server.close)

const NEW = '{"success":true,"email_exists":false}'
const EXAMPLE = ['subscribe > A request with neither']

test('the reference backend keeps every promise on PostgreSQL', async () => {
  const backend = await buildTestApp({ database: 'postgres' })
  const { failed, unchecked } = await runCheck(await backend.listen(), [''])
  const rows = [...(await backend.rows('subscribers')), ...(await backend.rows('enquiries'))]
  await backend.close()
  expect([failed, unchecked]).toEqual([[], ['that data outlives a crash: see --restart']])
  // The operator finds all stored rows by the beginning of their addresses.
  expect(rows.filter(({ email }) => !/^contract\+abcdef\d\d\./i.test(email))).toEqual([])
})

/** Differs from the reference backend wherever the contract leaves a choice. */
const differs: Handler = async (call, askReference) => {
  if (/"email".*"(email|\\u0065mail)"/.test(`${call.body}`)) return problem(400)
  const { 'sec-fetch-site': _site, origin: _origin, cookie: _token, ...otherHeaders } = call.headers
  const { status, headers, body } = await askReference({ ...call, headers: otherHeaders })
  const extraFields =
    status < 400 ? {} : { type: 'https://api.example.com/x', instance: call.url.replace(/\?.*/, ''), more: 1 }
  return {
    status,
    headers: { ...headers, 'set-cookie': [], connection: 'close', 'cache-control': 'private, no-store' },
    body: body && JSON.stringify({ ...JSON.parse(body), ...extraFields }, null, 2).replaceAll('":', '" :'),
  }
}

test('the check accepts a backend that uses every freedom of the contract', async () => {
  const { failed } = await runCheck(await serveFaulty(server.app, differs), ['contactUs > '])
  expect(failed).toEqual([])
})

test('with REVEAL_EXISTING=false no answer reveals a stored address', async () => {
  const { failed, unchecked } = await runCheck(await server.listen(), ['subscribe > '])
  expect(failed).toEqual([])
  expect(unchecked).toContain('which addresses are stored, since email_exists is always false')
})

test('the check repeats a call that got 429 after the time of Retry-After', async () => {
  let calls = 0
  const limits: Handler = (call, askReference) =>
    calls++ === 0 ? problem(429, { 'retry-after': '1' }) : askReference(call)
  const { failed } = await runCheck(await serveFaulty(server.app, limits), EXAMPLE)
  expect(failed).toEqual([])
})

test('the check waits for a restarted backend while a gateway answers 502', async () => {
  let pings = 0
  const startsSlowly: Handler = (call, askReference) =>
    call.url === '/api' && pings++ % 2 === 0 ? problem(502) : askReference(call)
  const { failed } = await runCheck(await serveFaulty(server.app, startsSlowly), ['> the data'], { restart: 'true' })
  expect(failed).toEqual([])
})

test.for<[fault: string, answer: RequestListener, message: RegExp]>([
  ['with 201 instead of 200', says(NEW, 201), /got +201 .*does not know/],
  ['in text/plain', says(NEW, 200, { 'Content-Type': 'text/plain' }), /expected +application\/json\n/],
  ['with a redirect', says('', 301, { Location: 'https://x.example' }), /It follows no redirect/],
  ['with more than a megabyte', says(`"${'a'.repeat(2 ** 20)}"`), /more than 1 MiB/],
  ['with half an answer', (_, response) => response.write('{', () => response.destroy()), /closed during the answer/],
])('a backend that answers %s is faulty', async ([, answer, message]) => {
  const { failed } = await runCheck((await localServer(answer)).origin, EXAMPLE)
  expect(failed[0]?.message).toMatch(message)
})

test('an answer that does not end counts as no answer', async () => {
  const { origin } = await localServer((_, response) => {
    response.useChunkedEncodingByDefault = false
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).write(NEW)
  })
  const { failed } = await runCheck(origin, EXAMPLE, { timeoutMs: 500 })
  expect(failed[0]?.message).toContain('no whole answer in 0.5 s')
})

test('the report of a fault has its calls, their answers, and advice', async () => {
  const forgets = changes((_, { key }) => (/^ABC/.test(key) ? { status: 500 } : {}))
  const { failed } = await runCheck(await serveFaulty(server.app, forgets), ['the same key with another body'])
  const parts = /\nexpected +422\ngot +500 .*\nto do .*\nfirst sent .*received +200\n.*then sent .*received +500\n/s
  expect(failed[0]?.message).toMatch(parts)
})

const brokenAfter =
  (nth: number, calls = 0): Handler =>
  (call, askReference) =>
    calls++ < nth ? askReference(call) : problem(500)

test('a fault that many tests find is reported five times', async () => {
  const { failed } = await runCheck(await serveFaulty(server.app, brokenAfter(0)), ['another method'])
  expect(failed).toHaveLength(5)
})

test('after ten faults the check stops', async () => {
  const { unchecked } = await runCheck(await serveFaulty(server.app, brokenAfter(9)), ['subscribe > '])
  expect(unchecked).toContain('the tests after 10 faults')
})

test('the check reports all eight faults of a cookie', () => {
  const line = 'XSRF-TOKEN=a%0a; Path=/api; HttpOnly; Domain=a.example; SameSite=None; Max-Age=0'
  const call = { method: 'POST', path: '/', headers: {}, body: Buffer.alloc(0), isExample: false }
  const find = () => cookieDifferences(call, { status: 200, headers: { 'set-cookie': line }, body: '' })
  find()
  // The second visitor gets the value of the first.
  expect(find()).toHaveLength(8)
})
