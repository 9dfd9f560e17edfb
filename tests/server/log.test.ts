import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLog, logDeliveries, logStore } from '../../server/log.ts'
import type { DeliveryResult } from '../../server/messages/delivery.ts'

/** An error whose message contains personal data, which no log may contain. */
const failure = (code: string) => Object.assign(new Error('of visitor@example.com at 192.0.2.1'), { code })

let lines: string[]
let log: ReturnType<typeof createLog>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  lines = []
  log = createLog({
    write(line) {
      const { level, msg } = JSON.parse(line)
      lines.push(`${level}: ${msg}`)
    },
  })
})

const OUTAGE = 'error: database unavailable; calls are answered 503 until it is back.'

test('an outage of the database is logged once for each cause', () => {
  const { refused } = logStore(log)
  // Too many calls at once are no outage.
  refused(10, null)
  for (const code of ['SQLITE_FULL', 'unknown', 'SQLITE_FULL']) refused(10, failure(code))
  const unknown = `${OUTAGE} Unrecognised database error: see the log of the database.`
  expect(lines).toEqual([`${OUTAGE} Its disk is full: make room.`, unknown])
})

test('an outage ends when a commit succeeds ten seconds after the last failure', () => {
  const { refused, committed } = logStore(log)
  for (const outage of [1, 2]) {
    refused(1, failure('SQLITE_FULL'))
    vi.advanceTimersByTime(9999)
    committed()
    expect(lines).toHaveLength(2 * outage - 1)
    vi.advanceTimersByTime(1)
    for (let i = 0; i < 2; i++) committed()
    expect(lines.slice(2 * outage - 1)).toEqual(['info: database available again'])
  }
})

const REFUSED: DeliveryResult = { delivered: false, code: 'ECONNREFUSED' }

test.each<[DeliveryResult, isFinal: boolean, line: RegExp]>([
  [REFUSED, false, /^warn: messages by mail fail \(ECONNREFUSED\) and will be retried\. Nothing listens/],
  [REFUSED, true, /^error: .+ by mail failed permanently \(ECONNREFUSED\); see leads outbox, then .+ --retry\./],
  [{ delivered: true, code: '250', rejected: 'RCPT 451' }, true, /^warn: .+ not reach all of NOTIFY_TO \(RCPT 451\)/],
])('a delivery that fails or misses a recipient is logged once: row %#', (result, isFinal, line) => {
  const onAttempt = logDeliveries(log)
  for (let i = 0; i < 2; i++) onAttempt('mail', result, isFinal)
  expect(lines).toEqual([expect.stringMatching(line)])
})
