import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { groupCommit, type Limits } from '../../server/storage/group-commit.ts'

const LIMITS: Limits = { maxQueue: 100, maxBatch: 10, timeoutMs: 1000, retryDelayMs: 1 }

// Nothing grows old but by the tests' own hand.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

type Start = { failures?: number; hangs?: Promise<unknown> | null } & Partial<Limits>

/** A group commit whose first commits fail as often as told, or hang until they are told to go on. */
function start({ failures = 0, hangs = null, ...limits }: Start = {}) {
  const batches: number[][] = []
  async function commit(items: readonly number[]) {
    batches.push([...items])
    if (batches.length === 1) await hangs
    if (batches.length <= failures) throw new Error(`failure ${batches.length}`)
    return `commit ${batches.length}`
  }
  const refused = vi.fn()
  const group = groupCommit(commit, { ...LIMITS, ...limits }, { committed() {}, failed() {}, refused })
  const mend = () => {
    failures = 0
  }
  return { ...group, batches, refused, mend }
}

async function until(holds: () => boolean) {
  while (!holds()) await setImmediate()
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

test('items that come at the same time share a commit and its result, no more than a batch', async () => {
  const { add, batches } = start()
  const answers = await Promise.all(upTo(25).map(add))
  expect(answers).toEqual(upTo(25).map((item) => `commit ${1 + Math.floor(item / 10)}`))
  expect(batches).toEqual([upTo(10), upTo(20).slice(10), upTo(25).slice(20)])
})

test('a commit that fails is tried again, in the same order, and nobody hears of it', async () => {
  const { add, batches, refused } = start({ failures: 3, maxBatch: 1 })
  expect(await Promise.all([add(7), add(8)])).toEqual(['commit 4', 'commit 5'])
  expect(batches).toEqual([[7], [7], [7], [7], [8]])
  expect(refused).not.toHaveBeenCalled()
})

test('items that waited too long are refused, with the cause; later ones are stored when it works again', async () => {
  const { add, batches, refused, mend, idle } = start({ failures: Number.POSITIVE_INFINITY })
  const answers = Promise.all([add(1), add(2)])
  await until(() => batches.length > 1)
  vi.advanceTimersByTime(LIMITS.timeoutMs - 1)
  expect(refused).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(await answers).toEqual(['unavailable', 'unavailable'])
  const cause = expect.objectContaining({ message: expect.stringMatching('failure') })
  expect(refused.mock.calls).toEqual(Array(2).fill(['timeout', cause]))
  await idle()
  mend()
  expect(await add(3)).toMatch('commit')
})

test.each([
  ['succeeds', false],
  ['fails', true],
])('a commit that hangs keeps nobody waiting; if it %s in the end, what still waits is committed', async (_, fails) => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const { add, length, batches } = start({ hangs: promise })
  const early = Promise.all([add(1)])
  await until(() => batches.length === 1)
  vi.advanceTimersByTime(LIMITS.timeoutMs)
  expect(await early).toEqual(['unavailable'])
  expect(length()).toBe(0)
  const late = add(2)
  if (fails) reject(new Error('gone'))
  else resolve()
  expect(await late).toBe('commit 2')
  expect(batches).toEqual([[1], [2]])
})

test('an item that comes while others are committed waits for the next commit; too many are refused at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { add, idle, batches } = start({ hangs: promise, maxQueue: 2 })
  const answers = [add(1)]
  await until(() => batches.length === 1)
  answers.push(add(2), add(3))
  expect(await answers[2]).toBe('unavailable')
  resolve()
  await idle()
  expect(batches).toEqual([[1], [2]])
  expect(await Promise.all(answers)).toEqual(['commit 1', 'commit 2', 'unavailable'])
  expect(await add(4)).toBe('commit 3')
})
