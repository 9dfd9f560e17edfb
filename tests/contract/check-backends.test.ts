import { afterAll, expect, test } from 'vitest'
import { type Handler, problem, serveFaulty } from '../support/contract/faulty-backend.ts'
import { runCheck } from '../support/contract/run-check.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const server = await buildTestApp({ access: { REVEAL_EXISTING: false } })
afterAll(server.close)

test('the reference backend keeps every rule on PostgreSQL', async () => {
  const backend = await buildTestApp({ database: 'postgres' })
  const { failed, notes } = await runCheck(await backend.listen())
  const rows = [...(await backend.rows('subscribers')), ...(await backend.rows('enquiries'))]
  await backend.close()
  expect(failed).toEqual([])
  expect(notes).toMatch(/Not checked: that data outlives a crash: see --restart \(2\); whether more is stored/)
  // The operator finds all stored rows by the beginning of their addresses.
  expect(rows.filter(({ email }) => !/^contract\+[0-9a-f]{8}\./i.test(email))).toEqual([])
})

let [calls, gets] = [0, 0]
/** Differs from the reference backend wherever the contract leaves a choice. */
const differs: Handler = async (call, next) => {
  if (calls++ === 20) return problem(429, { 'retry-after': '1' })
  // The third such call asks whether the backend has started again.
  if (call.method === 'GET' && call.url === '/api' && gets++ === 2) return problem(502)
  if (/"email".*"(email|\\u0065mail)"/.test(`${call.body}`)) return problem(400)
  const { 'sec-fetch-site': _site, origin: _origin, cookie: _token, ...otherHeaders } = call.headers
  const { status, headers, body } = await next({ ...call, headers: otherHeaders })
  const extraFields =
    status < 400 ? {} : { type: 'https://api.example.com/x', instance: call.url.replace(/\?.*/, ''), more: 1 }
  return {
    status,
    headers: { ...headers, 'set-cookie': [], connection: 'close', 'cache-control': 'private, no-store' },
    body: body && JSON.stringify({ ...JSON.parse(body), ...extraFields }, null, 2).replaceAll('":', '" :'),
  }
}

test('the check accepts a backend that uses every freedom of the contract', async () => {
  const { failed, notes } = await runCheck(await serveFaulty(server.app, differs), '--restart', 'true')
  expect(failed).toEqual([])
  expect(notes).toMatch(/^\/api\/[a-z-]+ is limited for 1 s/)
  expect(notes).toContain('which addresses are stored, since email_exists is always false (')
  expect(notes).toContain('the cookie XSRF-TOKEN, which this backend does not use (')
})
