import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'

let app: TestApp['app']
let port: number
beforeEach(async () => {
  const server = await buildTestApp()
  app = server.app
  port = Number(new URL(await server.listen()).port)
  return server.close
})

const open = () => connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})

const HEAD = 'POST /api/subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

test('a client that keeps sending too large a body gets 413, and is disconnected', async () => {
  const { headersTimeout, requestTimeout } = app.server
  for (const limit of [headersTimeout, requestTimeout]) expect(limit > 0 && limit <= 10_000).toBe(true)
  const socket = open()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(`${HEAD}Content-Length: 99999\r\n\r\n`)
  const dripping = setInterval(() => socket.write('a'), 50)
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 413 /)
  app.server.requestTimeout = 500
  await closed
  clearInterval(dripping)
})

test('a call in flight is answered, and its connection closed, before the server ends', async () => {
  const body = JSON.stringify(subscriptionOf())
  const socket = open()
  const arrived = once(app.server, 'request')
  socket.write(`${HEAD}Content-Length: ${body.length}\r\n\r\n`)
  await arrived
  const closed = app.close()
  while (app.server.listening) await setImmediate()
  socket.end(body)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .+^connection: close\r\n.+"success":true/ms)
  await closed
})
