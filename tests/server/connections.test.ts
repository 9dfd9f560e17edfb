import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, expect, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { until } from '../support/until.ts'

const MB = 1_000_000

let server: TestApp
let port: number
beforeEach(async () => {
  server = await buildTestApp()
  port = Number(new URL(await server.listen()).port)
  return server.close
})

const open = () => connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
const limitTo = (ms: number) =>
  Object.assign(server.app.server, { headersTimeout: ms, requestTimeout: ms, timeout: ms })

const HEAD = 'POST /api/subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const BODY = JSON.stringify(subscriptionOf())

test.each([
  ['headers', 408, 'GET / HTTP/1.1\r\n'],
  ['a body', 408, `${HEAD}Content-Length: 9999\r\n\r\n`],
  ['too large a body', 413, `${HEAD}Content-Length: 99999\r\n\r\n`],
])('a client that keeps sending %s gets %i in ten seconds, and is disconnected', async (_, status, start) => {
  const { headersTimeout, requestTimeout } = server.app.server
  for (const limit of [headersTimeout, requestTimeout]) expect(limit > 0 && limit <= 10_000).toBe(true)
  // Even a busy machine checks the length before this limit ends.
  limitTo(status === 413 ? 60_000 : 500)
  const socket = open()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(start)
  const dripping = setInterval(() => socket.write('a'), 50)
  const [answer] = await once(socket, 'data')
  expect(`${answer}`).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  limitTo(500)
  await closed
  clearInterval(dripping)
})

test('1,500 connections at once are answered', async () => {
  // A busy machine may be as slow as the clients that the server disconnects.
  limitTo(0)
  const sockets: ReturnType<typeof open>[] = []
  while (sockets.length < 1500) {
    // Systems limit the number of connections that wait to be accepted.
    const newSockets = Array.from({ length: 100 }, open)
    await Promise.all(newSockets.map((socket) => once(socket, 'connect')))
    sockets.push(...newSockets)
  }
  const answers = sockets.map(async (socket) => {
    socket.write(`${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`)
    return String(await once(socket, 'data')).split('\r\n')[0]
  })
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']))
  for (const socket of sockets) socket.destroy()
})

/** The bytes of all buffers that are still in use. */
function bytesInUse() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

test('a huge body in chunks is answered 413 at its start, and is not kept', async () => {
  limitTo(0)
  const bytes = bytesInUse()
  const socket = open()
  socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
  const chunk = `${MB.toString(16)}\r\n${'a'.repeat(MB)}\r\n`
  socket.write(chunk)
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 413 /)
  for (let i = 1; i < 40; i++) if (!socket.write(chunk)) await once(socket, 'drain')
  await until(() => bytesInUse() < bytes + 10 * MB)
  socket.destroy()
})

test('a call in flight is answered before the server ends, and its connection is closed', async () => {
  const socket = open()
  const arrived = once(server.app.server, 'request')
  socket.write(`${HEAD}Content-Length: ${BODY.length}\r\n\r\n`)
  await arrived
  const closed = server.app.close()
  while (server.app.server.listening) await setImmediate()
  socket.end(BODY)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .+^connection: close\r\n.+"success":true/ms)
  await closed
})
