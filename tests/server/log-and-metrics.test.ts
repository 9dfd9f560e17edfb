import { EventEmitter } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLog, logCommits, logMails } from '../../server/log.ts'
import { createMetrics } from '../../server/metrics.ts'
import { readSettings } from '../../server/settings.ts'
import { stopOnSignals } from '../../server/shutdown.ts'
import type { Database } from '../../server/storage/database.ts'
import type { Store } from '../../server/storage/store.ts'
import { subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { enquiry } from '../support/server/databases.ts'

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

test("each cause of refused calls is logged once a minute, without the error's text", () => {
  const logCommit = logCommits(log)
  const failure = (code: string) => Object.assign(new Error('of visitor@example.com at 192.0.2.1'), { code })
  const refuse = () => [failure('SQLITE_FULL'), failure('unknown'), failure('SQLITE_FULL')].map(logCommit)
  refuse()
  const line = 'error: database unavailable; calls are answered 503 until it is back.'
  const unknown = 'Unrecognised database error: see the log of the database.'
  const all = [`${line} The disk of the database is full: make room.`, `${line} ${unknown}`]
  vi.advanceTimersByTime(59_999)
  refuse()
  expect(shown()).toEqual(all)
  vi.advanceTimersByTime(1)
  refuse()
  expect(shown()).toEqual([...all, ...all])
})

test('a fault is not over while some calls still fail', () => {
  const logCommit = logCommits(log)
  logCommit(new Error('timeout'))
  vi.advanceTimersByTime(4999)
  logCommit(null)
  expect(shown()).toHaveLength(1)
})

test('the end of a fault is logged once', () => {
  const logCommit = logCommits(log)
  for (const error of [null, new Error('timeout'), null, null]) {
    logCommit(error)
    vi.advanceTimersByTime(3000)
  }
  const onAttempt = logMails(log)
  for (const delivered of [false, true, true, true]) {
    onAttempt({ delivered, code: '250' })
    vi.advanceTimersByTime(3000)
  }
  expect(shown().filter((line) => /^info: .* again$/.test(line))).toEqual([
    'info: the database is back: calls are stored again',
    'info: the mail server is back: mails reach all of NOTIFY_TO again',
  ])
})

test('failing mails are logged once, and so are mails that miss a recipient', () => {
  const failed = { delivered: false, code: 'ECONNREFUSED' }
  const incomplete = { delivered: true, code: '250', rejected: 'RCPT 451 for no. 2' }
  const onAttempt = logMails(log)
  for (const delivery of [failed, failed, incomplete, incomplete]) onAttempt(delivery)
  expect(shown()).toEqual([
    expect.stringMatching(/^warn: mails fail \(ECONNREFUSED\); "leads outbox" lists them\. Nothing listens/),
    expect.stringMatching(/^warn: .+ not reach all recipients \(RCPT 451 for no\. 2 in NOTIFY_TO\)/),
  ])
})

test('the server exits within 9 s of a signal, and logs that it was too late', async () => {
  const exited = Promise.withResolvers<number>()
  const signals = new EventEmitter()
  const process = Object.assign(signals, { exit: exited.resolve }) as unknown as NodeJS.Process
  stopOnSignals(process, log, () => new Promise(() => {}))
  signals.emit('SIGTERM', 'SIGTERM')
  await vi.advanceTimersByTimeAsync(9000)
  expect(await exited.promise).toBe(1)
  expect(shown()).toEqual(['info: stopping after SIGTERM', expect.stringMatching(/^error: stopped too late: /)])
})

test('Docker waits for longer than the server takes to exit', () => {
  const [, seconds] = /stop_grace_period: (\d+)s/.exec(readFileSync('deploy/compose.yaml', 'utf8')) ?? []
  expect(Number(seconds)).toBeGreaterThan(9)
})

async function startMetrics() {
  vi.useRealTimers()
  const folder = mkdtempSync(join(tmpdir(), 'backups-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'leads-2026-11-01.db'), '')
  utimesSync(join(folder, 'leads-2026-11-01.db'), 7, 7)
  const { metrics, close, ...server } = await buildTestApp({ BACKUP_FOLDER: folder })
  onTestFinished(close)
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

test('while the database fails, the numbers of mails are not known', async () => {
  const store = { checkReadiness: async () => 'unavailable' } as unknown as Store
  const database = { run: () => Promise.reject(new Error('down')), close: async () => {} } as Database
  const { listen } = createMetrics(store, database, readSettings({}))
  const metrics = await (await fetch(`${await listen(0, '127.0.0.1')}/metrics`)).text()
  for (const line of ['leads_database_up 0', 'leads_mails{state="pending"} Nan', 'leads_mails{state="failed"} Nan'])
    expect(metrics).toContain(`\n${line}\n`)
})

test('metrics are counts and times, without data of a visitor', async () => {
  const { app, database, post, read } = await startMetrics()
  await database.add({ enquiries: [enquiry({ mail_error: 'DATA 554' })] })
  const startedAt = performance.now()
  await post('/api/subscribe', subscriptionOf('visitor@example.com'))

  await app.inject('/nowhere/visitor@example.com')
  const metrics = await read()
  expect(metrics).not.toMatch(/visitor|example|127\.0\.0\.1/)
  const gauges = [
    'leads_database_up 1',
    'leads_mails{state="pending"} 0',
    'leads_mails{state="failed"} 1',
    'leads_backup_timestamp_seconds 7',
  ]
  for (const line of [`${countOf(200)} 1`, ...gauges]) expect(metrics).toContain(`\n${line}\n`)
  const measured = /_sum{method="POST",route="\/api\/subscribe",status="200"} (\S+)/.exec(metrics)?.[1]
  expect(Number(measured)).toBeLessThanOrEqual((performance.now() - startedAt) / 1000)
})
