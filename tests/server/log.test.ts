import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLog, logDeliveries, logStore } from '../../server/observability/log.ts'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'

const coded = (code: string) => Object.assign(new Error('of visitor@example.com at 192.0.2.1'), { code })

const FULL = coded('SQLITE_FULL')

let lines: { level: string; time: string; msg: string }[]
let log: ReturnType<typeof createLog>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  lines = []
  log = createLog({ write: (line) => lines.push(JSON.parse(line)) })
})

const messages = () => lines.map(({ level, msg }) => [level, msg])

test('a line has the name of its level and an ISO time', () => {
  log.warn('a line')
  expect(lines).toMatchObject([{ level: 'warn', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }])
})

describe('an outage of the database', () => {
  const begun = (advice: string) => [
    'error',
    expect.stringMatching(`^database unavailable; calls are answered 503 until it is back\\. ${advice}`),
  ]
  const FULL_LINE = begun('Its disk is full: make room\\.')

  test('is logged once for each cause, however many calls are refused', () => {
    const { refused } = logStore(log)
    for (const error of [FULL, coded('SQLITE_BUSY'), FULL, coded('SQLITE_BUSY')]) refused(10, error)
    expect(messages()).toEqual([FULL_LINE, begun('Another process keeps its file locked')])
  })

  test('has ended when a commit succeeds ten seconds after the last failure', () => {
    const { refused, committed } = logStore(log)
    refused(1, FULL)
    vi.advanceTimersByTime(9999)
    committed()
    expect(messages()).toEqual([FULL_LINE])
    vi.advanceTimersByTime(1)
    for (let i = 0; i < 2; i++) committed()
    expect(messages()).toEqual([FULL_LINE, ['info', 'database available again']])
  })

  test('is logged again the next time', () => {
    const { refused, committed } = logStore(log)
    for (let i = 0; i < 2; i++) {
      refused(1, FULL)
      vi.advanceTimersByTime(10_000)
      committed()
    }
    expect(messages()).toHaveLength(4)
  })

  test('is none if too many calls came at once', () => {
    logStore(log).refused(1, null)
    expect(messages()).toEqual([])
  })
})

test('a receiver that is down is logged once for each channel and code', () => {
  const onAttempt = logDeliveries(log)
  for (const channel of ['mail', 'webhook', 'mail'] as const)
    onAttempt(channel, { delivered: false, code: 'ECONNREFUSED' }, false)
  expect(messages()).toEqual([
    ['warn', expect.stringMatching(/^messages by mail fail \(ECONNREFUSED\) and will be retried\. Nothing listens/)],
    ['warn', expect.stringMatching(/^messages by webhook fail \(ECONNREFUSED\) and will be retried\. Nothing listens/)],
  ])
})

test('a message that failed for good is an error with the remedy', () => {
  logDeliveries(log)('mail', { delivered: false, code: 'ECONNREFUSED' }, true)
  const line = /^messages by mail failed permanently \(ECONNREFUSED\); see leads outbox, then leads outbox --retry/
  expect(messages()).toEqual([['error', expect.stringMatching(line)]])
})

test('a recipient who does not get a mail that others got is logged once', () => {
  const onAttempt = logDeliveries(log)
  for (let i = 0; i < 2; i++) onAttempt('mail', { delivered: true, code: '250', rejected: 'RCPT 451' }, true)
  expect(messages()).toEqual([['warn', expect.stringContaining('do not reach all of NOTIFY_TO (RCPT 451)')]])
})

test('a receiver that takes messages again is logged', () => {
  const onAttempt = logDeliveries(log)
  onAttempt('mail', { delivered: false, code: 'ECONNREFUSED' }, false)
  vi.advanceTimersByTime(10_000)
  onAttempt('mail', { delivered: true, code: '250' }, true)
  expect(messages().slice(1)).toEqual([['info', 'messages by mail are delivered again']])
})

test.each([
  ['Connection terminated due to connection timeout', /in time/],
  ['Connection terminated unexpectedly', /closed the connection/],
  ['42501', /role .+ may not/],
  ['25006', /read-only/],
  ['53300', /too many connections/],
  ['55P03', /tables locked/],
  ['ENOTFOUND', /can't be resolved/],
  ['ETIMEDOUT', /in time/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate/],
  ['SQLITE_READONLY', /may not write/],
  ['SQLITE_READONLY_ROLLBACK', /start it first/],
  ['SQLITE_IOERR_WRITE', /disk failed/],
  ['SQLITE_CORRUPT', /damaged/],
  ['unknown', /^Unrecognised/],
])('the database error %s is told in fixed words, without its message', (code, words) => {
  const advice = describeDatabaseError(coded(code))
  expect(advice).toMatch(words)
  expect(advice).not.toMatch(/visitor|192/)
})
