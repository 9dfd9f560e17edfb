import { EventEmitter } from 'node:events'
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLog, logMails, logRefusals } from '../../server/log.ts'
import type { Delivery } from '../../server/mail/smtp.ts'
import { stopOnSignals } from '../../server/shutdown.ts'
import { subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

// What an operator sees of a running server: its log and its metrics.
let lines: { readonly level: string; readonly msg: string }[]
let log: ReturnType<typeof createLog>
beforeEach(() => {
  lines = []
  log = createLog({ write: (line) => lines.push(JSON.parse(line)) })
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  return () => void vi.useRealTimers()
})

const shown = () => lines.map(({ level, msg }) => `${level}: ${msg}`)

test('why calls are refused is logged once a minute for each cause, without the error', () => {
  const logRefusal = logRefusals(log)
  const failure = (code: string) => Object.assign(new Error('of visitor@example.com at 192.0.2.1'), { code })
  const refuse = () => [failure('SQLITE_FULL'), failure('unknown'), null, failure('SQLITE_FULL')].map(logRefusal)
  refuse()
  const line = 'error: database unavailable; calls are answered 503 until it is back.'
  const unknown = 'Unrecognised database error: see the log of the database.'
  const tooMany = 'error: more calls at once than the database can store: the rest are answered 503'
  const all = [`${line} Its disk is full: make room.`, `${line} ${unknown}`, tooMany]
  vi.advanceTimersByTime(59_999)
  refuse()
  expect(shown()).toEqual(all)
  vi.advanceTimersByTime(1)
  refuse()
  expect(shown()).toEqual([...all, ...all])
})

const REFUSED: Delivery = { delivered: false, code: 'ECONNREFUSED' }

test.each<[Delivery, isFinal: boolean, line: RegExp]>([
  [REFUSED, false, /^warn: mails fail \(ECONNREFUSED\) and will be retried\. Nothing listens/],
  [REFUSED, true, /^error: mails failed permanently \(ECONNREFUSED\); see leads outbox, then .+ --retry\./],
  [{ delivered: true, code: '250', rejected: 'RCPT 451' }, true, /^warn: .+ not reach all of NOTIFY_TO \(RCPT 451\)/],
])('a delivery that fails or misses a recipient is logged once: row %#', (result, isFinal, line) => {
  const onAttempt = logMails(log)
  for (let i = 0; i < 2; i++) onAttempt(result, isFinal)
  expect(shown()).toEqual([expect.stringMatching(line)])
})

test('the server exits within 9 s of a signal, and logs the unfinished work', async () => {
  const exited = Promise.withResolvers<number>()
  const signals = new EventEmitter()
  stopOnSignals({
    app: { close: async () => undefined } as unknown as FastifyInstance,
    store: { pending: () => 3, close: async () => {} },
    // A mail that the server does not wait for would be sent again by the next server.
    mailer: { inFlight: () => 2, stop: () => new Promise(() => {}) },
    log,
    process: Object.assign(signals, { exit: exited.resolve }) as unknown as NodeJS.Process,
  })
  signals.emit('SIGTERM', 'SIGTERM')
  await vi.advanceTimersByTimeAsync(9000)
  expect(await exited.promise).toBe(1)
  expect(lines).toMatchObject([
    { signal: 'SIGTERM', msg: 'stopping' },
    { level: 'error', calls: 3, mails: 2 },
  ])
})

async function startMetrics() {
  vi.useRealTimers()
  const { metrics, site, close, ...server } = await buildTestApp()
  onTestFinished(close)
  const backup = `${site}/leads-2026-11-01.db`
  writeFileSync(backup, '')
  utimesSync(backup, 7, 7)
  metrics.observe({ ...server, backupFolder: site })
  const url = `${await metrics.listen(0, '127.0.0.1')}/metrics`
  return { ...server, read: async () => (await fetch(url)).text() }
}

const countOf = (status: number) =>
  `http_request_duration_seconds_count{method="POST",route="/api/subscribe",status="${status}"}`

test('each metric of an alert is there before the first failure', async () => {
  const metrics = await (await startMetrics()).read()
  for (const status of [500, 503]) expect(metrics).toContain(`\n${countOf(status)} 0\n`)
  const names = readFileSync('deploy/prometheus-rules.yml', 'utf8').match(/\b(leads|http|process)_\w+/g) ?? []
  expect(names).toContain('leads_database_up')
  for (const name of names) expect(metrics).toContain(name)
})

test('metrics are counts and times, without data of a visitor', async () => {
  const { app, post, read } = await startMetrics()
  await post('/api/subscribe', subscriptionOf('visitor@example.com'))
  await app.inject('/nowhere/visitor@example.com')
  const metrics = await read()
  expect(metrics).not.toMatch(/visitor|example|127\.0\.0\.1/)
  const gauges = ['leads_database_up 1', 'leads_mails{state="pending"} 0', 'leads_backup_timestamp_seconds 7']
  for (const line of [`${countOf(200)} 1`, ...gauges]) expect(metrics).toContain(`\n${line}\n`)
})
