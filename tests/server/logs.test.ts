import SqliteFile from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { sendBytes } from '../support/server/post.ts'
import { expectProblem } from '../support/server/problem.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

const MARK = 'Zx81mark'
const EMAIL = `${MARK}@example.com`
const TRACES = /Zx81mark|@|example|203\.0\.113\.7|2001:db8::7|127\.0\.0\.1|::1|localhost/i

// Each part of a call contains a trace, which the test would find in the output.
const PATHS = [`/api/subscribe?email=${EMAIL}`, `/api/contact-us?${MARK}`, `/${MARK}`, `/api/${MARK}`, `/%zz${MARK}`]
const HEADERS: readonly Record<string, string>[] = [
  { 'user-agent': MARK, referer: `http://example.com/?email=${EMAIL}`, authorization: MARK, 'x-request-id': MARK },
  { forwarded: 'for="[2001:db8::7]"' },
  { 'x-forwarded-for': '203.0.113.7' },
  { 'content-type': `text/${MARK}` },
  { 'content-encoding': MARK },
  { cookie: `XSRF-TOKEN=${MARK}; GWW_AUTH_COOKIE=${MARK}`, 'x-xsrf-token': `${MARK}x` },
  { origin: `http://${MARK}.example` },
  { 'idempotency-key': MARK },
]
const BODIES = [
  JSON.stringify(subscriptionOf(EMAIL)),
  JSON.stringify(bodyOf(anEnquiry({ first: MARK, last: MARK, email: EMAIL, message: MARK }))),
  JSON.stringify({ [MARK]: MARK }),
  MARK,
  MARK.repeat(9000),
]
const CALLS = PATHS.flatMap((path) =>
  HEADERS.flatMap((headers) => BODIES.map((body) => [path, { method: 'POST', headers, body }] as const)),
)

// With a trusted proxy and rate limits, all code that reads the addresses of clients runs.
const LIMIT = '999999/minute 999999/hour'
const SETTINGS = {
  TRUST_PROXY: '127.0.0.1',
  RATE_LIMIT: 'on',
  RATE_LIMIT_SUBSCRIBE: LIMIT,
  RATE_LIMIT_CONTACT_US: LIMIT,
}

test('the output contains no data and no address of a visitor', async () => {
  const sandbox = makeServerFolder()
  onTestFinished(sandbox.remove)
  const { origin, output, signal, exited } = await sandbox.start(SETTINGS)
  const send = async ([path, { headers, ...call }]: (typeof CALLS)[number]) => {
    const answer = await fetch(origin + path, { ...call, headers: { 'content-type': 'application/json', ...headers } })
    await answer.text()
    return answer.status
  }
  const otherProgram = new SqliteFile(sandbox.databaseFile)
  otherProgram.exec('begin immediate')
  const statuses = await Promise.all(CALLS.slice(0, 40).map(send))
  otherProgram.close()
  statuses.push(...(await Promise.all(CALLS.map(send))))
  await sendBytes(Number(new URL(origin).port), `${MARK} ${MARK}\r\n\r\n`)
  signal('SIGTERM')
  expect(await exited).toBe(0)

  expect([...new Set(statuses)].toSorted()).toEqual([200, 400, 403, 404, 405, 413, 415, 422, 503])
  // The first three lines name the new database, the address of the server, and the place of its data.
  const lines = output().trim().split('\n').slice(3)
  expect(lines.length).toBeLessThan(20)
  expect(lines.join()).toContain('database unavailable')
  expect(lines.join()).toContain('ignored the client address in a header')
  expect(lines.filter((line) => TRACES.test(line))).toEqual([])
})

test('a failure of the server is answered 500, and logged without its message', async () => {
  const { store, listen, post, logLines, close } = await buildTestApp()
  onTestFinished(close)
  await listen()
  vi.spyOn(store, 'addSubscriber').mockRejectedValue(new Error(MARK))
  expectProblem(await post('/api/subscribe', subscriptionOf()), 500)
  expect(logLines.join('')).toMatch(/^(?!.*Zx81mark).+"stack":".+logs\.test\.ts.+request failed/)
})
