import { expect, test } from 'vitest'
import { createLog } from '../../server/observability/logging.ts'
import { logDatabaseOutages, logDeliveryOutages } from '../../server/observability/outages.ts'
import { UnusableDatabase } from '../../server/storage/database.ts'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'

const FULL = Object.assign(new Error('of visitor@example.com'), { code: 'SQLITE_FULL' })
const LOCKED = Object.assign(new Error('of visitor@example.com'), { code: 'SQLITE_BUSY' })

type Line = { level: string; msg: string }

/** A log with its lines, and a clock that stands still. */
function watch<Outages>(createOutages: (log: ReturnType<typeof createLog>, now: () => number) => Outages) {
  const lines: Line[] = []
  let now = 0
  const outages = createOutages(createLog({ write: (line) => lines.push(JSON.parse(line)) }), () => now)
  return { ...outages, lines, advance: (ms: number) => (now += ms) }
}

test('each cause is said once, and once that it is over, however much is refused, and all again the next time', () => {
  const { refused, committed, lines, advance } = watch(logDatabaseOutages)
  for (let i = 0; i < 2; i++) {
    for (const cause of [null, FULL, LOCKED]) refused(cause)
    // A small row finds room in between.
    advance(9999)
    committed()
  }
  advance(1)
  for (let i = 0; i < 2; i++) committed()
  refused(FULL)
  const begun = (words: string) => ({ level: 'error', msg: expect.stringMatching(`answered 503 .+ ${words}`) })
  const since = expect.stringMatching(/^\d{4}-.+Z$/)
  expect(lines).toMatchObject([
    ...['does not answer', 'disk is full: make room', 'keeps its file locked'].map(begun),
    { level: 'info', failures: 6, since, msg: expect.stringMatching('database available again') },
    begun('disk is full'),
  ])
  expect(JSON.stringify(lines)).not.toContain('visitor')
})

test('receivers that are down are logged once for each channel and reason, and once when they take again', () => {
  const { attempted, lines, advance } = watch(logDeliveryOutages)
  const down = { delivered: false, code: 'ECONNREFUSED' }
  for (const final of [false, true])
    for (const channel of ['mail', 'webhook', 'mail', 'webhook'] as const) attempted(channel, down, final)
  advance(10_000)
  for (let i = 0; i < 2; i++) attempted('mail', { delivered: true, code: '250' }, true)
  const failing = (channel: string) => `messages by ${channel} fail (ECONNREFUSED); they will be retried`
  const failed = (channel: string) =>
    expect.stringMatching(`^messages by ${channel} failed permanently .+ leads outbox --retry$`)
  expect(lines).toMatchObject([
    { level: 'warn', msg: failing('mail') },
    { level: 'warn', msg: failing('webhook') },
    { level: 'error', msg: failed('mail') },
    { level: 'error', msg: failed('webhook') },
    { level: 'info', failures: 4, msg: 'messages by mail are delivered again' },
  ])
})

test.each([
  ['42501', /role .+ may not/],
  ['25006', /read-only/],
  ['53300', /too many connections/],
  ['ENOTFOUND', /can't be resolved/],
  ['ETIMEDOUT', /in time/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate/],
  ['SQLITE_READONLY', /may not write/],
  ['SQLITE_IOERR_WRITE', /disk failed/],
  ['SQLITE_CORRUPT', /damaged/],
  ['unknown', /^Unrecognised/],
])('what is wrong with the database is told in fixed words, and nothing of the message: %s', (code, words) => {
  const said = describeDatabaseError(Object.assign(new Error('of visitor@example.com at 192.0.2.1'), { code }))
  expect(said).toMatch(words)
  expect(said).not.toMatch(/visitor|192/)
  expect(describeDatabaseError(new UnusableDatabase('It is read-only.'))).toBe('It is read-only.')
})
