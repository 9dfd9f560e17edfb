import type { RequestListener } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { changes, type Handler, problem, serveFaulty } from '../support/contract/faulty-backend.ts'
import { runCheck } from '../support/contract/run-check.ts'
import { localServer, says } from '../support/local-server.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const server = await buildTestApp({ access: { REVEAL_EXISTING: false } })
afterAll(server.close)

const NEW = '{"success":true,"email_exists":false}'
const EXAMPLE = ['subscribe > A request with neither']

test('the reference backend keeps every promise on PostgreSQL', async () => {
  const backend = await buildTestApp({ database: 'postgres' })
  const { failed, notes } = await runCheck(await backend.listen())
  const rows = [...(await backend.rows('subscribers')), ...(await backend.rows('enquiries'))]
  await backend.close()
  expect(failed).toEqual([])
  expect(notes).toMatch(/Not checked: that data outlives a crash: see --restart \(2\); whether more is stored/)
  // The operator finds all stored rows by the beginning of their addresses.
  expect(rows.filter(({ email }) => !/^contract\+[0-9a-f]{8}\./i.test(email))).toEqual([])
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
  const { failed, notes } = await runCheck(await server.listen(), ['subscribe > '])
  expect(failed).toEqual([])
  expect(notes).toContain('which addresses are stored, since email_exists is always false')
})

test('the check repeats a call that got 429 after the time of Retry-After', async () => {
  let calls = 0
  // The first two calls ask whether this is a backend of the contract.
  const limits: Handler = (call, askReference) =>
    calls++ === 2 ? problem(429, { 'retry-after': '1' }) : askReference(call)
  const { failed, notes } = await runCheck(await serveFaulty(server.app, limits), EXAMPLE)
  expect([failed, notes]).toEqual([[], expect.stringMatching(/^\/api\/[a-z-]+ is limited for 1 s/)])
})

test('a call that stays limited is reported with what to do', async () => {
  const limits: Handler = () => problem(429, { 'retry-after': '1' })
  const { failed } = await runCheck(await serveFaulty(server.app, limits))
  expect(failed).toHaveLength(1)
  expect(failed[0]?.message).toContain('expected 200, got 429\nto do: Switch rate limits off while the check runs.')
})

test('the check waits for a restarted backend while a gateway answers 502', async () => {
  let pings = 0
  const startsSlowly: Handler = (call, askReference) =>
    call.url === '/api' && pings++ % 2 === 0 ? problem(502) : askReference(call)
  const { failed } = await runCheck(await serveFaulty(server.app, startsSlowly), ['> the data'], ['--restart', 'true'])
  expect(failed).toEqual([])
})

test.for<[fault: string, answer: RequestListener, message: RegExp]>([
  ['with 201 instead of 200', says(NEW, 201), /got 201, which the contract does not know/],
  [
    'in text/plain',
    says(NEW, 200, { 'Content-Type': 'text/plain' }),
    /Content-Type text\/plain instead of application\/json\n/,
  ],
  ['with a redirect', says('', 301, { Location: 'https://x.example' }), /got 301, which the contract does not know/],
  ['with more than a megabyte', says(`"${'a'.repeat(2 ** 20)}"`), /more than 1 MiB/],
  ['with half an answer', (_, response) => response.write('{', () => response.destroy()), /closed during the answer/],
])('a backend that answers %s is faulty', async ([, answer, message]) => {
  const { failed } = await runCheck((await localServer(answer)).origin, EXAMPLE)
  expect(failed[0]?.message).toMatch(message)
})

test('the report of a fault has its call, the answer, and advice', async () => {
  const forgets = changes((_, { key }) => (/^ABC/.test(key) ? { status: 500 } : {}))
  const { failed } = await runCheck(await serveFaulty(server.app, forgets), ['the same key with another body'])
  expect(failed[0]?.message).toMatch(
    /^expected 422, got 500\n.*to do: .*\nsee: docs\/.*#[\w-]+\nsent: POST .*\nreceived: 500\n/s,
  )
})

const brokenAfter =
  (nth: number, calls = 0): Handler =>
  (call, askReference) =>
    calls++ < nth ? askReference(call) : problem(500)

test('a fault that many tests find is reported once', async () => {
  const { failed } = await runCheck(await serveFaulty(server.app, brokenAfter(2)), ['another method'])
  expect(failed).toHaveLength(1)
})

test('after ten faults the check stops', async () => {
  const { failed, notes } = await runCheck(await serveFaulty(server.app, brokenAfter(4)), ['subscribe > '])
  expect(failed).toHaveLength(10)
  expect(notes).toContain('what comes after these faults')
})
