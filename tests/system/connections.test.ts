import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import http2 from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Nginx, startNginx } from '../support/server/nginx.ts'
import { jsonCall } from '../support/server/post.ts'

/** More than the two workers of Debian's nginx have, at 768 each. */
const FLOOD = 1600

/** What deploy/nginx.conf allows one client. */
const LIMIT = 60

let server: Server
let nginx: Nginx
beforeAll(async () => {
  server = createServer((request, response) => void request.resume().on('end', () => response.end())).listen(0)
  await once(server, 'listening')
  const port = String((server.address() as AddressInfo).port)
  nginx = await startNginx([port, port])
})
afterAll(async () => {
  await nginx.remove()
  server.close().closeAllConnections()
})

/** Sends `start`, and one byte after the other for as long as it may. Gives how many those were. */
async function drip(socket: Socket, start: string, interval: number) {
  let bytes = 0
  socket.on('error', () => {}).resume()
  socket.write(start, 'latin1')
  const dripping = setInterval(() => {
    bytes++
    socket.write('1')
  }, interval)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(dripping)
  return bytes
}

const post = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: example.com\r\nContent-Length: ${length}\r\n\r\n`

test(`${FLOOD} calls of one client that never end leave the site to all others`, async () => {
  let open = FLOOD
  for (let i = 0; i < FLOOD; i++) {
    const socket = nginx.connect('127.0.0.2')
    onTestFinished(() => void socket.destroy())
    void drip(socket, post('/api/subscribe', 60_000), 1000).then(() => open--)
    // Not all handshakes at once: nginx would end those that it has to wait for.
    await new Promise((resolve) => socket.once('secureConnect', resolve).once('close', resolve))
  }
  await vi.waitUntil(() => open <= LIMIT, { timeout: 110_000 })
  const others = Array.from({ length: 20 }, (_, i) => ({ from: `127.0.1.${i + 1}` }))
  const answers = await Promise.all([
    ...others.map((client) => nginx.send('/', client)),
    ...others.map((client) => nginx.send('/api/subscribe', { ...jsonCall({ email: 'a@example.com' }), ...client })),
  ])
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(nginx.logs()).toContain(' POST 444 ')
})

test(`${LIMIT} requests of one client at once are answered, over one connection`, async () => {
  const socket = nginx.connect('127.0.0.4', 'h2')
  await once(socket, 'secureConnect')
  const session = http2.connect('https://example.com', { createConnection: () => socket })
  onTestFinished(() => session.destroy())
  // More than the connection takes before it is read: most are under way at the same time.
  const asked = Array.from({ length: LIMIT }, () => session.request({ ':path': '/' }))
  const statuses = await Promise.all(
    asked.map(async (stream) => {
      const [headers] = await once(stream, 'response')
      stream.destroy()
      return headers[':status']
    }),
  )
  expect(statuses).toEqual(Array(LIMIT).fill(200))
})

/** Settings, none of them. */
const H2_PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'

// At the same time: each waits for a time limit.
test.concurrent.each<[string, () => Socket, string]>([
  ['headers', () => nginx.connect('127.0.0.3'), 'GET / HTTP/1.1\r\nHost: example.com\r\nX: '],
  ['headers over HTTP/2', () => nginx.connect('127.0.0.3', 'h2'), `${H2_PREFACE}\0\x3f\0\x01\x04\0\0\0\x01`],
  ['a handshake', () => connect(nginx.port, '127.0.0.1'), '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a body that is too long', () => nginx.connect('127.0.0.3'), post('/api/subscribe', 140_000)],
])('%s that no limit of connections counts: its connection is closed before long', async (_, open, start) => {
  // In bytes, five a second: a busy machine sends fewer.
  expect(await drip(open(), start, 200)).toBeLessThan(100)
})
