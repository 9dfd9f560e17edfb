import { afterAll, expect, test } from 'vitest'
import { failedIn, runCheck } from '../support/contract/run-check.ts'
import { type Handler, problem, serveFaulty } from '../support/contract/serve-faulty.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const server = await buildTestApp()
afterAll(() => server.close())

const unchecked = (results: Awaited<ReturnType<typeof runCheck>>) => [...new Set(results.map(({ note }) => note))]

test('the reference backend keeps every promise on PostgreSQL', async () => {
  const backend = await buildTestApp({ database: 'postgres' })
  const results = await runCheck(await backend.listen())
  const rows = [...(await backend.rows('subscribers')), ...(await backend.rows('enquiries'))]
  await backend.close()
  expect(failedIn(results)).toEqual([])
  expect(unchecked(results)).toEqual(['', 'that data outlives a crash: see --restart'])
  expect(rows.length).toBeGreaterThan(100)
  // The operator finds all that was stored by the start of its address.
  expect(rows.filter(({ email }) => !/^contract\+abcdef12\./i.test(email))).toEqual([])
})

test('a backend may keep to itself who is listed, and the check says so', async () => {
  const backend = await buildTestApp({ access: { revealExisting: false } })
  const results = await runCheck(await backend.listen(), 'subscribe > ')
  await backend.close()
  expect(failedIn(results)).toEqual([])
  expect(unchecked(results)).toContain('which addresses are stored, since email_exists is always false')
})

/** In all that the contract leaves open it differs from the reference backend. */
const OTHER_WAY: Handler = async (call, right) => {
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
  expect(failedIn(await runCheck(await serveFaulty(server.app, OTHER_WAY)))).toEqual([])
})

const CUT_OFF = `HTTP/1.1 200 OK\r
content-type: application/json\r
cache-control: no-store\r
connection: close\r
\r
{"success":true,"email_exists":false}`

test('an answer that does not end in time is none', async () => {
  const origin = await serveFaulty(server.app, () => (socket) => socket.write(CUT_OFF))
  const [fault] = failedIn(await runCheck(origin, 'the example of the contract', { timeoutMs: 500 }))
  expect(fault?.said).toContain('no whole answer in 0.5 s')
})

test('a backend that always limits calls is not waited for without end', async () => {
  const origin = await serveFaulty(server.app, () => problem(429, { 'retry-after': '1' }))
  const [fault] = failedIn(await runCheck(origin, 'the example of the contract'))
  expect(fault?.said).toMatch(/got +429/)
})
