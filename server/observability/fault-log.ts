import type { FastifyBaseLogger } from 'fastify'
import { LostDatabase } from '../storage/database.ts'
import { describeDatabaseError } from '../storage/database-errors.ts'

/** Without a refusal, until a commit ends the outage: a nearly full disk takes a small row now and then. */
const QUIET_MS = 10_000

export type FaultLog = {
  committed(): void
  /** Calls were answered 503; `cause` is the error of the last commit, or null if the database gave none. */
  refused(calls: number, cause: unknown): void
}

type Outage = {
  readonly since: string
  /** The reasons logged so far. */
  readonly reasons: Set<string>
  calls: number
  lastRefusalMs: number
}

/** Logs an outage of the database once for each reason, and its end. */
export function createFaultLog(
  log: Pick<FastifyBaseLogger, 'error' | 'info'>,
  now: () => number = () => performance.now(),
): FaultLog {
  let outage: Outage | null = null
  return {
    committed() {
      if (outage === null || now() - outage.lastRefusalMs < QUIET_MS) return
      const { calls, since } = outage
      log.info({ calls, since }, 'database available again; calls is how many were answered 503')
      outage = null
    },
    refused(calls, cause) {
      // It was reported already, with what to do.
      if (cause instanceof LostDatabase) return
      outage ??= { since: new Date().toISOString(), reasons: new Set(), calls: 0, lastRefusalMs: 0 }
      outage.calls += calls
      outage.lastRefusalMs = now()
      const reason = describeDatabaseError(cause)
      if (outage.reasons.has(reason)) return
      outage.reasons.add(reason)
      const err = cause instanceof Error ? { err: cause } : {}
      log.error(err, `database unavailable; calls are answered 503 until it is back. ${reason}`)
    },
  }
}
