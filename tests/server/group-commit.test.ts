import { describe, expect, test, vi } from 'vitest'
import { type Commit, groupCommit, type Limits } from '../../server/group-commit.ts'

const LIMITS: Limits = { length: 100, batch: 10, age: 1000, pause: 1 }

/** Commits that take note of what came, and fail as often as told. */
function recorded(failures = 0) {
  const batches: number[][] = []
  const commit: Commit<number, string> = async (items) => {
    batches.push([...items])
    if (batches.length <= failures) throw new Error(`failure ${batches.length}`)
    return (item) => `stored ${item}`
  }
  return { batches, commit }
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

test('items that come at the same time share a commit, and each gets its own answer', async () => {
  const { batches, commit } = recorded()
  const { add } = groupCommit(commit, LIMITS, () => {})
  expect(await Promise.all(upTo(3).map(add))).toEqual(['stored 0', 'stored 1', 'stored 2'])
  expect(batches).toEqual([[0, 1, 2]])
})

test('an item alone is committed alone, at once', async () => {
  const { batches, commit } = recorded()
  const { add } = groupCommit(commit, LIMITS, () => {})
  await add(1)
  await add(2)
  expect(batches).toEqual([[1], [2]])
})

test('a commit takes no more than a batch; the rest follows in order', async () => {
  const { batches, commit } = recorded()
  const { add } = groupCommit(commit, LIMITS, () => {})
  await Promise.all(upTo(25).map(add))
  expect(batches).toEqual([upTo(10), upTo(20).slice(10), upTo(25).slice(20)])
})

test('an item that comes while others are being committed waits for the next commit', async () => {
  const first = Promise.withResolvers<void>()
  const batches: number[][] = []
  const { add } = groupCommit<number, string>(
    async (items) => {
      batches.push([...items])
      await first.promise
      return () => 'stored'
    },
    LIMITS,
    () => {},
  )
  const one = add(1)
  await vi.waitUntil(() => batches.length === 1)
  const two = add(2)
  first.resolve()
  expect(await Promise.all([one, two])).toEqual(['stored', 'stored'])
  expect(batches).toEqual([[1], [2]])
})

describe('a commit that fails', () => {
  test('is tried again, and nobody hears of it', async () => {
    const { batches, commit } = recorded(3)
    const report = vi.fn()
    expect(await groupCommit(commit, LIMITS, report).add(7)).toBe('stored 7')
    expect(batches).toEqual([[7], [7], [7], [7]])
    expect(report).not.toHaveBeenCalled()
  })

  test('is given up when its items are too old, and the cause is reported once', async () => {
    const { commit } = recorded(Number.POSITIVE_INFINITY)
    const report = vi.fn()
    const { add } = groupCommit(commit, { ...LIMITS, age: 30 }, report)
    const started = performance.now()
    expect(await Promise.all([add(1), add(2)])).toEqual(['unavailable', 'unavailable'])
    expect(performance.now() - started).toBeGreaterThanOrEqual(30)
    expect(report).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: expect.stringMatching('failure') }),
    )
  })

  test('does not stand in the way of later items once it works again', async () => {
    let broken = true
    const commit: Commit<number, string> = async () => {
      if (broken) throw new Error('failure')
      return () => 'stored'
    }
    const { add } = groupCommit(commit, { ...LIMITS, age: 30 }, () => {})
    expect(await add(1)).toBe('unavailable')
    broken = false
    expect(await add(2)).toBe('stored')
  })
})

test('items that are too many are refused at once, those being committed counted', async () => {
  const { commit } = recorded()
  const { add } = groupCommit(commit, { ...LIMITS, length: 2 }, () => {})
  const answers = await Promise.all(upTo(4).map(add))
  expect(answers).toEqual(['stored 0', 'stored 1', 'unavailable', 'unavailable'])
  expect(await add(5)).toBe('stored 5')
})

test('it is drained when every item has its answer', async () => {
  const { commit } = recorded(2)
  const { add, drained } = groupCommit(commit, LIMITS, () => {})
  let answered = 0
  for (const item of upTo(25)) void add(item).then(() => (answered += 1))
  await drained()
  expect(answered).toBe(25)
  await drained()
})
