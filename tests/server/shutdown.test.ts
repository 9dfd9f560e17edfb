import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../server/observability/log.ts'
import { stopOnSignals } from '../../server/shutdown.ts'
import { subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

test('a call in flight is answered before the end, and its connection is closed', async () => {
  const { app, listen, close } = await buildTestApp()
  const socket = connect(Number(new URL(await listen()).port), '127.0.0.1')
  const body = JSON.stringify(subscriptionOf())
  const arrived = once(app.server, 'request')
  const head = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  socket.write(`POST /api/subscribe HTTP/1.1\r\n${head}\r\n\r\n`)
  await arrived
  const closed = close()
  while (app.server.listening) await setImmediate()
  socket.write(body)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .+^connection: close\r\n.+"success":true/ms)
  await closed
})

/** Stops a server while calls have no answer yet and leads are not stored yet. */
function stopBusyServer(pending = { calls: 3, messages: 2 }) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lines: object[] = []
  const answered = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  const exited = Promise.withResolvers<number>()
  const signals = new EventEmitter()
  const app = { close: () => answered.promise, server: { closeAllConnections: answered.resolve } }
  stopOnSignals({
    app: app as unknown as FastifyInstance,
    store: { pending: () => pending.calls, close: () => stored.promise },
    outbox: { inFlight: () => pending.messages, stop: async () => {} },
    log: createLog({ write: (line) => lines.push(JSON.parse(line)) }),
    flush: async () => {},
    process: Object.assign(signals, { exit: exited.resolve }) as unknown as NodeJS.Process,
  })
  const stop = () => signals.emit('SIGTERM', 'SIGTERM')
  stop()
  return { lines, store: stored.resolve, stop, exitCode: exited.promise }
}

test('an incomplete request is cut off after 5.5 s, and the exit code is 1', async () => {
  const { lines, store, exitCode } = stopBusyServer({ calls: 0, messages: 0 })
  store()
  vi.advanceTimersByTime(5500)
  expect(await exitCode).toBe(1)
  expect(lines).toMatchObject([{ signal: 'SIGTERM', msg: 'stopping' }, { level: 'error' }])
})

test('the server exits within 9 s of the signal, and logs the unfinished work', async () => {
  const { lines, exitCode } = stopBusyServer()
  // A call in the last request of the grace period may wait 5 s for its commit.
  vi.advanceTimersByTime(8499)
  expect(lines).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(await exitCode).toBe(1)
  expect(lines[1]).toMatchObject({ level: 'error', calls: 3, messages: 2 })
})

test('a second signal ends the server at once; a signal that npm repeats does not', async () => {
  const { lines, stop, exitCode } = stopBusyServer()
  vi.advanceTimersByTime(1000)
  stop()
  expect(lines).toHaveLength(1)
  vi.advanceTimersByTime(1)
  stop()
  expect(await exitCode).toBe(1)
})
