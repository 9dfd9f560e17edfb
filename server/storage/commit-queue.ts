import { setImmediate } from 'node:timers/promises'
import { tryUntil } from './database.ts'

/** How many calls may wait, and how many rows one commit takes: its statements stay below the databases' limits. */
const MAX_WAITING = 4000
const MAX_BATCH = 1000

type Call<Row, Result> = {
  readonly row: Row
  readonly since: number
  readonly resolve: (result: Result | 'unavailable') => void
}

/** Is called after each commit: with null, or with the error why calls got 'unavailable'. */
export type OnCommit = (error: unknown) => void

/**
 * Rows that arrive together share a commit. `commit` stores rows durably, and returns the result for each. It is tried
 * again until `retryMs` after the first row came; then the calls get 'unavailable'. No call rejects.
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
    // The calls that arrive in the same turn share the commit.
    for (await setImmediate(); waiting.length > 0; await setImmediate()) {
      const batch = waiting.splice(0, MAX_BATCH)
      const deadline = (batch[0]?.since ?? 0) + retryMs
      try {
        const results = await tryUntil(deadline, () => commit(batch.map(({ row }) => row)))
        for (const [i, { resolve }] of batch.entries()) resolve(results[i] ?? 'unavailable')
        onCommit(null)
      } catch (error) {
        // The calls behind this batch would wait too long for their own commit.
        for (const { resolve } of [...batch, ...waiting.splice(0)]) resolve('unavailable')
        onCommit(error)
      }
    }
    loop = null
  }

  return {
    add,
    /** Resolves when no call waits any more. */
    drained: async () => loop,
  }
}
