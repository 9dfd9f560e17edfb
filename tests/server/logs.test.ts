import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import SqliteFile from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { sendBytes } from '../support/server/post.ts'
import { expectProblem } from '../support/server/problem.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

const CANARY = 'Zx81canary'
const EMAIL = `${CANARY}@example.com`
const [IPV4, IPV6] = ['203.0.113.7', '2001:db8::7']

/** Every part of a call carries the canary. */
const PATHS = [
  ...['/api/subscribe', '/api/contact-us', '/', '/readyz'].map((path) => `${path}?email=${EMAIL}`),
  ...['/', '/api/', '/assets/', '/%zz'].map((path) => path + CANARY),
]
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': CANARY,
  referer: `http://example.com/?email=${EMAIL}`,
  authorization: CANARY,
  'x-request-id': CANARY,
  forwarded: `for="[${IPV6}]"`,
}
const MORE: readonly Record<string, string>[] = [
  {},
  { 'x-forwarded-for': IPV4 },
  { 'content-type': `text/${CANARY}` },
  { 'content-encoding': CANARY },
  { cookie: `XSRF-TOKEN=${CANARY}; GWW_AUTH_COOKIE=${CANARY}`, 'x-xsrf-token': `${CANARY}x` },
  { origin: `http://${CANARY}.example` },
  { 'idempotency-key': CANARY },
]
const BODIES = [
  JSON.stringify(subscriptionOf(EMAIL)),
  JSON.stringify(bodyOf(anEnquiry({ first: CANARY, last: CANARY, email: EMAIL, message: CANARY }))),
  JSON.stringify({ [CANARY]: CANARY }),
  CANARY,
  CANARY.repeat(7000),
]
const CALLS = PATHS.flatMap((path) =>
  MORE.flatMap((headers) =>
    BODIES.flatMap((body) =>
      ['POST', 'GET', 'PUT'].map((method) => ({ path, method, headers: { ...HEADERS, ...headers }, body })),
    ),
  ),
)

// Headers that name other addresses are believed of one proxy, and every call is counted: all that can tell of it runs.
const TELLING = {
  TRUST_PROXY: '127.0.0.1',
  RATE_LIMIT: 'on',
  RATE_LIMIT_SUBSCRIBE: '999999/minute 999999/hour',
  RATE_LIMIT_CONTACT_US: '999999/minute 999999/hour',
}

test('nothing that visitors send, nor their address, reaches the output', async () => {
  const sandbox = makeServerFolder()
  onTestFinished(sandbox.remove)
  const server = await sandbox.start(TELLING)
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const sendAll = (calls: typeof CALLS) => Promise.all(calls.map((call) => send(server.origin, agent, call)))
  const other = new SqliteFile(sandbox.databaseFile)
  other.exec('begin immediate')
  const statuses = await sendAll(CALLS.slice(0, 100))
  other.close()
  statuses.push(...(await sendAll(CALLS)))
  await sendBytes(Number(new URL(server.origin).port), `${CANARY} ${CANARY}\r\n\r\n`)
  agent.destroy()
  server.signal('SIGTERM')
  expect(await server.exited).toBe(0)

  expect(new Set(statuses)).toEqual(new Set([200, 302, 400, 403, 404, 405, 413, 415, 422, 503]))
  // The first two lines tell where it listens and where its data is.
  const lines = server.output().trim().split('\n').slice(2)
  expect(lines.length).toBeLessThan(20)
  expect(lines.join()).toContain('database unavailable')
  expect(lines.join()).toContain('ignored the client address in a header')
  expect(lines.filter(isLeak)).toEqual([])
})

const TRACES = [CANARY, '@', 'example', IPV4, IPV6, '127.0.0.1', '::1', 'localhost'].map((text) => text.toLowerCase())

const isLeak = (line: string) => TRACES.some((trace) => line.toLowerCase().includes(trace))

async function send(origin: string, agent: Agent, { method, path, headers, body }: (typeof CALLS)[number]) {
  const sent = request(origin + path, { method, agent, headers: { ...headers, 'content-length': body.length } })
  const answered = once(sent, 'response')
  sent.end(body)
  const [answer]: IncomingMessage[] = await answered
  if (answer) await once(answer.resume(), 'end')
  return answer?.statusCode
}

test('a failure of the server is answered 500, and logged without its message', async () => {
  const server = await buildTestApp()
  onTestFinished(server.close)
  await server.listen()
  vi.spyOn(server.store, 'addSubscriber').mockRejectedValue(new Error(CANARY))
  const answer = await server.post('/api/subscribe', subscriptionOf())
  expect(expectProblem(answer, 500).detail).not.toContain(CANARY)
  const failure = server.logLines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request failed')
  expect(failure.err.stack).toContain('logs.test.ts')
  expect(server.logLines.join('')).not.toContain(CANARY)
})
