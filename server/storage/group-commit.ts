import { setImmediate, setTimeout } from 'node:timers/promises'

/**
 * Commits all items in one go, durably or not at all, and tells the answer of each, asked in their order. `again` if
 * the commit before failed, so that some of the items may be stored already.
 */
export type Commit<Item, Answer> = (items: readonly Item[], again: boolean) => Promise<(item: Item) => Answer>

export type Limits = {
  /** Items that may wait, those being committed included. */
  readonly length: number
  /** Items of one commit. */
  readonly batch: number
  /** Milliseconds after which an item is refused. */
  readonly age: number
  /** Milliseconds between a failed commit and the next try. */
  readonly pause: number
}

/** What becomes of the items, for logs and figures. */
export type CommitEvents = {
  committed(items: number, seconds: number): void
  failed(): void
  /** `cause` is why the last commit failed, or null if it did not. */
  refused(why: 'queue-full' | 'too-old', items: number, cause: unknown): void
}

export type GroupCommit<Item, Answer> = {
  /** Never rejects: an item that is too many or waited too long is answered 'unavailable'. */
  add(item: Item): Promise<Answer | 'unavailable'>
  /** Items without an answer. */
  length(): number
  /** When nothing waits any more. */
  drained(): Promise<void>
}

type Waiting<Item, Answer> = {
  readonly item: Item
  readonly since: number
  readonly answer: (answer: Answer | 'unavailable') => void
}

/** Gathers items that come at the same time into one commit, and tries a failed commit again while their age permits. */
export function groupCommit<Item, Answer>(
  commit: Commit<Item, Answer>,
  limits: Limits,
  events: CommitEvents,
): GroupCommit<Item, Answer> {
  let waiting: Waiting<Item, Answer>[] = []
  let committing: Waiting<Item, Answer>[] = []
  let work: Promise<void> | null = null
  let fault: unknown = null

  async function commitAll() {
    // A commit that hangs must not keep anybody waiting.
    const watch = setInterval(refuseOld, limits.age / 20)
    try {
      while (waiting.length > 0) {
        // Whatever else this turn of the event loop brings shares the commit.
        await setImmediate()
        await commitSome()
      }
    } finally {
      clearInterval(watch)
      work = null
    }
  }

  function refuseOld() {
    const limit = performance.now() - limits.age
    const old = [...committing, ...waiting].filter(({ since }) => since < limit)
    if (old.length === 0) return
    committing = committing.filter(({ since }) => since >= limit)
    waiting = waiting.filter(({ since }) => since >= limit)
    events.refused('too-old', old.length, fault)
    for (const { answer } of old) answer('unavailable')
  }

  async function commitSome() {
    const batch = waiting.splice(0, limits.batch)
    if (batch.length === 0) return
    committing = batch
    const started = performance.now()
    try {
      const items = batch.map(({ item }) => item)
      const answerOf = await commit(items, fault !== null)
      fault = null
      committing = []
      events.committed(batch.length, (performance.now() - started) / 1000)
      // Whoever was refused meanwhile has an answer already, and hears no other.
      for (const { item, answer } of batch) answer(answerOf(item))
    } catch (error) {
      fault = error
      events.failed()
      waiting = [...committing, ...waiting]
      committing = []
      await setTimeout(limits.pause)
    }
  }

  const length = () => waiting.length + committing.length

  return {
    async add(item) {
      if (length() >= limits.length) {
        events.refused('queue-full', 1, fault)
        return 'unavailable'
      }
      const { promise, resolve } = Promise.withResolvers<Answer | 'unavailable'>()
      waiting.push({ item, since: performance.now(), answer: resolve })
      work ??= commitAll()
      return promise
    },
    length,
    async drained() {
      while (work) await work
    },
  }
}
