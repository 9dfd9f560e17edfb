import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, expect, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { until } from '../support/until.ts'

const CONNECTIONS = 2000
const MB = 1_000_000

let server: TestApp
let port: number
beforeEach(async () => {
  server = await buildTestApp()
  // No time limits, because a busy machine may be as slow as the clients that the server cuts off.
  server.app.server.timeout = server.app.server.requestTimeout = server.app.server.headersTimeout = 0
  port = Number(new URL(await server.listen()).port)
  return server.close
})

const HEAD = 'POST /api/subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

test(`${CONNECTIONS} connections at once are answered, and what they send is stored`, async () => {
  const sockets: Socket[] = []
  while (sockets.length < CONNECTIONS) {
    // Systems limit the number of connections that wait to be accepted.
    const newSockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'))
    await Promise.all(newSockets.map((socket) => once(socket, 'connect')))
    sockets.push(...newSockets)
  }
  const answers = sockets.map(async (socket, i) => {
    const body = JSON.stringify(subscriptionOf(`visitor${i}@example.com`))
    socket.write(`${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`)
    const [start] = await once(socket, 'data')
    return String(start).split('\r\n')[0]
  })
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']))
  expect(await server.rows('subscribers')).toHaveLength(CONNECTIONS)
  for (const socket of sockets) socket.destroy()
})

/** The bytes of all buffers that are still in use. */
function bytesInUse() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

test.each([
  ['with a length', `Content-Length: ${100 * MB}`, 'a'.repeat(MB)],
  ['in chunks', 'Transfer-Encoding: chunked', `${MB.toString(16)}\r\n${'a'.repeat(MB)}\r\n`],
])('a body of 100 MB, %s, is answered 413 at its start, and is not kept', async (_, framing, text) => {
  const part = Buffer.from(text)
  const bytes = bytesInUse()
  const socket = connect(port, '127.0.0.1')
  socket.write(`${HEAD}${framing}\r\n\r\n`)
  socket.write(part)
  const [start] = await once(socket, 'data')
  expect(String(start)).toMatch(/^HTTP\/1\.1 413 /)
  for (let i = 1; i < 90; i++) if (!socket.write(part)) await once(socket, 'drain')
  await until(() => bytesInUse() < bytes + 20 * MB)
  socket.destroy()
})
