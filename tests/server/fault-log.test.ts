import { expect, test } from 'vitest'
import { createFaultLog } from '../../server/observability/fault-log.ts'
import { createLog } from '../../server/observability/logging.ts'
import { LostDatabase } from '../../server/storage/database.ts'

const FULL = Object.assign(new Error('of visitor@example.com'), { code: 'SQLITE_FULL' })
const LOCKED = Object.assign(new Error('of visitor@example.com'), { code: 'SQLITE_BUSY' })

function createFaults() {
  const lines: { level: number; msg: string }[] = []
  let now = 0
  const faults = createFaultLog(createLog({ write: (line) => lines.push(JSON.parse(line)) }), () => now)
  return { ...faults, lines, advance: (ms: number) => (now += ms) }
}

test('however much is refused, a fault is said once, and once that it is over', () => {
  const { refused, committed, lines, advance } = createFaults()
  for (let i = 0; i < 10; i++) {
    refused(2, FULL)
    // A small row finds room in between.
    advance(9999)
    committed()
  }
  expect(lines).toMatchObject([{ level: 50, msg: expect.stringMatching(/answered 503 .+ disk is full: make room/) }])
  advance(1)
  for (let i = 0; i < 2; i++) committed()
  const over = { calls: 20, since: expect.stringMatching(/^\d{4}-.+Z$/) }
  expect(lines.slice(1)).toMatchObject([{ ...over, level: 30, msg: expect.stringMatching('database available again') }])
})

test('another cause is said too, each once, and all of it again the next time', () => {
  const { refused, committed, lines, advance } = createFaults()
  for (let i = 0; i < 2; i++) for (const cause of [null, FULL, LOCKED]) refused(1, cause)
  advance(10_000)
  committed()
  refused(1, FULL)
  const words = ['does not answer', 'is full', 'keeps its file locked', 'available again', 'is full']
  expect(lines.map(({ msg }) => msg)).toEqual(words.map((words) => expect.stringContaining(words)))
  expect(JSON.stringify(lines)).not.toContain('visitor')
})

test('of a file that was lost nothing is said here, for that was told with what to do', () => {
  const { refused, lines } = createFaults()
  refused(1, new LostDatabase('lost'))
  expect(lines).toEqual([])
})
