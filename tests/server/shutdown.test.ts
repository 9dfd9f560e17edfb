import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../server/log.ts'
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

/** Stops a server while calls have no answer yet. */
function stopBusyServer() {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const lines: object[] = []
  const answered = Promise.withResolvers<undefined>()
  const exited = Promise.withResolvers<number>()
  const signals = new EventEmitter()
  stopOnSignals({
    app: { close: () => answered.promise } as unknown as FastifyInstance,
    store: { pending: () => 3, close: async () => {} },
    mailer: { inFlight: () => 2, stop: async () => {} },
    log: createLog({ write: (line) => lines.push(JSON.parse(line)) }),
    process: Object.assign(signals, { exit: exited.resolve }) as unknown as NodeJS.Process,
  })
  const stop = () => signals.emit('SIGTERM', 'SIGTERM')
  stop()
  return { lines, answer: () => answered.resolve(undefined), stop, exitCode: exited.promise }
}

test('the server exits within 9 s of the signal, and logs the unfinished work', async () => {
  const { lines, exitCode } = stopBusyServer()
  vi.advanceTimersByTime(8499)
  expect(lines).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(await exitCode).toBe(1)
  expect(lines[1]).toMatchObject({ level: 'error', calls: 3, mails: 2 })
})

test('a signal that npm repeats changes nothing', async () => {
  const { lines, answer, stop, exitCode } = stopBusyServer()
  stop()
  answer()
  expect(await exitCode).toBe(0)
  expect(lines).toMatchObject([{ signal: 'SIGTERM', msg: 'stopping' }, { msg: 'stopped' }])
})
