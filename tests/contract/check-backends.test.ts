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
  // The operator finds all that was stored by the start of its address.
  expect(rows.filter(({ email }) => !/^contract\+abcdef\d\d\./i.test(email))).toEqual([])
})

/** In all that the contract leaves open it differs from the reference backend. */
const differs: Handler = async (call, right) => {
  if (/"email".*"(email|\\u0065mail)"/.test(`${call.body}`)) return problem(400)
  const { 'sec-fetch-site': _site, origin: _origin, cookie: _token, ...others } = call.headers
  const { status, headers, body } = await right({ ...call, headers: others })
  const more =
    status < 400 ? {} : { type: 'https://api.example.com/x', instance: call.url.replace(/\?.*/, ''), more: 1 }
  return {
    status,
    headers: { ...headers, 'set-cookie': [], connection: 'close', 'cache-control': 'private, no-store' },
    body: body && JSON.stringify({ ...JSON.parse(body), ...more }, null, 2).replaceAll('":', '" :'),
  }
}

test('a backend that does otherwise what the contract leaves open is right', async () => {
  const { failed } = await runCheck(await serveFaulty(server.app, differs), ['contactUs > '])
  expect(failed).toEqual([])
})

test('no answer of the reference backend reveals who is listed, if it may not', async () => {
  const { failed, unchecked } = await runCheck(await server.listen(), ['subscribe > '])
  expect(failed).toEqual([])
  expect(unchecked).toContain('which addresses are stored, since email_exists is always false')
})

test('a call that is refused with 429 is sent again after the time of Retry-After', async () => {
  let calls = 0
  const limits: Handler = (call, right) => (calls++ === 0 ? problem(429, { 'retry-after': '1' }) : right(call))
  const { failed } = await runCheck(await serveFaulty(server.app, limits), EXAMPLE)
  expect(failed).toEqual([])
})

test.for<[fault: string, answer: RequestListener, told: RegExp]>([
  ['with 201 for 200', says(NEW, 201), /got +201 .*does not know/],
  ['in text/plain', says(NEW, 200, { 'Content-Type': 'text/plain' }), /expected +application\/json\n/],
  ['with a redirect', says('', 301, { Location: 'https://x.example' }), /It follows no redirect/],
  ['with more than a megabyte', says(`"${'a'.repeat(2 ** 20)}"`), /more than 1 MiB/],
  ['with half an answer', (_, response) => response.write('{', () => response.destroy()), /closed during the answer/],
])('a backend that answers %s is faulty', async ([, answer, told]) => {
  const { failed } = await runCheck((await localServer(answer)).origin, EXAMPLE)
  expect(failed[0]?.told).toMatch(told)
})

test('an answer without an end is none', async () => {
  const { origin } = await localServer((_, response) => {
    response.useChunkedEncodingByDefault = false
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).write(NEW)
  })
  const { failed } = await runCheck(origin, EXAMPLE, { timeoutMs: 500 })
  expect(failed[0]?.told).toContain('no whole answer in 0.5 s')
})

test('a fault shows the calls that lead to it, the answers, and what to do', async () => {
  const forgets = changes((_, { key }) => (/^ABC/.test(key) ? { status: 500 } : {}))
  const { failed } = await runCheck(await serveFaulty(server.app, forgets), ['the same key with another body'])
  const parts = /\nexpected +422\ngot +500 .*\nto do .*\nfirst sent .*received +200\n.*then sent .*received +500\n/s
  expect(failed[0]?.told).toMatch(parts)
})

const brokenFrom =
  (nth: number, calls = 0): Handler =>
  (call, right) =>
    calls++ < nth ? right(call) : problem(500)

test('a fault that many tests find is told five times', async () => {
  const { failed } = await runCheck(await serveFaulty(server.app, brokenFrom(0)), ['another method'])
  expect(failed).toHaveLength(5)
})

test('after ten faults the check stops', async () => {
  const { unchecked } = await runCheck(await serveFaulty(server.app, brokenFrom(9)), ['subscribe > '])
  expect(unchecked).toContain('the tests after 10 faults')
})

test('each of the eight faults of a cookie is told', () => {
  const line = 'XSRF-TOKEN=a%0a; Path=/api; HttpOnly; Domain=a.example; SameSite=None; Max-Age=0'
  const call = { method: 'POST', path: '/', headers: {}, body: Buffer.alloc(0), isExample: false }
  const find = () => cookieDifferences(call, { status: 200, headers: { 'set-cookie': line }, body: '' })
  find()
  // The second visitor gets the value of the first.
  expect(find()).toHaveLength(8)
})
