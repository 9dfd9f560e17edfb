import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { groupCommit } from '../../server/storage/group-commit.ts'
import { LIMITS } from '../../server/storage/sql-store.ts'

/** A group commit of batches of ten, whose first commit takes as long as it is told. */
function start(first: Promise<unknown> = Promise.resolve()) {
  const batches: number[][] = []
  async function commit(items: readonly number[]) {
    batches.push([...items])
    if (batches.length === 1) await first
    return `commit ${batches.length}`
  }
  const events = { committed() {}, failed() {}, refused() {} }
  return { ...groupCommit(commit, { ...LIMITS, maxBatch: 10 }, events), batches }
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

test('items that come at the same time share a commit and its result, no more than a batch', async () => {
  const { add, batches } = start()
  const answers = await Promise.all(upTo(25).map(add))
  expect(answers).toEqual(upTo(25).map((item) => `commit ${1 + Math.floor(item / 10)}`))
  expect(batches).toEqual([upTo(10), upTo(20).slice(10), upTo(25).slice(20)])
})

test.each([
  ['succeeds', false],
  ['fails', true],
])(
  'a commit that hangs keeps nobody waiting for 5 s; if it %s in the end, what still waits is committed',
  async (_, fails) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { add, length, batches } = start(promise)
    const early = add(1)
    while (batches.length === 0) await setImmediate()
    vi.advanceTimersByTime(4999)
    const late = add(2)
    expect(length()).toBe(2)
    vi.advanceTimersByTime(1)
    expect(await early).toBe('unavailable')
    expect(length()).toBe(1)
    if (fails) reject(new Error('gone'))
    else resolve()
    expect(await late).toBe('commit 2')
    expect(batches).toEqual([[1], [2]])
  },
)
