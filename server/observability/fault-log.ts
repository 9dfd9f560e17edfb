import type { FastifyBaseLogger } from 'fastify'
import { LostDatabase } from '../storage/database.ts'
import { databaseFault } from '../storage/database-fault.ts'

/** Milliseconds without a refusal until a commit counts as the end: a disk that is nearly full takes a small row in between. */
const QUIET = 10_000

export type FaultLog = {
  committed(): void
  /** Some calls were answered 503; `cause` is why the last commit failed, or null if the database has said nothing. */
  refused(calls: number, cause: unknown): void
}

type Outage = {
  readonly since: string
  /** What was said to be wrong. */
  readonly faults: Set<string>
  calls: number
  /** Milliseconds on the clock. */
  lastRefusal: number
}

/** Says once that the database refuses, again only when that has another cause, and once when it is over. */
export function createFaultLog(
  log: Pick<FastifyBaseLogger, 'error' | 'info'>,
  now: () => number = () => performance.now(),
): FaultLog {
  let outage: Outage | null = null
  return {
    committed() {
      if (outage === null || now() - outage.lastRefusal < QUIET) return
      const { calls, since } = outage
      log.info({ calls, since }, 'The database can be used again; calls is how many were answered 503.')
      outage = null
    },
    refused(calls, cause) {
      // It has been told already, with what to do.
      if (cause instanceof LostDatabase) return
      outage ??= { since: new Date().toISOString(), faults: new Set(), calls: 0, lastRefusal: 0 }
      outage.calls += calls
      outage.lastRefusal = now()
      const fault = databaseFault(cause)
      if (outage.faults.has(fault)) return
      outage.faults.add(fault)
      const err = cause instanceof Error ? { err: cause } : {}
      log.error(err, `The database can't be used, calls are answered 503 until it can. ${fault}`)
    },
  }
}
