import { expect, test } from 'vitest'
import { createLog } from '../../server/observability/logging.ts'
import { logDatabaseOutages, logDeliveryOutages } from '../../server/observability/outages.ts'
import { LostDatabase } from '../../server/storage/database.ts'

const FULL = Object.assign(new Error('of visitor@example.com'), { code: 'SQLITE_FULL' })
const LOCKED = Object.assign(new Error('of visitor@example.com'), { code: 'SQLITE_BUSY' })

type Line = { level: number; msg: string }

/** A log with its lines, and a clock that stands still. */
function watch<Outages>(createOutages: (log: ReturnType<typeof createLog>, now: () => number) => Outages) {
  const lines: Line[] = []
  let now = 0
  const outages = createOutages(createLog({ write: (line) => lines.push(JSON.parse(line)) }), () => now)
  return { ...outages, lines, advance: (ms: number) => (now += ms) }
}

test('however much is refused, a fault is said once, and once that it is over', () => {
  const { refused, committed, lines, advance } = watch(logDatabaseOutages)
  for (let i = 0; i < 10; i++) {
    refused(2, FULL)
    // A small row finds room in between.
    advance(9999)
    committed()
  }
  expect(lines).toMatchObject([{ level: 50, msg: expect.stringMatching(/answered 503 .+ disk is full: make room/) }])
  advance(1)
  for (let i = 0; i < 2; i++) committed()
  const over = { failures: 20, since: expect.stringMatching(/^\d{4}-.+Z$/) }
  expect(lines.slice(1)).toMatchObject([{ ...over, level: 30, msg: expect.stringMatching('database available again') }])
})

test('another cause is said too, each once, and all of it again the next time', () => {
  const { refused, committed, lines, advance } = watch(logDatabaseOutages)
  for (let i = 0; i < 2; i++) for (const cause of [null, FULL, LOCKED]) refused(1, cause)
  advance(10_000)
  committed()
  refused(1, FULL)
  const words = ['does not answer', 'is full', 'keeps its file locked', 'available again', 'is full']
  expect(lines.map(({ msg }) => msg)).toEqual(words.map((words) => expect.stringContaining(words)))
  expect(JSON.stringify(lines)).not.toContain('visitor')
})

test('of a file that was lost nothing is said here, for that was told with what to do', () => {
  const { refused, lines } = watch(logDatabaseOutages)
  refused(1, new LostDatabase('lost'))
  expect(lines).toEqual([])
})

test('receivers that are down are logged once for each channel and reason, and once when they take again', () => {
  const { attempted, lines, advance } = watch(logDeliveryOutages)
  const down = { delivered: false, code: 'ECONNREFUSED' }
  for (let i = 0; i < 100; i++) for (const channel of ['mail', 'webhook'] as const) attempted(channel, down, i === 99)
  const begun = (channel: string) => [
    { level: 40, msg: `notifications by ${channel} fail (ECONNREFUSED); they will be retried` },
    {
      level: 50,
      msg: expect.stringMatching(`^notifications by ${channel} failed permanently .+ leads outbox --retry$`),
    },
  ]
  const byLevel = (level: number) => lines.filter((line) => line.level === level)
  const [mail, webhook] = [begun('mail'), begun('webhook')]
  expect([...byLevel(40), ...byLevel(50)]).toMatchObject([mail[0], webhook[0], mail[1], webhook[1]])
  advance(10_000)
  for (let i = 0; i < 2; i++) attempted('mail', { delivered: true, code: '250' }, true)
  const since = expect.stringMatching(/^\d{4}-.+Z$/)
  expect(lines.slice(4)).toMatchObject([
    { level: 30, failures: 100, since, msg: 'notifications by mail are delivered again' },
  ])
})
