import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { buildTestApp } from '../support/server/build-test-app.ts'

const { app, listen, close } = await buildTestApp()
const port = Number(new URL(await listen()).port)
afterAll(close)
const { headersTimeout, requestTimeout } = app.server

test('headers and bodies have ten seconds at most to arrive', () => {
  for (const limit of [headersTimeout, requestTimeout]) expect(limit > 0 && limit <= 10_000).toBe(true)
})

const POST = 'POST /api/subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

test.each([
  ['headers', 408, 'GET / HTTP/1.1\r\n'],
  ['a body', 408, `${POST}Content-Length: 9999\r\n\r\n`],
  ['too large a body', 413, `${POST}Content-Length: 99999\r\n\r\n`],
])('a client that keeps sending %s gets %i, and is disconnected', async (_, status, start) => {
  const limitTo = (ms: number) => Object.assign(app.server, { headersTimeout: ms, requestTimeout: ms })
  // Even a busy machine checks the length before this limit ends.
  limitTo(status === 413 ? 60_000 : 500)
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(start)
  const dripping = setInterval(() => socket.write('a'), 50)
  const [answer] = await once(socket, 'data')
  expect(`${answer}`).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  limitTo(500)
  await closed
  clearInterval(dripping)
})
