import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'

let app: TestApp['app']
let socket: Socket
beforeEach(async () => {
  const server = await buildTestApp()
  app = server.app
  const port = Number(new URL(await server.listen()).port)
  socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  return () => {
    // The server waits for open connections, and a cancelled test leaves its connection open.
    socket.destroy()
    return server.close()
  }
})

const HEAD = 'POST /api/subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

test('a client that keeps sending too large a body gets 413, and is disconnected', async () => {
  const { headersTimeout, requestTimeout } = app.server
  for (const limit of [headersTimeout, requestTimeout]) expect(limit > 0 && limit <= 10_000).toBe(true)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(`${HEAD}Content-Length: 99999\r\n\r\n`)
  const dripping = setInterval(() => socket.write('a'), 50)
  socket.once('close', () => clearInterval(dripping))
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 413 /)
  app.server.requestTimeout = 500
  await closed
})

test('a call in flight is answered, and its connection closed, before the server ends', async () => {
  const body = JSON.stringify(subscriptionOf())
  const arrived = once(app.server, 'request')
  socket.write(`${HEAD}Content-Length: ${body.length}\r\n\r\n`)
  await arrived
  const closed = app.close()
  while (app.server.listening) await setImmediate()
  socket.end(body)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .+^connection: close\r\n.+"success":true/ms)
  await closed
})
