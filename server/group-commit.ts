import { setImmediate, setTimeout } from 'node:timers/promises'

/** Commits all items in one go, durably or not at all, and tells the answer of each, asked in their order. */
export type Commit<Item, Answer> = (items: readonly Item[]) => Promise<(item: Item) => Answer>

export type Limits = {
  /** Items that may wait, those being committed included. */
  readonly length: number
  /** Items of one commit. */
  readonly batch: number
  /** Milliseconds that an item may wait before its commit begins. */
  readonly age: number
  /** Milliseconds between a failed commit and the next try. */
  readonly pause: number
}

export type GroupCommit<Item, Answer> = {
  /** Never rejects: an item that is too many or waited too long is answered 'unavailable'. */
  add(item: Item): Promise<Answer | 'unavailable'>
  /** When nothing waits any more. */
  drained(): Promise<void>
}

type Waiting<Item, Answer> = {
  readonly item: Item
  readonly since: number
  readonly answer: (answer: Answer | 'unavailable') => void
}

/**
 * Gathers items that come at the same time into one commit, and tries a failed commit again while their age permits.
 * `report` hears when items are refused for their age, and why the last commit failed, or null if it did not.
 */
export function groupCommit<Item, Answer>(
  commit: Commit<Item, Answer>,
  limits: Limits,
  report: (cause: unknown) => void,
): GroupCommit<Item, Answer> {
  const queue: Waiting<Item, Answer>[] = []
  let work: Promise<void> | null = null
  let fault: unknown = null

  async function commitAll() {
    while (queue.length > 0) {
      // Whatever else this turn of the event loop brings shares the commit.
      await setImmediate()
      refuseOld()
      await commitSome()
    }
    work = null
  }

  function refuseOld() {
    const oldest = performance.now() - limits.age
    const young = queue.findIndex(({ since }) => since >= oldest)
    const old = queue.splice(0, young === -1 ? queue.length : young)
    if (old.length > 0) report(fault)
    for (const { answer } of old) answer('unavailable')
  }

  async function commitSome() {
    const batch = queue.slice(0, limits.batch)
    if (batch.length === 0) return
    try {
      const answerOf = await commit(batch.map(({ item }) => item))
      fault = null
      queue.splice(0, batch.length)
      for (const { item, answer } of batch) answer(answerOf(item))
    } catch (error) {
      fault = error
      await setTimeout(limits.pause)
    }
  }

  return {
    async add(item) {
      if (queue.length >= limits.length) return 'unavailable'
      const { promise, resolve } = Promise.withResolvers<Answer | 'unavailable'>()
      queue.push({ item, since: performance.now(), answer: resolve })
      work ??= commitAll()
      return promise
    },
    async drained() {
      while (work) await work
    },
  }
}
