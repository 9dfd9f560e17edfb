import { setImmediate } from 'node:timers/promises'
import { tryUntil } from './database.ts'

const MAX_WAITING = 4000

/** How many rows one commit stores. PostgreSQL and SQLite limit the number of values in a statement. */
const MAX_BATCH = 1000

type Call<Row, Result> = {
  readonly row: Row
  readonly since: number
  readonly resolve: (result: Result | 'unavailable') => void
}

/** Called after each commit and when the queue is full: with null after a success, or with the reason of 'unavailable'. */
export type OnCommit = (error: unknown) => void

/**
 * Rows that arrive together share a commit, because each commit waits for the disk. `commit` stores rows on the disk, and
 * returns one result for each row. A failed commit is repeated for `retryMs`, counted from the arrival of its first row.
 * Then its calls get 'unavailable'. The promise of a call never rejects.
 */
export function createCommitQueue<Row, Result>(
  commit: (rows: readonly Row[]) => Promise<readonly Result[]>,
  retryMs: number,
  onCommit: OnCommit,
) {
  const waiting: Call<Row, Result>[] = []
  let loop: Promise<void> | null = null

  async function add(row: Row): Promise<Result | 'unavailable'> {
    if (waiting.length >= MAX_WAITING) {
      onCommit(new Error('too many calls'))
      return 'unavailable'
    }
    const { promise, resolve } = Promise.withResolvers<Result | 'unavailable'>()
    waiting.push({ row, since: performance.now(), resolve })
    loop ??= commitAll()
    return promise
  }

  async function commitAll() {
    // Waiting for the next turn of the event loop lets calls that arrive together share a commit.
    for (await setImmediate(); waiting.length > 0; await setImmediate()) {
      const batch = waiting.splice(0, MAX_BATCH)
      const deadline = (batch[0]?.since ?? 0) + retryMs
      try {
        const results = await tryUntil(deadline, () => commit(batch.map(({ row }) => row)))
        for (const [i, { resolve }] of batch.entries()) resolve(results[i] ?? 'unavailable')
        onCommit(null)
      } catch (error) {
        // Refuse the other waiting calls too, instead of letting each batch wait for the same broken database.
        for (const { resolve } of [...batch, ...waiting.splice(0)]) resolve('unavailable')
        onCommit(error)
      }
    }
    loop = null
  }

  return {
    add,
    /** Resolves when no call waits. */
    drained: async () => loop,
  }
}
