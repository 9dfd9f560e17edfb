import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Commit, groupCommit, type Limits } from '../../server/storage/group-commit.ts'

const LIMITS: Limits = { maxQueue: 100, maxBatch: 10, timeoutMs: 1000, retryDelayMs: 1 }

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

type Start = { failures?: number; hangs?: Promise<unknown> | null } & Partial<Limits>

/** A group commit whose first commits fail as often as told, or hang until they are told to go on. */
function start({ failures = 0, hangs = null, ...limits }: Start = {}) {
  const batches: [items: number[], isRetry: boolean][] = []
  const commit: Commit<number, string> = async (items, isRetry) => {
    batches.push([[...items], isRetry])
    if (batches.length === 1) await hangs
    if (batches.length <= failures) throw new Error(`failure ${batches.length}`)
    return (item) => `stored ${item}`
  }
  const refused = vi.fn()
  const group = groupCommit(commit, { ...LIMITS, ...limits }, { committed() {}, failed() {}, refused })
  const mend = () => {
    failures = 0
  }
  return { ...group, batches, items: () => batches.map(([items]) => items), refused, mend }
}

async function until(holds: () => boolean) {
  while (!holds()) await setImmediate()
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

test('items that come at the same time share a commit, no more than a batch, and each gets its own answer', async () => {
  const { add, items } = start()
  const answers = await Promise.all(upTo(25).map(add))
  expect(answers).toEqual(upTo(25).map((item) => `stored ${item}`))
  expect(items()).toEqual([upTo(10), upTo(20).slice(10), upTo(25).slice(20)])
})

test('a commit that fails is tried again, in the same order, and nobody hears of it', async () => {
  const { add, batches, refused } = start({ failures: 3, maxBatch: 1 })
  expect(await Promise.all([add(7), add(8)])).toEqual(['stored 7', 'stored 8'])
  expect(batches).toEqual([...[false, true, true, true].map((isRetry) => [[7], isRetry]), [[8], false]])
  expect(refused).not.toHaveBeenCalled()
})

test('it is given up when its items are too old, with the cause, once; later ones are stored when it works again', async () => {
  const { add, refused, mend } = start({ failures: Number.POSITIVE_INFINITY })
  const answers = Promise.all([add(1), add(2)])
  vi.advanceTimersByTime(LIMITS.timeoutMs)
  expect(refused).not.toHaveBeenCalled()
  expect(await pass(1, answers)).toEqual(['unavailable', 'unavailable'])
  const cause = expect.objectContaining({ message: expect.stringMatching('failure') })
  expect(refused).toHaveBeenCalledExactlyOnceWith('timeout', 2, cause)
  mend()
  expect(await add(3)).toBe('stored 3')
})

test.each([
  ['succeeds', false],
  ['fails', true],
])(
  'a commit that hangs keeps nobody waiting; if it %s in the end, what still waits is committed',
  async (_, isRetry) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { add, length, batches } = start({ hangs: promise })
    const first = add(1)
    await until(() => batches.length === 1)
    expect(await pass(LIMITS.timeoutMs, Promise.all([first, add(2)]))).toEqual(['unavailable', 'unavailable'])
    expect(length()).toBe(0)
    const late = add(3)
    if (isRetry) reject(new Error('gone'))
    else resolve()
    expect(await late).toBe('stored 3')
    expect(batches).toEqual([
      [[1], false],
      [[3], isRetry],
    ])
  },
)

test('an item that comes while others are committed waits for the next commit; too many are refused at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { add, idle, items } = start({ hangs: promise, maxQueue: 2 })
  const answers = [add(1)]
  await until(() => items().length === 1)
  answers.push(add(2), add(3))
  expect(await answers[2]).toBe('unavailable')
  resolve()
  await idle()
  expect(items()).toEqual([[1], [2]])
  expect(await Promise.all(answers)).toEqual(['stored 1', 'stored 2', 'unavailable'])
  expect(await add(4)).toBe('stored 4')
})

test('a listener that throws keeps nobody from an answer, and from the next commit', async () => {
  const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => warnings.mockRestore())
  const broken = () => {
    throw new Error('broken')
  }
  const events = { committed: broken, failed: broken, refused: broken }
  const { add, idle } = groupCommit(async () => (item: number) => `stored ${item}`, LIMITS, events)
  expect([await add(1), await add(2)]).toEqual(['stored 1', 'stored 2'])
  await idle()
  expect(warnings).toHaveBeenCalledTimes(2)
})
