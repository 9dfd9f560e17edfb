import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../../server/app.ts'
import { createMetrics } from '../../server/metrics.ts'
import { OPEN_GUARD } from '../support/open-guard.ts'
import { expectProblem } from '../support/problem.ts'
import { makeServerFolder, type ServerFolder } from '../support/server-process.ts'

const MARKER = 'Zx81marker'

let place: ServerFolder
beforeEach(() => {
  place = makeServerFolder()
})
afterEach(() => place.remove())

test('whatever visitors send, and from where, never reaches the output', async () => {
  const server = await place.start()
  const valid = { name: { first: MARKER, last: MARKER }, email: `${MARKER}@example.com`, msg: MARKER }
  const json = { 'content-type': 'application/json' }
  const calls: [path: string, init: RequestInit][] = [
    ['/api/subscribe', { method: 'POST', headers: json, body: JSON.stringify({ email: valid.email }) }],
    ['/api/subscribe', { method: 'POST', headers: json, body: JSON.stringify({ email: MARKER, [MARKER]: 1 }) }],
    ['/api/subscribe', { method: 'POST', headers: json, body: `{"email":${MARKER}` }],
    ['/api/subscribe', { method: 'POST', headers: { 'content-type': `text/${MARKER}` }, body: MARKER }],
    ['/api/subscribe', { method: 'POST', headers: json, body: MARKER.repeat(10_000) }],
    ['/api/contact-us', { method: 'POST', headers: json, body: JSON.stringify(valid) }],
    [
      '/api/contact-us',
      { method: 'POST', headers: { ...json, 'idempotency-key': MARKER }, body: JSON.stringify(valid) },
    ],
    [`/api/${MARKER}?email=${MARKER}`, { method: 'PUT', body: MARKER }],
    [`/${MARKER}?email=${MARKER}`, { redirect: 'manual', headers: { referer: `http://${MARKER}.example` } }],
    [`/assets/${MARKER}.js`, {}],
    [`/%zz${MARKER}`, { redirect: 'manual' }],
    [`/?email=${MARKER}`, { headers: { 'user-agent': MARKER, cookie: `a=${MARKER}` } }],
  ]
  for (const [path, init] of calls) await (await fetch(server.origin + path, init)).arrayBuffer()
  await sendGarbage(server.origin)
  server.signal('SIGTERM')
  await server.exited

  const lines = server.output().trim().split('\n')
  expect(lines.length).toBeGreaterThanOrEqual(calls.length)
  expect(server.output()).not.toContain(MARKER)
  expect(lines.slice(2).join('\n')).not.toMatch(/127\.0\.0\.1|localhost|::1/)
})

async function sendGarbage(origin: string) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.end(`${MARKER} ${MARKER}\r\n\r\n`)
  await once(socket.resume(), 'close')
}

test('a request is one line: method, route, status and duration', async () => {
  const server = await place.start()
  await fetch(`${server.origin}/?a=b`)
  server.signal('SIGTERM')
  await server.exited
  const lines = server.output().trim().split('\n').slice(2)
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ method: 'GET', route: '/', status: 200, ms: expect.any(Number), msg: 'answered' }),
  ])
})

test('a failure of our own is answered 500, and logged without its message', async () => {
  const lines: string[] = []
  const fail = () => Promise.reject(new Error(MARKER))
  const app = await buildApp({
    store: {
      addSubscriber: fail,
      addEnquiry: fail,
      checkReadiness: fail,
      waiting: () => ({ subscribers: 0, enquiries: 0 }),
      close: async () => {},
    },
    site: `${place.folder}/dist`,
    guard: OPEN_GUARD,
    metrics: createMetrics(),
    logTo: { write: (line) => lines.push(line) },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await app.inject({ method: 'POST', url: '/api/subscribe', payload: { email: 'visitor@example.com' } })
  await app.close()
  expect(expectProblem(answer, 500).detail).not.toContain(MARKER)
  const failure = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request failed')
  expect(failure.err.stack).toContain('logs.test.ts')
  expect(lines.join('')).not.toContain(MARKER)
})
