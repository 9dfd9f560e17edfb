import { setImmediate, setTimeout } from 'node:timers/promises'

/**
 * Commits all items at once, durably or not at all. The function it returns gives the answer to each item and is called
 * in their order. `isRetry` if the previous commit failed, so that some of the items may be stored already.
 */
export type Commit<Item, Answer> = (items: readonly Item[], isRetry: boolean) => Promise<(item: Item) => Answer>

export type Limits = {
  /** Items without an answer, those being committed included. */
  readonly maxQueue: number
  /** Items of one commit. */
  readonly maxBatch: number
  /** An item that waits longer is refused. */
  readonly timeoutMs: number
  /** From a failed commit to the next one. */
  readonly retryDelayMs: number
}

/** What happens to the items, for logs and metrics. */
export type CommitEvents = {
  committed(seconds: number): void
  failed(): void
  /** `cause` is the error of the last commit, or null if that succeeded. */
  refused(why: 'queue-full' | 'timeout', items: number, cause: unknown): void
}

export type GroupCommit<Item, Answer> = {
  /** Never rejects: the answer is 'unavailable' when the queue is full, or after the maximum age. */
  add(item: Item): Promise<Answer | 'unavailable'>
  /** Items without an answer. */
  length(): number
  /** Resolves when no item waits. */
  idle(): Promise<void>
}

type Waiting<Item, Answer> = {
  readonly item: Item
  readonly since: number
  readonly answer: (answer: Answer | 'unavailable') => void
}

/** Commits items that arrive at the same time together, and retries a failed commit until the items are too old. */
export function groupCommit<Item, Answer>(
  commit: Commit<Item, Answer>,
  limits: Limits,
  events: CommitEvents,
): GroupCommit<Item, Answer> {
  let waiting: Waiting<Item, Answer>[] = []
  let committing: Waiting<Item, Answer>[] = []
  let work: Promise<void> | null = null
  let lastError: unknown = null

  async function commitAll() {
    // Items are answered even if the commit hangs.
    const timer = setInterval(refuseOld, limits.timeoutMs / 20)
    try {
      while (waiting.length > 0) {
        await allArrived()
        await commitSome()
      }
    } finally {
      clearInterval(timer)
      work = null
    }
  }

  /** Waits until a turn of the event loop brings no other item: what arrives together shares a commit. */
  async function allArrived() {
    for (let before = 0; waiting.length > before && before < limits.maxBatch; ) {
      before = waiting.length
      await setImmediate()
    }
  }

  function refuseOld() {
    const limit = performance.now() - limits.timeoutMs
    const old = [...committing, ...waiting].filter(({ since }) => since < limit)
    if (old.length === 0) return
    committing = committing.filter(({ since }) => since >= limit)
    waiting = waiting.filter(({ since }) => since >= limit)
    tell(() => events.refused('timeout', old.length, lastError))
    for (const { answer } of old) answer('unavailable')
  }

  async function commitSome() {
    const batch = waiting.splice(0, limits.maxBatch)
    if (batch.length === 0) return
    committing = batch
    const started = performance.now()
    let answerOf: (item: Item) => Answer
    try {
      answerOf = await commit(
        batch.map(({ item }) => item),
        lastError !== null,
      )
    } catch (error) {
      lastError = error
      waiting = [...committing, ...waiting]
      committing = []
      tell(() => events.failed())
      await setTimeout(limits.retryDelayMs)
      return
    }
    lastError = null
    committing = []
    // Items refused meanwhile were answered already: a second resolve does nothing.
    for (const { item, answer } of batch) answer(answerOf(item))
    tell(() => events.committed((performance.now() - started) / 1000))
  }

  const length = () => waiting.length + committing.length

  return {
    async add(item) {
      if (length() >= limits.maxQueue) {
        tell(() => events.refused('queue-full', 1, lastError))
        return 'unavailable'
      }
      const { promise, resolve } = Promise.withResolvers<Answer | 'unavailable'>()
      waiting.push({ item, since: performance.now(), answer: resolve })
      work ??= commitAll()
      return promise
    },
    length,
    async idle() {
      while (work) await work
    },
  }
}

/** Items are committed and answered whatever a listener throws. */
function tell(listener: () => void) {
  try {
    listener()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
