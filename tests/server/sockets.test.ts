import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { until } from '../support/until.ts'

let server: TestApp
let port: number
beforeEach(async () => {
  server = await buildTestApp()
  port = Number(new URL(await server.listen()).port)
})
afterEach(() => server.close())

/** Starts a request, and drips on until the server has closed the connection. */
function refuse(start: string) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    .setEncoding('utf8')
    .on('error', () => {})
  let answer = ''
  socket.on('data', (part) => {
    answer += part
  })
  socket.write(start)
  const dripping = setInterval(() => socket.write('a'), 50)
  const closed = new Promise((resolve) => socket.once('close', resolve)).then(() => clearInterval(dripping))
  return { begun: once(socket, 'data'), answer: closed.then(() => answer) }
}

const HEAD = 'Host: x\r\nContent-Type: application/json\r\n'

test.each([
  [400, 'nonsense\r\n\r\n'],
  [431, `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}`],
  [408, 'GET / HTTP/1.1\r\n'],
  [408, `POST /api/subscribe HTTP/1.1\r\n${HEAD}Content-Length: 9999\r\n\r\n`],
  [413, `POST /api/subscribe HTTP/1.1\r\n${HEAD}Content-Length: 99999\r\n\r\n`],
])('clients that never stop sending all read %i, and are disconnected', async (status, start) => {
  const connections = promisify(server.app.server.getConnections.bind(server.app.server))
  const hurry = (ms: number) => {
    server.app.server.requestTimeout = server.app.server.headersTimeout = ms
  }
  // What is wrong by itself is answered first, also by a busy machine.
  hurry(status === 408 ? 500 : 60_000)
  const clients = Array.from({ length: 30 }, () => refuse(start))
  await Promise.all(clients.map(({ begun }) => begun))
  hurry(500)
  for (const answer of await Promise.all(clients.map(({ answer }) => answer))) {
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  }
  await until(async () => (await connections()) === 0)
})

test('headers and bodies have ten seconds at most to arrive', () => {
  const { headersTimeout, requestTimeout } = server.app.server
  for (const limit of [headersTimeout, requestTimeout]) expect(limit > 0 && limit <= 10_000).toBe(true)
})
