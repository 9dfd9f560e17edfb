import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Commit, groupCommit, type Limits } from '../../server/storage/group-commit.ts'
import { ignoredEvents } from '../support/ignored-events.ts'

const LIMITS: Limits = { maxQueue: 100, maxBatch: 10, maxAgeMs: 1000, retryDelayMs: 1 }

// Nothing grows old but in `pass`.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** Lets so many milliseconds pass again and again until something has happened. */
async function pass<Answer>(ms: number, happened: Promise<Answer>): Promise<Answer> {
  let over = false
  void happened.finally(() => (over = true))
  while (!over) {
    vi.advanceTimersByTime(ms)
    await setImmediate()
  }
  return happened
}

async function until(holds: () => boolean) {
  while (!holds()) await setImmediate()
}

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
  const { add } = groupCommit(commit, LIMITS, ignoredEvents)
  expect(await Promise.all(upTo(3).map(add))).toEqual(['stored 0', 'stored 1', 'stored 2'])
  expect(batches).toEqual([[0, 1, 2]])
})

test('an item alone is committed alone, at once', async () => {
  const { batches, commit } = recorded()
  const { add } = groupCommit(commit, LIMITS, ignoredEvents)
  await add(1)
  await add(2)
  expect(batches).toEqual([[1], [2]])
})

test('a commit takes no more than a batch; the rest follows in order', async () => {
  const { batches, commit } = recorded()
  const { add } = groupCommit(commit, LIMITS, ignoredEvents)
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
    ignoredEvents,
  )
  const one = add(1)
  await until(() => batches.length === 1)
  const two = add(2)
  first.resolve()
  expect(await Promise.all([one, two])).toEqual(['stored', 'stored'])
  expect(batches).toEqual([[1], [2]])
})

describe('a commit that fails', () => {
  test('is tried again, and nobody hears of it', async () => {
    const { batches, commit } = recorded(3)
    const refused = vi.fn()
    expect(await groupCommit(commit, LIMITS, { ...ignoredEvents, refused }).add(7)).toBe('stored 7')
    expect(batches).toEqual([[7], [7], [7], [7]])
    expect(refused).not.toHaveBeenCalled()
  })

  test('is given up when its items are too old, and the cause is reported once', async () => {
    const { commit } = recorded(Number.POSITIVE_INFINITY)
    const refused = vi.fn()
    const { add } = groupCommit(commit, LIMITS, { ...ignoredEvents, refused })
    const answers = Promise.all([add(1), add(2)])
    vi.advanceTimersByTime(LIMITS.maxAgeMs)
    expect(refused).not.toHaveBeenCalled()
    expect(await pass(1, answers)).toEqual(['unavailable', 'unavailable'])
    const cause = expect.objectContaining({ message: expect.stringMatching('failure') })
    expect(refused).toHaveBeenCalledExactlyOnceWith('too-old', 2, cause)
  })

  test('does not stand in the way of later items once it works again', async () => {
    let broken = true
    const commit: Commit<number, string> = async () => {
      if (broken) throw new Error('failure')
      return () => 'stored'
    }
    const { add } = groupCommit(commit, LIMITS, ignoredEvents)
    expect(await pass(LIMITS.maxAgeMs, add(1))).toBe('unavailable')
    broken = false
    expect(await add(2)).toBe('stored')
  })
})

describe('a commit that hangs', () => {
  /** Hangs at the first call until told to go on. */
  function hanging() {
    const { promise, resolve, reject } = Promise.withResolvers<(item: number) => string>()
    const batches: [items: number[], again: boolean][] = []
    const commit: Commit<number, string> = async (items, again) => {
      batches.push([[...items], again])
      return batches.length === 1 ? promise : () => 'stored'
    }
    return { batches, commit, resolve, reject }
  }

  test('keeps nobody waiting: its items are refused in time, and those behind them too', async () => {
    const { commit, resolve } = hanging()
    const { add, length } = groupCommit(commit, LIMITS, ignoredEvents)
    const first = add(1)
    await until(() => length() === 1)
    expect(await pass(LIMITS.maxAgeMs, Promise.all([first, add(2)]))).toEqual(['unavailable', 'unavailable'])
    expect(length()).toBe(0)
    const late = add(3)
    resolve(() => 'too late')
    expect(await late).toBe('stored')
  })

  test('that fails in the end is tried again with those alone that still wait', async () => {
    const { batches, commit, reject } = hanging()
    const { add } = groupCommit(commit, LIMITS, ignoredEvents)
    expect(await pass(LIMITS.maxAgeMs, add(1))).toBe('unavailable')
    const late = add(2)
    reject(new Error('gone'))
    expect(await late).toBe('stored')
    expect(batches).toEqual([
      [[1], false],
      [[2], true],
    ])
  })
})

test('items that are too many are refused at once, those being committed counted', async () => {
  const { commit } = recorded()
  const { add } = groupCommit(commit, { ...LIMITS, maxQueue: 2 }, ignoredEvents)
  const answers = await Promise.all(upTo(4).map(add))
  expect(answers).toEqual(['stored 0', 'stored 1', 'unavailable', 'unavailable'])
  expect(await add(5)).toBe('stored 5')
})

test('it is drained when every item has its answer', async () => {
  const { commit } = recorded(2)
  const { add, drained } = groupCommit(commit, LIMITS, ignoredEvents)
  let answered = 0
  for (const item of upTo(25)) void add(item).then(() => (answered += 1))
  await drained()
  expect(answered).toBe(25)
  await drained()
})
