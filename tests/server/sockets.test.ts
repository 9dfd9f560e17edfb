import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerValidator } from '../support/contract/contract.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { until } from '../support/until.ts'

let server: TestApp
let port: number
beforeEach(async () => {
  server = await buildTestApp()
  port = Number(new URL(await server.listen()).port)
  // Only timers of our own: those of Node's sockets run on.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await server.close()
})

const isProblem = answerValidator('subscribe', 400)

const HEAD = 'Host: x\r\nContent-Type: application/json\r\n'

/** Starts a request, drips on, and waits until the server has ended its side. */
async function refuse(start: string) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8')
  let answer = ''
  socket.on('data', (part) => {
    answer += part
  })
  socket.write(start)
  const dripping = setInterval(() => socket.write('a'), 50)
  const closed = new Promise((resolve) => socket.once('close', resolve)).finally(() => clearInterval(dripping))
  socket.on('error', () => {})
  await once(socket, 'end')
  return { closed, answer }
}

test.each([
  [400, 'nonsense\r\n\r\n'],
  [400, 'GET / HTTP/1.1\r\nHost: one\r\nhost: other\r\nContent-Length: 99999\r\n\r\n'],
  [431, `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}`],
  [408, 'GET / HTTP/1.1\r\n'],
  [408, `POST /api/subscribe HTTP/1.1\r\n${HEAD}Content-Length: 9999\r\n\r\n`],
  [413, `POST /api/subscribe HTTP/1.1\r\n${HEAD}Content-Length: 99999\r\n\r\n`],
])(
  '%i: a client that neither reads its end nor stops sending is answered with a problem, and is gone',
  async (status, start) => {
    const connections = promisify(server.app.server.getConnections.bind(server.app.server))
    const { headersTimeout, requestTimeout } = server.app.server
    for (const limit of [headersTimeout, requestTimeout]) expect(limit > 0 && limit <= 10_000).toBe(true)
    server.app.server.requestTimeout = server.app.server.headersTimeout = 500
    const { closed, answer } = await refuse(start)
    // A second answer may tell that the rest of the body came too late.
    const [head = '', body = ''] = answer.split(/\r\n\r\n|(?<=\})HTTP/)
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toContain('\r\ncontent-type: application/problem+json\r\n')
    expect([JSON.parse(body).status, isProblem(JSON.parse(body))]).toEqual([status, true])
    expect(await connections()).toBe(1)
    vi.runAllTimers()
    await closed
    await until(async () => (await connections()) === 0)
  },
)

test('300 of them do not hold up the end, nor do those that were answered before their request was whole', async () => {
  const unread = `PUT /api/subscribe HTTP/1.1\r\n${HEAD}Content-Length: 99999\r\n\r\n`
  const sockets = Array.from({ length: 20 }, () => connect({ port, host: '127.0.0.1', allowHalfOpen: true }))
  for (const socket of sockets) socket.on('error', () => {}).write(unread)
  await Promise.all(sockets.map((socket) => once(socket, 'data')))
  await Promise.all(Array.from({ length: 300 }, () => refuse('nonsense\r\n\r\n')))
  await server.app.close()
  for (const socket of sockets) socket.destroy()
})
