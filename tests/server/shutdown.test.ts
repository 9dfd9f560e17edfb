import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../server/observability/log.ts'
import { stopOnSignals } from '../../server/shutdown.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'

// The limits of the shutdown stand still, and others are off: what ends here needs none, unless a test moves them on.
let server: TestApp
let port: number
let lines: { level: string; msg: string }[]
let ended: PromiseWithResolvers<number>
let waiting: number
let inFlight: number
let signals: EventEmitter

beforeEach(async () => {
  server = await buildTestApp()
  server.app.server.timeout = 0
  port = Number(new URL(await server.listen()).port)
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  lines = []
  ended = Promise.withResolvers()
  waiting = 0
  inFlight = 0
  signals = new EventEmitter()
  stopOnSignals({
    app: server.app,
    store: { pending: () => waiting, close: async () => {} },
    outbox: { inFlight: () => inFlight, stop: async () => {} },
    log: createLog({ write: (line) => lines.push(JSON.parse(line)) }),
    flush: async () => {},
    process: Object.assign(signals, { exit: ended.resolve }) as unknown as NodeJS.Process,
  })
})
afterEach(async () => {
  vi.useRealTimers()
  server.app.server.closeAllConnections()
  await server.close()
})

const BODY = '{"email":"visitor@example.com"}'

/** A call of which the server has read the headers, on a connection that its client would keep. */
async function beginCall() {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const arrived = once(server.app.server, 'request')
  const head = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}`
  socket.write(`POST /api/subscribe HTTP/1.1\r\n${head}\r\n\r\n`)
  await arrived
  return { socket, answer: text(socket).catch(() => '') }
}

const stop = (signal = 'SIGTERM') => signals.emit(signal, signal)

async function expectAbandoned(line: object) {
  expect(await ended.promise).toBe(1)
  expect(lines.find(({ level }) => level === 'error')).toMatchObject(line)
}

test('a call in flight is answered before the end', async () => {
  const { socket, answer } = await beginCall()
  stop()
  while (server.app.server.listening) await setImmediate()
  expect(lines.at(-1)).toMatchObject({ msg: 'stopping' })
  socket.write(BODY)
  expect(await answer).toContain('{"success":true,"email_exists":false}')
  expect(await ended.promise).toBe(0)
})

test('a request that does not come whole is cut off after 5.5 s', async () => {
  const { answer } = await beginCall()
  const connections = promisify(server.app.server.getConnections.bind(server.app.server))
  inFlight = 3
  stop()
  vi.advanceTimersByTime(5499)
  expect(await connections()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await answer).toBe('')
  await expectAbandoned({ calls: 0, messages: 3 })
})

test('the end comes within 9 s of the signal, and tells what was abandoned', async () => {
  await beginCall()
  stop()
  waiting = 3
  // A call that comes with the last request of the grace may wait 5 s for its commit.
  vi.advanceTimersByTime(8000)
  expect(lines).toMatchObject([{ msg: 'stopping' }])
  vi.advanceTimersByTime(500)
  await expectAbandoned({ calls: 3, messages: 0 })
})

test('a second signal ends it at once, but not the one that npm repeats', async () => {
  await beginCall()
  stop('SIGINT')
  vi.advanceTimersByTime(1000)
  stop('SIGINT')
  expect(lines).toMatchObject([{ msg: 'stopping' }])
  vi.advanceTimersByTime(1)
  stop('SIGINT')
  await expectAbandoned({ msg: 'stopped; abandoned what did not end in time' })
})
