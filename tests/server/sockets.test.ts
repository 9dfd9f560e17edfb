import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../support/build-test-app.ts'
import { answerValidator } from '../support/contract.ts'

let server: TestApp
let port: number
beforeAll(async () => {
  server = await buildTestApp()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server.close())

const isProblem = answerValidator('subscribe', 400)

test.each([
  ['no HTTP', 'nonsense\r\n\r\n', 400],
  ['a malformed header', 'GET / HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n', 400],
  ['a header of 20 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
])('%s is answered with a problem, and the connection ends', async (_, bytes, status) => {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(head).toContain('\r\ncontent-type: application/problem+json\r\n')
  expect(JSON.parse(body).status).toBe(status)
  expect(isProblem(JSON.parse(body))).toBe(true)
})

// An answer that is sent while the body still arrives is easily lost with the connection.
test.each([
  [413, 'application/json', { 'content-length': 5_000_000 }],
  [413, 'application/json', {}],
  [415, 'text/plain', { 'content-length': 5_000_000 }],
  [415, 'text/plain', {}],
])('%i reaches a client that still sends 5 MB of %s %j', async (status, type, length) => {
  for (let attempt = 0; attempt < 10; attempt++) {
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/api/subscribe',
      method: 'POST',
      headers: { 'content-type': type, ...length },
    })
    for (let i = 0; i < 5; i++) sent.write(Buffer.alloc(1_000_000, 'a'))
    sent.end()
    const [answer] = await once(sent, 'response')
    expect(JSON.parse(await text(answer)).status).toBe(status)
  }
})

test('a client that leaves in the middle of its body harms nobody', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST /api/subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  )
  await once(socket, 'connect')
  socket.destroy()
  expect((await server.post('/api/subscribe', { email: 'visitor@example.com' })).statusCode).toBe(200)
})
