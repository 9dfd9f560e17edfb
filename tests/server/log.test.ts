import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLog, logMails, logRefusals } from '../../server/log.ts'
import type { Delivery } from '../../server/mail/smtp.ts'

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

test('why calls are refused is logged once a minute for each cause', () => {
  const log503 = logRefusals(log)
  const refuse = () => ['SQLITE_FULL', 'unknown', 'SQLITE_FULL'].map((code) => log503(failure(code)))
  refuse()
  const line = 'error: database unavailable; calls are answered 503 until it is back.'
  const both = [
    `${line} Its disk is full: make room.`,
    `${line} Unrecognised database error: see the log of the database.`,
  ]
  expect(lines).toEqual(both)
  vi.advanceTimersByTime(59_999)
  refuse()
  expect(lines).toEqual(both)
  vi.advanceTimersByTime(1)
  refuse()
  expect(lines).toEqual([...both, ...both])
})

const REFUSED: Delivery = { delivered: false, code: 'ECONNREFUSED' }

test.each<[Delivery, isFinal: boolean, line: RegExp]>([
  [REFUSED, false, /^warn: mails fail \(ECONNREFUSED\) and will be retried\. Nothing listens/],
  [REFUSED, true, /^error: mails failed permanently \(ECONNREFUSED\); see leads outbox, then .+ --retry\./],
  [{ delivered: true, code: '250', rejected: 'RCPT 451' }, true, /^warn: .+ not reach all of NOTIFY_TO \(RCPT 451\)/],
])('a delivery that fails or misses a recipient is logged once: row %#', (result, isFinal, line) => {
  const onAttempt = logMails(log)
  for (let i = 0; i < 2; i++) onAttempt(result, isFinal)
  expect(lines).toEqual([expect.stringMatching(line)])
})
