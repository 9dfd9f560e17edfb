import { setTimeout as pause, setImmediate } from 'node:timers/promises'

export type Limits = {
  /** The most items that may wait for an answer. */
  readonly maxQueue: number
  /** The most items of one commit. */
  readonly maxBatch: number
  /** An item that waits longer is refused. */
  readonly timeoutMs: number
  /** The pause from a failed commit to the next one. */
  readonly retryDelayMs: number
}

/** What happens to the items, for logs and metrics. */
export type CommitEvents = {
  committed(seconds: number): void
  failed(): void
  /** `cause` is the error of the last commit, or null if that succeeded. */
  refused(why: 'queue-full' | 'timeout', cause: unknown): void
}

export type GroupCommit<Item, Result> = {
  /** Never rejects: the answer is the result of the item's commit, or 'unavailable' if it is refused. */
  add(item: Item): Promise<Result | 'unavailable'>
  /** How many items have no answer yet. */
  length(): number
  /** Resolves when no item waits. */
  idle(): Promise<void>
}

type Waiting<Item, Result> = { readonly item: Item; readonly answer: (result: Result | 'unavailable') => void }

/**
 * Commits items together that arrive at the same time. `commit` stores all of them durably or rejects. Until they have
 * waited too long, it is then called with them again, as a retry, since some may have been stored nevertheless.
 */
export function groupCommit<Item, Result>(
  commit: (items: readonly Item[], isRetry: boolean) => Promise<Result>,
  { maxQueue, maxBatch, timeoutMs, retryDelayMs }: Limits,
  events: CommitEvents,
): GroupCommit<Item, Result> {
  /** The items in the order in which they came; those that are being committed stay until they are answered. */
  const queue = new Set<Waiting<Item, Result>>()
  let work: Promise<void> | null = null
  let lastError: unknown = null

  async function add(item: Item) {
    if (queue.size >= maxQueue) return refuse('queue-full')
    const { promise, resolve } = Promise.withResolvers<Result | 'unavailable'>()
    const waiting = { item, answer }
    function answer(result: Result | 'unavailable') {
      queue.delete(waiting)
      clearTimeout(timer)
      resolve(result)
    }
    const timer = setTimeout(() => answer(refuse('timeout')), timeoutMs)
    queue.add(waiting)
    work ??= commitAll()
    return promise
  }

  function refuse(why: 'queue-full' | 'timeout') {
    events.refused(why, lastError)
    return 'unavailable' as const
  }

  async function commitAll() {
    while (queue.size > 0) {
      await allArrived()
      await commitBatch([...queue].slice(0, maxBatch))
    }
    work = null
  }

  /** Waits for the turn of the event loop that brings no other item: what arrives together shares a commit. */
  async function allArrived() {
    for (let before = 0; queue.size > before; ) {
      before = queue.size
      await setImmediate()
    }
  }

  async function commitBatch(batch: readonly Waiting<Item, Result>[]) {
    const started = performance.now()
    try {
      const items = batch.map(({ item }) => item)
      const result = await commit(items, lastError !== null)
      lastError = null
      for (const { answer } of batch) answer(result)
      events.committed((performance.now() - started) / 1000)
    } catch (error) {
      lastError = error
      events.failed()
      await pause(retryDelayMs)
    }
  }

  return { add, length: () => queue.size, idle: async () => void (await work) }
}
