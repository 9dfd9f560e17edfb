import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type Handler, problem, runCheck, serveFaulty } from '../support/contract/conformance.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { makeDatabase } from '../support/server/databases.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

const server = await buildTestApp({ REVEAL_EXISTING: false })
afterAll(server.close)

test('on PostgreSQL the reference keeps every rule, and its output names no visitor', async () => {
  const sandbox = makeServerFolder()
  const database = await makeDatabase('postgres')
  onTestFinished(() => sandbox.remove().then(database.remove))
  // With a trusted proxy and limits, all code that reads the addresses of clients runs.
  const limit = '99999/minute 99999/hour'
  const limits = { RATE_LIMIT: 'on', RATE_LIMIT_SUBSCRIBE: limit, RATE_LIMIT_CONTACT_US: limit }
  const settings = { ...limits, DATABASE_URL: database.url, TRUST_PROXY: '10.0.0.1' }
  const { origin, output, signal, exited } = await sandbox.start(settings)
  const headers = [
    'x-forwarded-for: 203.0.113.7',
    'user-agent: Zx81',
    'referer: http://example.com/',
    'x-request-id: Zx81',
  ]
  const { failed, skipped } = await runCheck([origin, ...headers.flatMap((header) => ['--header', header])])
  expect(failed).toEqual([])
  expect(skipped).toEqual(Array(2).fill(expect.stringMatching(/crashes.*--restart/)))
  signal('SIGTERM')
  expect(await exited).toBe(0)

  const rows = [...(await database.rows('subscribers')), ...(await database.rows('enquiries'))]
  // The operator finds all stored rows by the beginning of their addresses.
  expect(rows.filter(({ email }) => !/^contract\+[0-9a-f]{8}\./i.test(email))).toEqual([])
  // The first lines name the addresses of the database and of the server.
  const [, , ...lines] = output().trim().split('\n')
  expect(lines.filter((line) => line.includes('ignored the client address in a header'))).toHaveLength(1)
  const personal = /contract\+|@|Zx81|example|203\.0\.113|127\.0\.0\.1|::1|localhost/i
  expect(lines.filter((line) => personal.test(line))).toEqual([])
})

const PAGE = 'https://www.example.com'

/**
 * Differs from the reference backend wherever the contract leaves a choice. It is called at the path /backend, by a page
 * of another origin.
 */
const differs: Handler = async (outer, next) => {
  const { 'x-gateway': key, referer = PAGE } = outer.headers
  if (key !== 'key: 1' || !referer.startsWith(PAGE) || !outer.url.startsWith('/backend/')) return problem(401)
  const call = { ...outer, url: outer.url.replace('/backend', '') }
  if (/"email".*"(email|\\u0065mail)"/.test(`${call.body}`)) return problem(400)
  if (`${call.body}`.includes('\\ud800')) return problem(422)
  const { 'sec-fetch-site': _site, origin: _origin, cookie: _token, ...otherHeaders } = call.headers
  const { status, headers, body } = await next({ ...call, headers: otherHeaders })
  const { 'set-cookie': _cookie, ...keptHeaders } = headers
  const type = `${headers['content-type']}`.replace(/;.*|$/, '; Charset="UTF-8"')
  const extraFields =
    status < 400 ? {} : { type: 'https://api.example.com/x', instance: call.url.replace(/\?.*/, ''), more: 1 }
  return {
    status,
    headers: { ...keptHeaders, 'content-type': type, connection: 'close', 'cache-control': 'private, no-store' },
    body: body && JSON.stringify({ ...JSON.parse(body), ...extraFields }, null, 2).replaceAll('":', '" :'),
  }
}

test('the check accepts a backend that uses every freedom of the contract', async () => {
  const url = await serveFaulty(server.app, differs)
  const options = ['--restart', 'true', '--header', 'x-gateway: key: 1', '--origin', PAGE]
  const { failed, skipped } = await runCheck([`${url}/backend`, ...options])
  expect(failed).toEqual([])
  const reasons = skipped.map((line) => line.replace(/.*: /, ''))
  const noCookie = 'no cookie XSRF-TOKEN is set, so no token is tested'
  const hides = "email_exists is always false, so the check can't see whether addresses are stored"
  expect(reasons).toEqual([noCookie, hides, hides, noCookie])
})
