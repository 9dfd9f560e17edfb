import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Nginx, startNginx } from '../support/server/nginx.ts'

/** More connections than the two workers of Debian's nginx can have, at 768 each. */
const FLOOD = 1600

/** The number of requests that deploy/nginx.conf allows one client at the same time. */
const LIMIT = 60

let nginx: Nginx
beforeAll(async () => {
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url !== '/api/held') response.end()
      else if (held.push(response) === LIMIT) for (const heldResponse of held) heldResponse.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  nginx = await startNginx([port, port])
  return () => nginx.remove().then(() => void server.close())
})

/** Sends `start`, and then single bytes until the connection closes. Returns the number of these bytes. */
async function drip(socket: Socket, start: string, intervalMs: number) {
  let bytes = 0
  socket.on('error', () => {}).resume()
  socket.write(start, 'latin1')
  const dripping = setInterval(() => {
    bytes++
    socket.write('1')
  }, intervalMs)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(dripping)
  return bytes
}

const post = (length: number) =>
  `POST /api/subscribe HTTP/1.1\r\nHost: example.com\r\nContent-Length: ${length}\r\n\r\n`

test(`${FLOOD} endless calls of one client do not block other clients`, async () => {
  let open = FLOOD
  for (let i = 0; i < FLOOD; i++) {
    const socket = nginx.connect()
    onTestFinished(() => void socket.destroy())
    void drip(socket, post(60_000), 1000).then(() => open--)
    // One handshake after the other, because nginx would end handshakes that are late.
    await new Promise((resolve) => socket.once('secureConnect', resolve).once('close', resolve))
  }
  await vi.waitUntil(() => open <= LIMIT, { timeout: 110_000 })
  const otherCalls = Array.from({ length: 20 }, (_, i) => nginx.send('/', { headers: { 'x-client': `192.0.2.${i}` } }))
  expect((await Promise.all(otherCalls)).map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
})

test(`${LIMIT} requests of one client at once are answered`, async () => {
  const calls = Array.from({ length: LIMIT }, () => nginx.send('/api/held', { headers: { 'x-client': '192.0.2.99' } }))
  expect((await Promise.all(calls)).map(({ statusCode }) => statusCode)).toEqual(Array(LIMIT).fill(200))
})

// At the same time, because each test waits for a time limit. The limit of requests counts none of them.
test.concurrent.each<[string, () => Socket, string]>([
  ['headers', () => nginx.connect(), 'GET / HTTP/1.1\r\nHost: example.com\r\nX: '],
  ['a handshake', () => connect(nginx.port, '127.0.0.1'), '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a body that is too long', () => nginx.connect(), post(140_000)],
])('a client that sends %s byte by byte is soon disconnected', async (_, open, start) => {
  // Five bytes a second; a busy machine sends fewer.
  expect(await drip(open(), start, 200)).toBeLessThan(100)
})
